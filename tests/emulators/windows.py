"""What may still be sent in a sliding window of time, as chat platforms count it."""

from __future__ import annotations

from collections.abc import Sequence


def seconds_until_free(times: Sequence[float], now: float, limit: int, window: float) -> float:
    """Seconds until one more fits into `limit` a `window` seconds; 0.0 where it fits now.

    `times` are the accepted ones, ascending, on the clock of `now`.
    """
    if limit <= 0:
        return window
    if len(times) < limit:
        return 0.0
    return max(0.0, times[-limit] + window - now)


def forget(times: Sequence[float], now: float, window: float) -> list[float]:
    """Those that the window still holds."""
    return [at for at in times if at > now - window]
