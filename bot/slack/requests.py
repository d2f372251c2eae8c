"""Signed requests that Slack makes to us, answered after they are kept. slack-bolt checks the signature, and
that none is older than five minutes."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from slack_bolt.app.async_app import AsyncApp

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from aiohttp import web

_log = logging.getLogger(__name__)
PATH = "/slack/events"  # events, interactions and commands alike


class Requests:
    """`last_good` is the time (monotonic) of the last request that was signed as it must be."""

    def __init__(self, app: AsyncApp, host: str, port: int) -> None:
        self._app = app
        self._host, self._port = host, port
        self.last_good = time.monotonic()

    async def run(self, stop: asyncio.Event) -> None:
        """A stop lets running requests end."""
        from aiohttp import web

        application = self._app.web_app(PATH)
        application.middlewares.append(self._note)
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=10.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host, self._port).start()
            _log.info("listens for Slack")
            await stop.wait()
        finally:
            await runner.cleanup()

    @property
    def _note(self) -> Callable[..., Awaitable[web.StreamResponse]]:
        from aiohttp import web

        @web.middleware
        async def note(
            request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
        ) -> web.StreamResponse:
            response = await handler(request)
            if response.status == 200:
                self.last_good = time.monotonic()
            return response

        return note
