"""How long one question may wait for NCBI in all."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Allowance:
    """Counts the time in which at least one request of the question is under way or waits for its turn, not
    that of models and searches in between. `seconds` None: unlimited, as for an ingest."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = math.inf if seconds is None else seconds
        self._used = 0.0
        self._since = 0.0
        self._running = 0

    @property
    def left(self) -> float:
        running = time.monotonic() - self._since if self._running else 0.0
        return self._seconds - self._used - running

    @contextmanager
    def running(self) -> Iterator[None]:
        if not self._running:
            self._since = time.monotonic()
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1
            if not self._running:
                self._used += time.monotonic() - self._since
