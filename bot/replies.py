"""What models replied to earlier questions, as the door to the models asks for it."""

from __future__ import annotations

from reasoning.llm import KeptReply
from storage.history import History


class HistoryReplies:
    """Replies of the runs that are still kept."""

    def __init__(self, history: History) -> None:
        self._history = history

    async def find(self, key: str) -> KeptReply | None:
        row = await self._history.find_reply(key)
        return KeptReply(**row) if row else None
