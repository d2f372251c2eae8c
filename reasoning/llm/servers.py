"""What this process has learnt about a server and model, so that no question pays twice for it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cache

from reasoning.llm.errors import FormatRefused
from reasoning.llm.tokens import TokenMeasure

LADDER = ("json_schema", "reduced", "json_object", "plain")  # case F24, from the strictest
_REST = 30.0  # seconds without a request after a failure of the whole server; our choice
_LONGEST_HOLD = 600.0  # seconds; a date in the far future must not shut the door for good


@dataclass(slots=True)
class Outage:
    """A step that ends for want of a server closes the door for a while; then one step tries."""

    closed_until: float = 0.0  # time.monotonic()
    busy_until: float = 0.0  # the same, by the server's own Retry-After

    def admits(self) -> bool:
        """Whether a step may ask. After a rest the first one may, and the door stays shut for the others."""
        if not self.closed_until:
            return True
        if time.monotonic() < self.closed_until:
            return False
        self.closed_until = time.monotonic() + _REST
        return True

    def begin(self) -> None:
        self.closed_until = time.monotonic() + _REST

    def end(self) -> None:
        self.closed_until = 0.0

    def hold(self, seconds: float) -> None:
        """All callers wait, not only the one that was refused (as in case F01)."""
        self.busy_until = max(self.busy_until, time.monotonic() + min(seconds, _LONGEST_HOLD))

    @property
    def hold_left(self) -> float:
        return max(0.0, self.busy_until - time.monotonic())


@dataclass(slots=True)
class Server:
    """One endpoint and model, as it has shown itself so far."""

    rung: int = 0  # of the ladder
    proven: bool = False  # a reply of that rung was good
    left_out: set[str] = field(default_factory=set)  # options of a request that it refuses
    context: int | None = None  # tokens, where it said so
    thinks: bool = False
    streams: bool = False
    tokens: TokenMeasure = field(default_factory=TokenMeasure)
    outage: Outage = field(default_factory=Outage)


def next_rung(rung: int, error: FormatRefused | None = None) -> int | None:
    """One step down the ladder; past the reduced schema where schemas as such are refused."""
    if rung == 0 and error is not None and not error.of_schema:
        return 2
    return rung + 1 if rung + 1 < len(LADDER) else None


@cache
def known_server(base_url: str, model: str) -> Server:
    """The one record of this server and model in this process."""
    return Server()
