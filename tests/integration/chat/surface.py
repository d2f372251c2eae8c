"""The surface of Telegram in this process: receiver and sender on the real store, without a worker."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.telegram import open_telegram
from config import Settings
from storage.history.chat import Chat
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat.answerer import LONG
from tests.integration.chat.sides import both_sides


@asynccontextmanager
async def running(chat: Chat, server: TelegramServer, home: Path, **telegram: Any) -> AsyncIterator[None]:
    """Receiving and sending, without waits where the emulator has none."""
    own: Any = {"token": server.token, "base_url": server.base_url} | telegram
    async with (
        open_telegram(Settings(home=home, telegram=own), chat) as surface,
        both_sides(chat, surface, paced=bool(server.pace)),
    ):
        yield


async def said(server: TelegramServer, words: str, chat: int = 11) -> int:
    """The last message of the bot with these words, once there is one."""

    def found() -> list[int]:
        place = server.state.chats.get(chat)
        mine = [m for m in place.messages if m.sender is server.state.bot] if place else []
        return [m.id for m in mine if words in m.text and not m.deleted]

    assert await server.until(found, LONG), server.transcript(chat)
    return found()[-1]


async def agree(server: TelegramServer, user: int = 11) -> None:
    await server.people.say("/start", user=user)
    await server.people.click(await said(server, "Do you agree?", user), "consent:yes", user=user)
    await said(server, "Please write your question now", user)
