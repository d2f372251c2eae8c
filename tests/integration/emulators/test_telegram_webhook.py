"""python-telegram-bot by webhook: the secret, tries until it answers, and order within a chat."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from telegram.error import BadRequest, Conflict
from telegram.ext import MessageHandler, filters

from tests.emulators.chat.service import Service
from tests.emulators.telegram.server import TelegramServer
from tests.emulators.telegram.webhook import HEADER
from tests.integration.emulators.ptb import make_application

SECRET = "secret_4711"


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(pace=0.0) as server:
        server.webhook.retry = 0.02
        yield server


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def listening(telegram: TelegramServer) -> AsyncIterator[list[str]]:
    """An application that answers by webhook, and the texts it heard."""
    application, port, heard = make_application(telegram), free_port(), list[str]()

    async def answer(update: Any, context: Any) -> None:
        heard.append(update.message.text)
        await update.message.reply_text(f"answer to {update.message.text}")

    application.add_handler(MessageHandler(filters.TEXT, answer))
    async with application:
        await application.start()
        assert application.updater
        await application.updater.start_webhook(
            "127.0.0.1", port, "hook", webhook_url=f"http://127.0.0.1:{port}/hook", secret_token=SECRET
        )
        try:
            yield heard
        finally:
            await application.updater.stop()
            await application.stop()


async def test_a_question_by_webhook(telegram: TelegramServer) -> None:
    await telegram.people.say("before the webhook")
    async with listening(telegram):
        await telegram.people.say("gout")
        assert await telegram.until(lambda: len(telegram.said(11)) == 2)
        assert await telegram.settle()
        forged = {"update_id": 1}
        assert await telegram.forge(forged) == 403
        assert await telegram.forge(forged, secret="wrong") == 403
        assert await telegram.forge(forged, secret=SECRET) == 200
    assert telegram.said(11) == ["answer to before the webhook", "answer to gout"]
    tried = telegram.webhook.statuses
    assert [status for status in tried if status] == [200, 200]  # 0: pushed before the library listened


async def test_polls_and_webhook_exclude_each_other(telegram: TelegramServer) -> None:
    async with make_application(telegram) as application:
        bot = application.bot
        await bot.set_webhook("http://127.0.0.1:9/hook")
        with pytest.raises(Conflict, match="webhook is active"):
            await bot.get_updates()
        await bot.delete_webhook(drop_pending_updates=True)
        assert await bot.get_updates() == ()
        with pytest.raises(BadRequest, match="https url"):
            await bot.set_webhook("http://example.org/hook")
        with pytest.raises(BadRequest, match="unallowed characters"):
            await bot.set_webhook("https://example.org/hook", secret_token="a b")


class Receiver(Service):
    """An address that refuses its first pushes and keeps the rest, in the order of arrival."""

    def __init__(self, refusals: int) -> None:
        super().__init__()
        self.refusals = refusals
        self.texts: list[str] = []
        self.secrets: set[str | None] = set()
        self.web.router.add_post("/hook", self._take)

    async def _take(self, request: web.Request) -> web.Response:
        self.secrets.add(request.headers.get(HEADER))
        if self.refusals:
            self.refusals -= 1
            raise web.HTTPServiceUnavailable
        message = (await request.json())["message"]
        await asyncio.sleep(0.02 if message["text"].startswith("slow") else 0)
        self.texts.append(message["text"])
        if message["text"] == "last":
            return web.json_response({"method": "sendMessage", "chat_id": 11, "text": "in the reply"})
        return web.Response()


async def test_an_update_is_pushed_until_it_is_taken(telegram: TelegramServer) -> None:
    async with Receiver(refusals=2) as receiver, make_application(telegram) as application:
        await application.bot.set_webhook(f"{receiver.address}/hook", secret_token=SECRET)
        for text in ("slow one", "two", "last"):
            await telegram.people.say(text)
        await telegram.people.say("elsewhere", user=12)
        assert await telegram.settle()
        info = await application.bot.get_webhook_info()
        assert [text for text in receiver.texts if text != "elsewhere"] == ["slow one", "two", "last"]
        assert await telegram.until(lambda: telegram.said(11) == ["in the reply"])
        await telegram.people.redeliver(1, times=2)
        assert await telegram.until(lambda: receiver.texts.count("slow one") == 3)
    assert sorted(telegram.webhook.statuses[:6]) == [200, 200, 200, 200, 503, 503]
    assert receiver.secrets == {SECRET}
    assert "503" in str(info.last_error_message)
