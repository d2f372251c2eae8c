"""One update, however it came: read, taken in, and only then confirmed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from telegram import Bot
from telegram.error import TelegramError

from bot.intake import Clicked, Incoming, Intake, Reaction
from bot.metrics import accepting
from bot.telegram.door import TelegramDoor
from bot.telegram.errors import UpdateUnreadable
from bot.telegram.reading import Reader
from storage.errors import StorageError
from storage.history.chat import Chat

_log = logging.getLogger(__name__)


class Receiver:
    """Logs hold the ids of updates, and nothing that is in them."""

    def __init__(self, bot: Bot, chat: Chat, intake: Intake, reader: Reader, door: TelegramDoor) -> None:
        self._bot = bot
        self._chat = chat
        self._intake = intake
        self._reader = reader
        self._door = door
        self._beside: set[asyncio.Task[None]] = set()

    async def receive(self, raw: Mapping[str, Any]) -> int | None:
        """The offset behind this update; None where it has no id, so that nothing can be said of it.

        One that cannot be read, or that we stumble over, is parked. Raises StorageError where the database
        cannot be reached: the same update has to come again.
        """
        number = raw.get("update_id")
        if not isinstance(number, int):
            _log.warning("an update without an id is passed over")
            return None
        try:
            with accepting("telegram"):
                incoming = self._reader.read_update(raw)
                reaction = await self._intake.take(incoming) if incoming else None
        except UpdateUnreadable:
            return await self._park(number, "unreadable")
        except Exception as error:
            if isinstance(error, StorageError) and error.retryable:
                raise
            return await self._park(number, type(error).__name__)
        if reaction and incoming:
            self._react(raw, incoming, reaction)
        return number + 1

    async def close(self) -> None:
        await asyncio.gather(*self._beside, return_exceptions=True)

    async def _park(self, number: int, reason: str) -> int:
        _log.warning("update %d is parked (%s)", number, reason)
        await self._chat.inbox.park(self._reader.workspace, str(number), reason, offset=number + 1)
        return number + 1

    def _react(self, raw: Mapping[str, Any], incoming: Incoming, reaction: Reaction) -> None:
        """Beside the next updates: nothing is lost where it fails."""
        if isinstance(incoming, Clicked):
            self._start(self._answer_click(str(raw["callback_query"]["id"]), reaction.word))
        for post in reaction.posts:
            self._start(self._door.take_back(post))

    def _start(self, work: Any) -> None:
        self._beside.add(task := asyncio.create_task(work))
        task.add_done_callback(self._beside.discard)

    async def _answer_click(self, query: str, word: str) -> None:
        """Without an answer the button shows a clock for a minute."""
        try:
            await self._bot.answer_callback_query(query, text=word[:200] or None)
        except TelegramError as error:
            _log.info("a click was not answered (%s)", type(error).__name__)
