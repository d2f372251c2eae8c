"""How loops that run until they are told to end learn of it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress


async def pause_unless(stop: asyncio.Event, seconds: float) -> None:
    """Wait so long, or until `stop`."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


@contextmanager
def told_to_stop() -> Iterator[asyncio.Event]:
    """Set by SIGTERM and SIGINT; a second signal ends the process at once."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    signals = (signal.SIGTERM, signal.SIGINT)

    def end() -> None:
        stop.set()
        for one in signals:
            loop.remove_signal_handler(one)

    for one in signals:
        loop.add_signal_handler(one, end)
    try:
        yield stop
    finally:
        for one in signals:
            loop.remove_signal_handler(one)
