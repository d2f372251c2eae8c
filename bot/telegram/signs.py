"""That we are at work, beside a chat's name: it stands for five seconds, or until our next message there.

Which questions are worked on is read from the history, so it is right for the workers of all processes, and
ends with a question however that ends.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from telegram import Bot
from telegram.constants import ChatAction
from telegram.error import RetryAfter

from bot.stopping import pause_unless
from bot.telegram.waits import seconds_of
from storage.errors import StorageError
from storage.history.chat import Chat, Place

_log = logging.getLogger(__name__)
_LOOK, _AFTER_TROUBLE = 0.25, 2.0  # seconds from one look at the questions to the next
_EVERY = 4.0  # seconds, our choice below the five
_PATIENCE = 3.0  # seconds for one call
_AT_ONCE = 4  # calls: answers need the connections
_LONGEST = 600.0  # seconds without a message: its worker died, and no other has come; our choice


@dataclass(slots=True)
class _Sign:
    begun: float
    due: float = 0.0
    call: asyncio.Task[None] | None = None

    @property
    def runs(self) -> bool:
        return self.call is not None and not self.call.done()


class Signs:
    """Of one bot. Nothing here waits, or fails, where a message would then wait or fail with it."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._signs: dict[Place, _Sign] = {}
        self._held: Counter[str] = Counter()  # chats
        self._quiet_until = 0.0

    @asynccontextmanager
    async def showing(self, chat: Chat, workspace: int) -> AsyncIterator[None]:
        """Of the questions of this bot."""
        stop = asyncio.Event()
        looking = asyncio.create_task(self._look(chat, workspace, stop))
        try:
            yield
        finally:
            stop.set()
            await looking

    async def _look(self, chat: Chat, workspace: int, stop: asyncio.Event) -> None:
        while not stop.is_set():
            wait = _LOOK
            try:
                self._show(await chat.questions.places_at_work(workspace))
            except StorageError as error:
                _log.warning("the questions cannot be read (%s)", type(error).__name__)
                self._show(())
                wait = _AFTER_TROUBLE
            await pause_unless(stop, wait)
        self._show(())

    def _show(self, places: Collection[Place]) -> None:
        """In these chats and topics, each time that the last one lapses; in no others any more."""
        now = time.monotonic()
        for place in self._signs.keys() - set(places):
            self._cancel(self._signs.pop(place))
        for place in (place for place in places if not self._held[place.chat]):
            sign = self._signs.setdefault(place, _Sign(now))
            due = now >= max(sign.due, self._quiet_until) and now < sign.begun + _LONGEST
            if due and not sign.runs and sum(one.runs for one in self._signs.values()) < _AT_ONCE:
                sign.due = now + _EVERY
                sign.call = asyncio.create_task(self._call(place))

    @contextmanager
    def holding(self, place: Place) -> Iterator[None]:
        """While a message goes there: behind it, a sign would say that more comes."""
        if sign := self._signs.get(place):
            self._cancel(sign)
            sign.begun = time.monotonic()
        self._held[place.chat] += 1
        try:
            yield
        finally:
            self._held -= Counter((place.chat,))

    def renew(self, place: Place) -> None:
        """A message came, and has ended the sign."""
        if sign := self._signs.get(place):
            sign.due = 0.0

    def rest(self, seconds: float) -> None:
        """Telegram asks for a wait, whatever for."""
        self._quiet_until = max(self._quiet_until, time.monotonic() + seconds)

    def _cancel(self, sign: _Sign) -> None:
        if sign.call and sign.call.cancel():
            sign.due = 0.0

    async def _call(self, place: Place) -> None:
        topic = int(place.thread) if place.thread else None
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._bot.send_chat_action(int(place.chat), ChatAction.TYPING, message_thread_id=topic)
        except RetryAfter as error:
            self.rest(seconds_of(error))
        except Exception as error:
            _log.info("a sign of work was not shown (%s)", type(error).__name__)
