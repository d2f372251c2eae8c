"""Long polls by our own loop: an update that cannot be parsed stops no other one, and none is confirmed
before it is kept (chat.md 1 and 3, row 14)."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from telegram import Bot
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError
from telegram.request import BaseRequest

from bot.stopping import pause_unless
from bot.telegram.errors import TokenShared
from bot.telegram.reading import KINDS
from bot.telegram.receiving import Receiver
from bot.telegram.waits import seconds_of
from storage.errors import StorageError
from storage.history.chat import Chat

_log = logging.getLogger(__name__)
_POLL = 25  # seconds that Telegram holds a poll open
_PATIENCE = 10.0  # seconds beyond it until the connection counts as dead
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 30.0  # seconds between polls that fail
_AFTER_CONFLICT = 5.0  # seconds
# So many conflicts while it is new: the other poller is no predecessor that ends. The older one goes on.
_CONFLICTS, _NEW = 3, 60.0  # seconds


class Poller:
    """`last_good` is the time (monotonic) of the last poll that Telegram answered. `connections` are those of
    polls alone: one that hangs takes none from the senders."""

    def __init__(
        self,
        bot: Bot,
        connections: BaseRequest,
        chat: Chat,
        receiver: Receiver,
        workspace: int,
        poll: int = _POLL,
    ) -> None:
        self._bot = bot
        self._connections = connections
        self._chat = chat
        self._receiver = receiver
        self._workspace = workspace
        self._poll = poll
        self.last_good = time.monotonic()
        self.patience = 2 * (poll + _PATIENCE)
        self._conflicts, self._new_until = 0, time.monotonic() + _NEW
        self._not_before = 0.0  # monotonic; a wait that Telegram asked for outlives a new beginning

    async def run(self, stop: asyncio.Event) -> None:
        """Until `stop`, which ends a waiting poll at once and cuts no update in two. Raises TokenShared."""
        offset: int | None = None
        begun, wait = False, _FIRST_WAIT
        while not stop.is_set():
            await pause_unless(stop, self._not_before - time.monotonic())
            try:
                if not begun:
                    await self._connections.shutdown()
                    await self._connections.initialize()
                    offset = await self._chat.workspaces.offset(self._workspace)
                    begun = True
                for raw in await self._next(offset, stop):
                    after = await self._receiver.receive(raw)
                    offset = max(offset or 0, after or 0) or None
                    if stop.is_set():
                        break
                wait = _FIRST_WAIT
            except (TelegramError, StorageError) as error:
                self._refuse_to_share(error)
                pause = _pause_after(error, wait)
                _log.warning("no updates (%s); again in %.0f s", type(error).__name__, pause)
                self._not_before = time.monotonic() + pause
                wait = min(2 * wait, _LONGEST_WAIT)

    def _refuse_to_share(self, error: Exception) -> None:
        """Answers would come from either process, and nobody would know which (chat.md 3, row 4)."""
        if isinstance(error, Conflict) and time.monotonic() < self._new_until:
            self._conflicts += 1
            if self._conflicts >= _CONFLICTS:
                raise TokenShared from None

    async def _next(self, offset: int | None, stop: asyncio.Event) -> list[dict[str, Any]]:
        asked = {"timeout": self._poll, "allowed_updates": list(KINDS)}
        if offset is not None:
            asked["offset"] = offset
        # Bot.get_updates parses all or nothing. By this spelling alone do_api_request takes connections of
        # polls, and it warns that there is a method for it (bot/telegram/surface.py).
        polling = asyncio.create_task(
            self._bot.do_api_request("getUpdates", api_kwargs=asked, read_timeout=self._poll + _PATIENCE)
        )
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({polling, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if not polling.done():
                return []
            found = polling.result()
        finally:
            for task in (polling, stopping):
                task.cancel()
            await asyncio.gather(polling, stopping, return_exceptions=True)
        self.last_good = time.monotonic()
        return [raw for raw in found if isinstance(raw, dict)] if isinstance(found, list) else []


def _pause_after(error: Exception, wait: float) -> float:
    """Of two pollers with one token each ends the other's polls; a refused token does not come back soon."""
    if isinstance(error, RetryAfter):
        return seconds_of(error)
    if isinstance(error, Conflict):
        return _AFTER_CONFLICT
    return _LONGEST_WAIT if isinstance(error, InvalidToken) else wait
