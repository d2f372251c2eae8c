"""What was called, which calls were refused for their pace, and whether the caller then waited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

_EARLY = 0.02  # seconds: clocks and timers of a client may be that much ahead


@dataclass(slots=True)
class Call:
    """One call; `at` on the emulator's clock, `outcome` is "ok" or the refusal. Tokens are left out."""

    method: str
    at: float
    arguments: Mapping[str, Any]
    outcome: str = "open"


@dataclass(slots=True)
class Throttle:
    """A 429: what was exhausted, and whether the next call that counts there came after the wait."""

    counted: str
    method: str
    at: float
    retry_after: float
    obeyed: bool | None = None  # None: nothing came since


@dataclass(slots=True)
class Ledger:
    """`calls` by method; `log` in order; `throttles` are the 429s given."""

    calls: Counter[str] = field(default_factory=Counter)
    log: list[Call] = field(default_factory=list)
    throttles: list[Throttle] = field(default_factory=list)
    _unjudged: dict[str, list[Throttle]] = field(default_factory=dict)

    def note(self, method: str, at: float, arguments: Mapping[str, Any]) -> Call:
        call = Call(method, at, {name: value for name, value in arguments.items() if name != "token"})
        self.calls[method] += 1
        self.log.append(call)
        return call

    def judge(self, counted: Iterable[str], at: float) -> None:
        """A call came that counts there: were the waits asked for over?"""
        for name in counted:
            for throttle in self._unjudged.pop(name, ()):
                throttle.obeyed = at >= throttle.at + throttle.retry_after - _EARLY

    def throttle(self, counted: str, method: str, at: float, retry_after: float) -> None:
        throttle = Throttle(counted, method, at, retry_after)
        self.throttles.append(throttle)
        self._unjudged.setdefault(counted, []).append(throttle)

    @property
    def ignored(self) -> list[Throttle]:
        """Those after which somebody called too early."""
        return [throttle for throttle in self.throttles if throttle.obeyed is False]
