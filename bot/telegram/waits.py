"""How long Telegram asks us to wait."""

from __future__ import annotations

from telegram.error import RetryAfter


def seconds_of(error: RetryAfter) -> float:
    """python-telegram-bot 22 gives a number or a duration, as a variable of the environment says."""
    wait = error.retry_after
    return float(wait) if isinstance(wait, int | float) else wait.total_seconds()
