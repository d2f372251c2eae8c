"""What may still be sent in a sliding window of time, as chat platforms count it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Limits = Mapping[str, tuple[int, float]]  # what is counted -> so many, in a window of seconds


def seconds_until_free(times: Sequence[float], now: float, limit: int, window: float) -> float:
    """Seconds until one more fits into `limit` a `window` seconds; 0.0 where it fits now.

    `times` are the accepted ones, ascending, on the clock of `now`.
    """
    if len(times) < limit:
        return 0.0
    return max(0.0, times[-limit] + window - now)


@dataclass(slots=True)
class Pace:
    """What was taken, by what is counted. Refused ones do not count."""

    _taken: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def take(self, limits: Limits, now: float) -> tuple[str, float] | None:
        """None, and it is counted; or what is exhausted and the seconds to wait."""
        for counted, (limit, window) in limits.items():
            wait = seconds_until_free(self._taken[counted], now, limit, window)
            if wait > 0:
                return counted, wait
        for counted, (_, window) in limits.items():
            self._taken[counted] = [*(at for at in self._taken[counted] if at > now - window), now]
        return None
