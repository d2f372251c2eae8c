"""Signed requests that Slack makes to us, answered after they are kept. slack-bolt checks the signature, and
that none is older than five minutes."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow

if TYPE_CHECKING:
    from aiohttp import web

_log = logging.getLogger(__name__)
PATH = "/slack/events"  # events, interactions and commands alike


class Requests:
    """`last_good` is the time (monotonic) of the last request that was signed as it must be; nobody may write
    for hours, so silence says nothing. With a `flow`, its pages are there as well."""

    patience: float | None = None

    def __init__(self, app: AsyncApp, flow: AsyncOAuthFlow | None, host: str, port: int) -> None:
        self._app = app
        self._flow = flow
        self._host, self._port = host, port
        self.last_good = time.monotonic()

    async def run(self, stop: asyncio.Event) -> None:
        """A stop lets running requests end."""
        from aiohttp import web

        application = web.Application()
        application.router.add_post(PATH, self._take)
        if self._flow is not None:
            application.router.add_get(self._flow.install_path, self._begin)
            application.router.add_get(self._flow.redirect_uri_path, self._end)
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=10.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host, self._port).start()
            _log.info("listens for Slack")
            await stop.wait()
        finally:
            await runner.cleanup()

    async def _take(self, request: web.Request) -> web.Response:
        response = await self._app.async_dispatch(await to_bolt_request(request))
        if response.status == 200:
            self.last_good = time.monotonic()
        return await to_aiohttp_response(response)

    async def _begin(self, request: web.Request) -> web.Response:
        assert self._flow is not None
        return await to_aiohttp_response(await self._flow.handle_installation(await to_bolt_request(request)))

    async def _end(self, request: web.Request) -> web.Response:
        assert self._flow is not None
        return await to_aiohttp_response(await self._flow.handle_callback(await to_bolt_request(request)))
