"""Socket Mode: requests over a connection that we open, each acknowledged after it is kept."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp

_log = logging.getLogger(__name__)
_PATIENCE = 3  # looks, one each _PING, at a connection that does not come
_PING = 3  # seconds; a peer that answers none of four is left (chat.md 1)


class SocketMode:
    """`address` is the first connection's, which the check of the token gave; `drain` ends what is being
    taken. After `patience` seconds without a pong, the library having left such a connection long before,
    only a new beginning helps."""

    patience: float | None = 20.0 * _PING

    def __init__(
        self, app: AsyncApp, app_token: str, address: str, drain: Callable[[], Awaitable[None]]
    ) -> None:
        self._app = app
        self._app_token = app_token
        self._drain = drain
        self._address: str | None = address
        self._client: Any = None
        self._began = time.monotonic()

    @property
    def last_good(self) -> float:
        """The time (monotonic) of the last ping that Slack answered."""
        ponged = self._client.last_ping_pong_time if self._client else None
        return self._began if ponged is None else time.monotonic() - (time.time() - ponged)

    async def run(self, stop: asyncio.Event) -> None:
        """Until `stop`. A connection that ends is followed by another."""
        client: Any = AsyncSocketModeHandler(self._app, self._app_token, ping_interval=_PING).client
        client.wss_uri, self._address = self._address, None
        self._client, self._began = client, time.monotonic()
        connecting = asyncio.create_task(client.connect())
        stopping = asyncio.create_task(stop.wait())
        try:
            await self._watch(stopping)
        finally:
            for task in (connecting, stopping):
                task.cancel()
            await asyncio.gather(connecting, stopping, return_exceptions=True)
            await self._drain()
            await client.close()

    async def _watch(self, stopping: asyncio.Task[bool]) -> None:
        """An address opens one connection; the library tries the same one for ever, unless it is taken
        away."""
        silent = 0
        while not stopping.done():
            await asyncio.wait({stopping}, timeout=_PING)
            silent = 0 if await self._client.is_connected() else silent + 1
            if silent > _PATIENCE:
                _log.warning("no connection to Slack; another address is asked for")
                self._client.wss_uri, silent = None, 0
