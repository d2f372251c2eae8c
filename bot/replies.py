"""What models and searches replied to earlier questions, as the doors to them ask for it."""

from __future__ import annotations

from datetime import datetime

from reasoning.llm import KeptReply
from reasoning.retrieval.eutils import KeptSearch
from storage.history import History


class HistoryReplies:
    """Replies of the runs that are still kept."""

    def __init__(self, history: History) -> None:
        self._history = history

    async def find(self, key: str) -> KeptReply | None:
        row = await self._history.find_reply(key)
        return KeptReply(**row) if row else None


class HistorySearches:
    """Search replies of the runs that are still kept."""

    def __init__(self, history: History) -> None:
        self._history = history

    async def find(self, key: str, since: datetime) -> KeptSearch | None:
        found = await self._history.find_search(key, since)
        return KeptSearch(found.reply, found.kept_at) if found else None
