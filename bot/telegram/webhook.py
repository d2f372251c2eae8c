"""Updates pushed by Telegram: answered 200 only after they are kept, so that nothing is lost."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from telegram import Bot

from bot.telegram.reading import KINDS
from bot.telegram.receiving import Receiver
from config.settings import Telegram
from storage.errors import StorageError

if TYPE_CHECKING:
    from aiohttp import web

_log = logging.getLogger(__name__)
_HEADER = "X-Telegram-Bot-Api-Secret-Token"
_LARGEST = 2**20  # bytes of an update


class Webhook:
    """`last_good` is the time (monotonic) of the last update that came with the secret; nobody may write for
    hours, so silence says nothing."""

    patience: float | None = None

    def __init__(self, bot: Bot, receiver: Receiver, settings: Telegram) -> None:
        assert settings.webhook_url is not None
        assert settings.webhook_secret is not None
        self._bot = bot
        self._receiver = receiver
        self._url = settings.webhook_url
        self._secret = settings.webhook_secret.get_secret_value()
        self._host, self._port = settings.webhook_host, settings.webhook_port
        self.last_good = time.monotonic()

    async def run(self, stop: asyncio.Event) -> None:
        """Listen first, then tell Telegram where. A stop lets running updates end."""
        from aiohttp import web

        application = web.Application(client_max_size=_LARGEST)
        application.router.add_post(urlsplit(self._url).path or "/", self._take)
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=10.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host, self._port).start()
            await self._bot.set_webhook(self._url, secret_token=self._secret, allowed_updates=list(KINDS))
            await stop.wait()
        finally:
            await runner.cleanup()

    async def _take(self, request: web.Request) -> web.Response:
        from aiohttp import web

        given = request.headers.get(_HEADER, "")
        if not hmac.compare_digest(given.encode(), self._secret.encode()):
            return web.Response(status=403)
        self.last_good = time.monotonic()
        try:
            raw = json.loads(await request.text())
        except ValueError:
            return web.Response(status=400)
        try:
            if isinstance(raw, dict):
                await self._receiver.receive(raw)
        except StorageError as error:
            _log.warning("an update comes again (%s)", type(error).__name__)
            return web.Response(status=503)
        return web.Response()
