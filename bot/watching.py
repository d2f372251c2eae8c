"""Watchdogs: a receiver that hears nothing of its platform for too long begins anew, with new connections
(chat.md 3, row 13: deaf for hours while the process looked healthy).

ReceiverStuck  (retryable)
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Protocol

from bot.metrics import count_renewal
from config.errors import CareciteError

_log = logging.getLogger(__name__)
_LETTING_GO = 15.0  # seconds that a silent receiver has to end


class ReceiverStuck(CareciteError):
    """A receiver is silent and cannot be ended."""

    retryable = True
    remedy = "Start carecite again; a supervisor does it (README). Nothing is lost."


class Receiver(Protocol):
    """`last_good` is when the platform was heard last: a poll that was answered, a pong (`time.monotonic`).
    After `patience` seconds without, it counts as deaf; None where silence says nothing, as with a webhook.
    """

    @property
    def last_good(self) -> float: ...

    @property
    def patience(self) -> float | None: ...

    async def run(self, stop: asyncio.Event) -> None:
        """Take in until `stop`; what is being taken in then is finished. Called again after it was cancelled,
        it begins anew with new connections."""
        ...


def seconds_deaf(receiver: Receiver) -> float | None:
    """For how long it has heard nothing, where that is too long."""
    silent = time.monotonic() - receiver.last_good
    return silent if receiver.patience is not None and silent > receiver.patience else None


async def keep_receiving(name: str, receiver: Receiver, stop: asyncio.Event) -> None:
    """Run it until `stop`, anew after each silence. Raises what it raises, and ReceiverStuck."""
    while True:
        running = asyncio.create_task(receiver.run(stop))
        try:
            if await _ends_before_silence(receiver, running):
                return running.result()
            _log.warning("%s has been silent; its receiver begins anew", name)
            count_renewal(name)
        finally:
            running.cancel()
        await asyncio.wait({running}, timeout=_LETTING_GO)
        if not running.done():
            raise ReceiverStuck(f"({name})")
        if stop.is_set():
            return None


async def _ends_before_silence(receiver: Receiver, running: asyncio.Task[None]) -> bool:
    """The silence is counted from the beginning of this run."""
    began, patience = time.monotonic(), receiver.patience
    while not running.done():
        left = None if patience is None else max(receiver.last_good, began) + patience - time.monotonic()
        if left is not None and left <= 0:
            return False
        await asyncio.wait({running}, timeout=left)
    return True
