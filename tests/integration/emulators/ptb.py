"""A python-telegram-bot application as the documentation shows one, against the emulator."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from telegram.ext import Application, ApplicationBuilder
from telegram.request import HTTPXRequest

from tests.emulators.telegram.server import TelegramServer


def make_application(telegram: TelegramServer, **more: Any) -> Application[Any, Any, Any, Any, Any, Any]:
    """`read` is the time-out of getUpdates in seconds."""
    read = more.pop("read", 5.0)
    builder = ApplicationBuilder().token(telegram.token)
    builder = builder.base_url(telegram.base_url).base_file_url(telegram.base_file_url)
    builder = builder.get_updates_request(HTTPXRequest(read_timeout=read, httpx_kwargs={"trust_env": False}))
    builder = builder.request(HTTPXRequest(read_timeout=5.0, httpx_kwargs={"trust_env": False}))
    return builder.build()


@asynccontextmanager
async def polling(
    application: Application[Any, Any, Any, Any, Any, Any], wait: int = 2
) -> AsyncIterator[Application[Any, Any, Any, Any, Any, Any]]:
    """Long polls of `wait` seconds, until the end."""
    async with application:
        await application.start()
        assert application.updater
        await application.updater.start_polling(timeout=wait, poll_interval=0.0)
        try:
            yield application
        finally:
            await application.updater.stop()
            await application.stop()
