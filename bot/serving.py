"""`carecite serve` and `carecite worker`: receivers, senders and a worker side by side until they are told to
end. A receiver and the fixed reply to somebody in danger wait for no model and no worker.

    surface (one a platform)    receiver, for bot.watching    door, for bot.sender
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Protocol

from bot.app import Say, open_assistant, open_history_database
from bot.health.probes import Probes, answering_probes
from bot.jobs import build_queue, keep_rescuing
from bot.render.looks import LOOKS
from bot.reviewing import tell_of_accounts
from bot.sender import Door, send_all
from bot.stopping import told_to_stop
from bot.watching import Receiver, keep_receiving
from bot.worker import Answering
from config import Settings
from config.errors import BAD_USAGE, CareciteError
from storage.errors import ServerUnavailable
from storage.history import History
from storage.history.chat import Chat, open_chat
from storage.history.review import open_review

_CONNECTIONS = 10  # to the history database


class NoSurface(CareciteError):
    """No chat platform is configured."""

    exit_code = BAD_USAGE
    remedy = (
        "Set CARECITE_SLACK_BOT_TOKEN with CARECITE_SLACK_APP_TOKEN, or CARECITE_TELEGRAM_TOKEN, or both; "
        "`.env.example` lists all settings."
    )


class NoWork(CareciteError):
    """A worker that answers no question at once does nothing."""

    exit_code = BAD_USAGE
    remedy = "Set CARECITE_WORKER_CONCURRENCY to 1 or more."


class Surface(Protocol):
    """One platform."""

    @property
    def name(self) -> str: ...

    @property
    def receiver(self) -> Receiver: ...

    @property
    def door(self) -> Door: ...


@dataclass(frozen=True, slots=True)
class House:
    """The history database with both views of it."""

    chat: Chat
    history: History
    url: str


async def serve(settings: Settings, say: Say) -> None:
    """All that is configured, in this process.

    Raises NoSurface, SlackFailed, TelegramFailed, NoAddress, PortTaken, ReceiverStuck, StorageError.
    """
    on_slack = settings.slack.bot_token is not None or settings.slack.client_id is not None
    if not on_slack and settings.telegram.token is None:
        raise NoSurface
    if settings.review.port is not None:
        from bot.review.serving import address_of

        say(f"The review is at {address_of(settings.review)}.")
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(open_house(settings, say))
        surfaces: list[Surface] = []
        if on_slack:
            from bot.slack import open_slack

            surfaces.append(await stack.enter_async_context(open_slack(settings, house.chat)))
        if settings.telegram.token is not None:
            from bot.telegram import open_telegram

            surfaces.append(await stack.enter_async_context(open_telegram(settings, house.chat)))
        if settings.review.port is not None:
            await tell_of_accounts(open_review(house.chat), say)
        probes = Probes(house.chat, {surface.name: surface.receiver for surface in surfaces})
        await stack.enter_async_context(answering_probes(settings.health, probes))
        say(f"carecite serves {' and '.join(surface.name for surface in surfaces)}; Ctrl-C ends it.")
        with told_to_stop() as stop:
            await _run(settings, house, surfaces, stop, say)
    say("carecite has ended.")


async def work(settings: Settings, say: Say) -> None:
    """Jobs of the queue alone. Raises NoWork, StorageError, EncoderError, PortTaken."""
    if not settings.worker.concurrency:
        raise NoWork
    async with open_house(settings, say) as house, answering_probes(settings.health, Probes(house.chat, {})):
        with told_to_stop() as stop:
            await run_worker(settings, house, stop, say)


async def _run(
    settings: Settings, house: House, surfaces: list[Surface], stop: asyncio.Event, say: Say
) -> None:
    """Until a receiver ends, as `stop` makes it: then receivers and worker end, and last the senders, which
    still send what was said."""
    silent = asyncio.Event()
    senders = [asyncio.create_task(send_all(house.chat, surface.door, silent)) for surface in surfaces]
    makers = [asyncio.create_task(keep_receiving(one.name, one.receiver, stop)) for one in surfaces]
    if settings.review.port is not None:
        from bot.review.serving import serve_review

        makers.append(asyncio.create_task(serve_review(open_review(house.chat), settings.review, stop)))
    if settings.worker.concurrency:
        makers.append(asyncio.create_task(run_worker(settings, house, stop, say)))
    try:
        await asyncio.wait([*makers, *senders], return_when=asyncio.FIRST_COMPLETED)
    finally:
        stop.set()  # where one of them failed, all end
        ends = await asyncio.gather(*makers, return_exceptions=True)
        silent.set()
        ends += await asyncio.gather(*senders, return_exceptions=True)
    for end in ends:
        if isinstance(end, BaseException):
            raise end


@asynccontextmanager
async def open_house(settings: Settings, say: Say) -> AsyncIterator[House]:
    """The history database, brought up to date. Raises StorageError."""
    async with open_history_database(settings, say, connections=_CONNECTIONS) as (engine, url):
        yield House(await open_chat(engine, settings), History(engine), url)


async def run_worker(settings: Settings, house: House, stop: asyncio.Event, say: Say) -> None:
    """Do jobs until `stop`; those that run then are finished."""
    from procrastinate.exceptions import ConnectorException

    async with open_assistant(settings, say, history=house.history) as (assistant, _):
        answering = Answering(house.chat, assistant, LOOKS)
        queue = build_queue(house.url, settings, say, answering=answering)
        try:
            async with queue.open_async():
                working = asyncio.create_task(queue.run_worker_async())
                rescuing = asyncio.create_task(keep_rescuing(queue, house.chat, settings.worker.heartbeat))
                stopping = asyncio.create_task(stop.wait())
                say("The worker waits for jobs.")
                await asyncio.wait({working, rescuing, stopping}, return_when=asyncio.FIRST_COMPLETED)
                for task in (rescuing, stopping, working):
                    task.cancel()
                with suppress(asyncio.CancelledError):
                    await working
                await asyncio.gather(rescuing, stopping, return_exceptions=True)
        except ConnectorException:
            raise ServerUnavailable from None
