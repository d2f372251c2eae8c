"""A host that does not answer is left alone for a while; then one request tries (methods.md 5.1)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Lock

from reasoning.retrieval.eutils.errors import EutilsError, NoConnection, RateLimited, Transient

REST = 30.0  # seconds; our choice
MOST_FAILURES = 5  # in a row, of a host that is there but does not work; our choice


@dataclass(slots=True)
class Breaker:
    """Shared by all threads; `rest` in seconds."""

    rest: float = REST
    _failures: int = 0
    _closed_until: float = 0.0  # the door to the host, by time.monotonic(); 0: it stands open
    _lock: Lock = field(default_factory=Lock)

    def admits(self) -> bool:
        """Whether a call may be made. After the rest the first one may, and the others wait for another."""
        with self._lock:
            if not self._closed_until:
                return True
            if time.monotonic() < self._closed_until:
                return False
            self._closed_until = time.monotonic() + self.rest
            return True

    @property
    def tripped(self) -> bool:
        """Whether the host has failed and not been seen to work since."""
        return self._closed_until > 0

    def report(self, error: EutilsError | None) -> None:
        """How a request ended; None: well. A refused request was understood, a limit is no failure."""
        with self._lock:
            if isinstance(error, RateLimited):
                return
            if not isinstance(error, Transient):
                self._failures, self._closed_until = 0, 0.0
                return
            self._failures += 1
            at_once = isinstance(error, NoConnection) and error.at_once
            if at_once or self._closed_until or self._failures >= MOST_FAILURES:
                self._closed_until = time.monotonic() + self.rest
