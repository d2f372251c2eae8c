"""Updates on their way: long polls that confirm by offset, one at a time."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.emulators.telegram.refusals import Refusal, Refused

KINDS = {  # what is sent unless the bot asks for other kinds
    *("message", "edited_message", "channel_post", "edited_channel_post", "callback_query"),
    *("inline_query", "chosen_inline_result", "shipping_query", "pre_checkout_query"),
    *("poll", "poll_answer", "my_chat_member", "chat_join_request"),
}
_CONFLICT = Refusal(
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running", 409
)
_LONGEST = 50


@dataclass(slots=True)
class Update:
    """`handed_out` counts deliveries; `confirmed_at` is None while it may come again."""

    id: int
    payload: dict[str, Any]
    lane: int  # the chat: updates of one are pushed one after another
    at: float
    handed_out: int = 0
    confirmed_at: float | None = None
    copies: int = 1  # handed out so often before a confirmation counts


@dataclass(slots=True)
class Updates:
    """`copies` of new updates, as if confirmations got lost. `conflicts` counts polls ended by another."""

    all: list[Update] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)
    copies: int = 1
    conflicts: int = 0
    polled_at: float | None = None
    on_new: Callable[[Update], None] | None = None  # the webhook
    _next: Any = field(default_factory=lambda: itertools.count(700_000_001))
    _poll: asyncio.Future[None] | None = None
    _came: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def pending(self) -> list[Update]:
        return [update for update in self.all if update.confirmed_at is None]

    def add(self, kind: str, content: dict[str, Any], lane: int) -> int | None:
        """A new update, unless the bot wants none of its kind; its id."""
        if kind not in (self.allowed or KINDS):
            return None
        return self.push({kind: content}, lane)

    def push(self, payload: dict[str, Any], lane: int = 0) -> int:
        """Anything as an update; its update_id may be its own."""
        number = int(payload.get("update_id") or next(self._next))
        payload = {"update_id": number} | payload
        self._announce(Update(number, payload, lane, time.monotonic(), copies=self.copies))
        return number

    def repeat(self, update: Update, times: int) -> None:
        """Hand an update out so many times more, though it was confirmed."""
        if self.on_new is not None:
            for _ in range(times):
                self.on_new(update)
            return
        update.confirmed_at, update.copies = None, update.handed_out + times
        self._came.set()

    def _announce(self, update: Update) -> None:
        self.all.append(update)
        self._came.set()
        if self.on_new is not None:
            self.on_new(update)

    def confirm(self, offset: int) -> None:
        """All before the offset were received; a negative one keeps only so many from the end."""
        if offset < 0:
            kept = {update.id for update in self.pending[offset:]}
            gone = [update for update in self.pending if update.id not in kept]
        else:
            before = [one for one in self.pending if one.id < offset]
            gone = [one for one in before if one.copies == 1 or one.handed_out >= one.copies]
        for update in gone:
            update.confirmed_at = time.monotonic()

    async def get(self, offset: int, limit: int, seconds: float) -> list[dict[str, Any]]:
        """One long poll. Another one that comes meanwhile ends it with 409."""
        if self._poll is not None and not self._poll.done():
            self._poll.set_result(None)
            self.conflicts += 1
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._poll = mine
        self.polled_at = time.monotonic()
        self.confirm(offset)
        try:
            waiting = await self._wait(mine, limit, time.monotonic() + min(seconds, _LONGEST))
        finally:
            if self._poll is mine:
                self._poll = None
        for update in waiting:
            update.handed_out += 1
        return [update.payload for update in waiting]

    async def _wait(self, mine: asyncio.Future[None], limit: int, end: float) -> list[Update]:
        while True:
            self._came.clear()
            waiting = self.pending[: min(max(limit, 1), 100)]
            left = end - time.monotonic()
            if waiting or left <= 0:
                return waiting
            came: asyncio.Future[Any] = asyncio.ensure_future(self._came.wait())
            ends: list[asyncio.Future[Any]] = [came, mine]
            try:
                await asyncio.wait(ends, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            finally:
                came.cancel()
            if mine.done():
                raise Refused(_CONFLICT)
