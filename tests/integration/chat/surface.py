"""The surface of Telegram in this process: receiver and sender on the real store, without a worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.render.look import parts_of
from bot.render.telegram.look import TelegramLook
from bot.sender import send_all
from bot.telegram import open_telegram
from config import Settings
from storage.history.chat import Chat
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat.conftest import NO_PACE, run_of
from tests.integration.storage.documents import query

LONG = 30.0  # seconds: a limit against hanging, no more


@asynccontextmanager
async def running(chat: Chat, server: TelegramServer, home: Path, **telegram: Any) -> AsyncIterator[None]:
    """Receiving and sending, without waits where the emulator has none."""
    own: Any = {"token": server.token, "base_url": server.base_url} | telegram
    async with open_telegram(Settings(home=home, telegram=own), chat) as surface:
        if not server.pace:
            surface.door.pace = NO_PACE
        stop = asyncio.Event()
        tasks = [
            asyncio.create_task(work)
            for work in (surface.receiver.run(stop), send_all(chat, surface.door, stop))
        ]
        try:
            yield
        finally:
            stop.set()
            await asyncio.gather(*tasks)


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


async def settled(server: TelegramServer, url: str) -> None:
    """All updates are confirmed, and everything was sent."""
    assert await server.settle(LONG)
    unsent = "SELECT count(*) FROM outbox WHERE state IN ('pending', 'sending')"
    assert await server.until(lambda: query(url, unsent) == [(0,)], LONG)


async def answer(chat: Chat, url: str, text: str = "Socks are warm.") -> int:
    """What a worker does with the oldest open question; its id."""
    ((question,),) = query(url, "SELECT min(id) FROM inbox WHERE state = 'received'")
    claim = await chat.questions.claim(question)
    assert claim is not None
    await chat.questions.keep(claim, run_of(claim, f"run-{question}"))
    parts = parts_of("answer", TelegramLook().reply(text), "placeholder")
    await chat.questions.finish(claim, "answered", parts)
    return int(question)


def questions(url: str) -> list[str]:
    return [text for (text,) in query(url, "SELECT text FROM inbox WHERE kind = 'question' ORDER BY id")]
