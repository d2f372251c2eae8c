"""Retries of what passes by itself, with the wait that the server asks for, inside one deadline."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    stop_before_delay,
    wait_random_exponential,
)

from reasoning.llm.errors import NoAnswer

T = TypeVar("T")

_TRIES = 3
_LEAST_WAIT = 0.1  # seconds, also where a server says "at once"
_backoff = wait_random_exponential(multiplier=0.5, max=8.0)


async def retry_transient(work: Callable[[], Awaitable[T]], seconds: float) -> T:
    """The work's result. Raises its last error at once where the next wait would end past `seconds`."""
    retrying = AsyncRetrying(
        retry=retry_if_exception(lambda error: isinstance(error, NoAnswer) and error.retryable),
        stop=stop_after_attempt(_TRIES) | stop_before_delay(max(seconds, 0.001)),
        wait=_wait,
        reraise=True,
    )

    async def attempt() -> T:  # tenacity awaits what it can see to be a coroutine function
        return await work()

    return await retrying(attempt)


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = getattr(error, "wait", None)
    return max(_LEAST_WAIT, _backoff(state) if asked is None else asked)
