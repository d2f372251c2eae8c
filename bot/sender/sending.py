"""The loop of a sender. Parts of several chats go out side by side, those of one in order."""

from __future__ import annotations

import asyncio
import logging
import time

from bot.metrics import count_given_up, count_postponed, count_sent
from bot.sender.door import Door, Later, Refused, wait_after
from bot.stopping import pause_unless
from storage.errors import StorageError
from storage.history.chat import Chat, Delivery, Post

_log = logging.getLogger(__name__)
WIDTH = 8  # chats at once, our choice
_LOOK = 0.25  # seconds between two looks into an outbox in which nothing is due
_AFTER_TROUBLE = 2.0  # seconds


async def send_all(chat: Chat, door: Door, stop: asyncio.Event) -> None:
    """Send until `stop`; then what is due already goes out, and what runs is finished."""
    running: set[asyncio.Task[None]] = set()
    try:
        while True:
            try:
                delivery = await chat.outbox.fetch_next(door.platform, door.pace, workspace=door.workspace)
                wait = _LOOK if delivery else await _until_due(chat, door)
            except StorageError as error:
                _log.warning("the outbox cannot be read (%s)", type(error).__name__)
                delivery, wait = None, _AFTER_TROUBLE
            if delivery is None:
                if stop.is_set():
                    return
                await pause_unless(stop, wait)
                continue
            running.add(task := asyncio.create_task(_deliver(chat, door, delivery)))
            task.add_done_callback(running.discard)
            if len(running) >= WIDTH:
                await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await asyncio.gather(*running, return_exceptions=True)


async def _until_due(chat: Chat, door: Door) -> float:
    seconds = await chat.outbox.seconds_until_due(door.platform, workspace=door.workspace)
    return _LOOK if seconds is None else min(max(seconds, 0.01), _LOOK)


async def _deliver(chat: Chat, door: Door, delivery: Delivery) -> None:
    """Whatever goes wrong, the part goes back or to its end; without either it comes back with its lease."""
    fetched = time.monotonic()
    try:
        try:
            if delivery.lapses and delivery.message is None:
                raise Refused("message_gone")
            message = await door.send(delivery)
        except Later as later:
            _log.info("part %d waits %.0f s (%s)", delivery.id, later.seconds, later.code)
            count_postponed(door.platform, later.code)
            await chat.outbox.postpone(delivery, later.seconds, later.code, everywhere=later.everywhere)
        except Refused as refused:
            _log.info("part %d is given up (%s)", delivery.id, refused.code)
            count_given_up(door.platform, refused.code)
            await chat.outbox.give_up(delivery, refused.code)
        except Exception as error:
            _log.warning("part %d failed (%s)", delivery.id, type(error).__name__)
            count_postponed(door.platform, type(error).__name__)
            await chat.outbox.postpone(delivery, wait_after(delivery.attempt), type(error).__name__)
        else:
            count_sent(door.platform, delivery, time.monotonic() - fetched)
            if not await chat.outbox.note_sent(delivery, message) and message is not None:
                await door.take_back(Post(delivery.place, message))
    except StorageError as error:
        _log.warning("part %d is not accounted for (%s)", delivery.id, type(error).__name__)
