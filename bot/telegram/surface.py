"""Telegram as one of the surfaces of `carecite serve`."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from telegram import Bot, BotCommand, User
from telegram.error import InvalidToken, TelegramError
from telegram.request import HTTPXRequest
from telegram.warnings import PTBDeprecationWarning, PTBUserWarning

from bot.intake import Intake
from bot.intake.access import read_access
from bot.intake.wording import COMMANDS
from bot.render.telegram.look import TelegramLook
from bot.telegram.door import TelegramDoor
from bot.telegram.errors import TelegramUnreachable, TokenRefused
from bot.telegram.polling import Poller
from bot.telegram.reading import Reader
from bot.telegram.receiving import Receiver
from bot.telegram.signs import Signs
from bot.telegram.webhook import Webhook
from config import Settings
from reasoning.notices import LANGUAGES, notice
from storage.history.chat import Chat

_log = logging.getLogger(__name__)
_CONNECTIONS = 16  # a poll that hangs takes one, and must not take the last one (chat.md 1)


@dataclass(frozen=True, slots=True)
class TelegramSurface:
    """`receiver` runs until it is told to stop, `door` sends."""

    receiver: Poller | Webhook
    door: TelegramDoor

    @property
    def name(self) -> str:
        return "telegram"


@asynccontextmanager
async def open_telegram(settings: Settings, chat: Chat) -> AsyncIterator[TelegramSurface]:
    """The token is checked first. Raises TokenRefused, TelegramUnreachable, StorageError; ReceiverRunning
    where another process polls, since each would end the other's polls."""
    assert settings.telegram.token is not None
    # A change of a type in a later version, of which every RetryAfter warns; `waits` takes both.
    warnings.filterwarnings("ignore", category=PTBDeprecationWarning, message=".*retry_after.*")
    warnings.filterwarnings("ignore", category=PTBUserWarning, message=".*Bot.getUpdates.*")
    polls = _connections()
    bot = _make_bot(settings, polls)
    try:
        me = await _check_token(bot)
        workspace = (await chat.workspaces.install("telegram", str(me.id))).id
        access = read_access(settings.telegram.allow, str(me.id))
        intake = Intake("telegram", chat, TelegramLook(), settings, asks_consent=True, access=access)
        signs = Signs(bot)
        door = TelegramDoor(bot, workspace, signs)
        receiver = Receiver(bot, chat, intake, Reader(bot, me, workspace), door)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(receiver.close)
            await _announce(bot)
            if settings.telegram.webhook_url:
                incoming: Poller | Webhook = Webhook(bot, receiver, settings.telegram)
            else:
                await stack.enter_async_context(chat.workspaces.lease(workspace))
                await bot.delete_webhook(drop_pending_updates=False)
                incoming = Poller(bot, polls, chat, receiver, workspace)
            await stack.enter_async_context(signs.showing(chat, workspace))
            yield TelegramSurface(incoming, door)
    except TelegramError as error:
        raise TelegramUnreachable(f"({type(error).__name__})") from None
    finally:
        await bot.shutdown()


def _connections() -> HTTPXRequest:
    return HTTPXRequest(connection_pool_size=_CONNECTIONS, pool_timeout=10.0, read_timeout=15.0)


def _make_bot(settings: Settings, polls: HTTPXRequest) -> Bot:
    assert settings.telegram.token is not None
    return Bot(
        settings.telegram.token.get_secret_value(),
        base_url=settings.telegram.base_url,
        request=_connections(),
        get_updates_request=polls,
    )


async def _check_token(bot: Bot) -> User:
    try:
        await bot.initialize()
        return await bot.get_me()
    except InvalidToken:
        raise TokenRefused from None
    except TelegramError as error:
        raise TelegramUnreachable(f"({type(error).__name__})") from None


async def _announce(bot: Bot) -> None:
    """Commands with their meaning, in each language; English for all others."""
    calls: list[Any] = []
    for language in LANGUAGES:
        commands = [BotCommand(name, notice(f"command_{name}", language)) for name in COMMANDS["telegram"]]
        calls.append(bot.set_my_commands(commands, language_code=language))
        if language == LANGUAGES[0]:
            calls.append(bot.set_my_commands(commands))
    try:
        await asyncio.gather(*calls)
    except TelegramError as error:  # they stand from the last start; too many restarts are throttled
        _log.warning("the commands could not be announced (%s)", type(error).__name__)
