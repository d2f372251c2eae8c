"""When a request may start: one queue per server and key for all chains, methods, threads and event loops.

Starts are spaced evenly, as the limit of NCBI counts all requests of a key together (case F01.3). Nobody
reserves a time ahead: whoever is first in the queue starts when the last real start is long enough ago, so
that a process that was held up does not send a burst afterwards.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Lock

from reasoning.retrieval.eutils.errors import RateLimited

IN_FLIGHT = 3  # requests under way at once (methods.md 5.1)
LONGEST_HOLD = 600.0  # seconds; a date in the far future must not shut the door for good
_GLANCE, _LEAST = 0.05, 0.005  # seconds between looks at the queue, at most and at least


class Pacer:
    """`per_second` starts at most, IN_FLIGHT at once; first come, first served."""

    def __init__(self, per_second: float) -> None:
        self.gap = 1.0 / per_second
        self._lock = Lock()
        self._queue: deque[object] = deque()
        self._under_way = 0
        self._last_start = -self.gap
        self._held_until = 0.0

    def hold(self, seconds: float) -> None:
        """Nobody starts before that: the server asked one of us to wait (case F01.2)."""
        with self._lock:
            until = time.monotonic() + min(seconds, LONGEST_HOLD)
            self._held_until = max(self._held_until, until)

    @asynccontextmanager
    async def turn(self, seconds: float) -> AsyncIterator[None]:
        """Wait for a turn, at most `seconds`, and keep it while the request lasts.

        Raises RateLimited as soon as it is plain that the turn would come too late.
        """
        await self._wait(time.monotonic() + seconds)
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1

    async def _wait(self, until: float) -> None:
        ticket = object()
        with self._lock:
            self._queue.append(ticket)
        try:
            while (delay := self._delay(ticket)) > 0:
                if time.monotonic() + delay > until:
                    raise RateLimited("Its turn would come after the time of this question.", wait=math.inf)
                await asyncio.sleep(min(delay, _GLANCE))
        finally:
            with self._lock:
                self._queue.remove(ticket)

    def _delay(self, ticket: object) -> float:
        """Seconds until this ticket's turn at the earliest; 0: the turn is taken."""
        with self._lock:
            now = time.monotonic()
            free = max(self._last_start + self.gap, self._held_until)
            place = self._queue.index(ticket)
            if place == 0 and self._under_way < IN_FLIGHT and free <= now:
                self._last_start = now
                self._under_way += 1
                return 0.0
            return max(free - now, _LEAST) + place * self.gap
