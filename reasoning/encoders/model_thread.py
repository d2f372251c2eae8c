"""One thread for all models of a server: questions first, and an event loop that never waits for a model."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from reasoning.encoders.errors import EncoderClosed

T = TypeVar("T")


class ModelThread:
    """Runs one piece of work at a time in one thread; torch spreads each over all cores by itself.

    Share it between the encoder and the cross-encoder. Urgent work goes before patient work, each first come
    first served. All methods belong to one event loop.
    """

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="model")
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()
        self._busy = False
        self._closed = False

    async def run(self, work: Callable[[], T], *, urgent: bool) -> T:
        """What `work` returns.

        Cancelled while waiting, the work never runs; cancelled while running, it ends first and its result is
        dropped, since a thread cannot be stopped. Raises EncoderClosed.
        """
        return await self.run_prepared(lambda: work, urgent=urgent)

    async def run_prepared(self, prepare: Callable[[], Callable[[], T]], *, urgent: bool) -> T:
        """As `run`, where what there is to do is decided only when the thread is free, on the event loop."""
        await self._turn(self._urgent if urgent else self._patient)
        try:
            if self._closed:
                raise EncoderClosed
            running = asyncio.get_running_loop().run_in_executor(self._executor, prepare())
        except BaseException:
            self._next()
            raise
        running.add_done_callback(self._finished)
        return await asyncio.shield(running)

    async def close(self) -> None:
        """Refuse what waits, let what runs end."""
        self._closed = True
        for waiting in (*self._urgent, *self._patient):
            if not waiting.done():
                waiting.set_exception(EncoderClosed())
        await asyncio.to_thread(self._executor.shutdown)

    async def _turn(self, line: deque[asyncio.Future[None]]) -> None:
        if self._closed:
            raise EncoderClosed
        if not self._busy:
            self._busy = True
            return
        ticket = asyncio.get_running_loop().create_future()
        line.append(ticket)
        try:
            await ticket
        except asyncio.CancelledError:
            if ticket.done() and not ticket.cancelled() and not ticket.exception():
                self._next()  # it was our turn already: pass it on
            raise

    def _next(self) -> None:
        for line in (self._urgent, self._patient):
            while line:
                if not (ticket := line.popleft()).done():
                    ticket.set_result(None)
                    return
        self._busy = False

    def _finished(self, running: asyncio.Future[T]) -> None:
        if not running.cancelled():
            running.exception()  # seen, even where the caller has gone
        self._next()
