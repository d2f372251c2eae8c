"""What a supervisor and Prometheus ask of a running carecite, over HTTP on a port of its own.

/healthz   200 while the event loop runs
/readyz    200 where it can serve, else 503; in JSON, each check is `ok` or a code
/metrics   Prometheus' text format

Off unless CARECITE_HEALTH_PORT names a port: two processes on one host cannot share one, and most people who
try carecite have nobody who asks. It listens on loopback, unless a container's setting says otherwise: counts
name nobody, but they are nobody else's business either.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.metrics import exposition
from bot.watching import Receiver, seconds_deaf
from config.errors import BAD_USAGE, CareciteError
from config.settings import Health
from storage.errors import StorageError
from storage.history.chat import Chat, Reading

if TYPE_CHECKING:
    from aiohttp import web

_PATIENCE = 5.0  # seconds for the database to answer
_STUCK = 120.0  # seconds that a message may wait: 3,000 chats at 25 messages a second


class PortTaken(CareciteError):
    """The port for health checks cannot be used."""

    exit_code = BAD_USAGE
    remedy = "Set another CARECITE_HEALTH_PORT, or check CARECITE_HEALTH_HOST."


@dataclass(frozen=True, slots=True)
class Probes:
    """`receivers` by platform; a worker alone has none, and then the outbox is not its business."""

    chat: Chat
    receivers: Mapping[str, Receiver]

    async def healthz(self, request: web.Request) -> web.Response:
        from aiohttp import web

        return web.json_response({"alive": True})

    async def readyz(self, request: web.Request) -> web.Response:
        from aiohttp import web

        checks = await self.check()
        ready = all(found == "ok" for found in checks.values())
        return web.json_response({"ready": ready} | checks, status=200 if ready else 503)

    async def metrics(self, request: web.Request) -> web.Response:
        from aiohttp import web

        reading = await self._read()
        if isinstance(reading, str):
            return web.Response(status=503, text=reading)
        return web.Response(body=exposition(reading), headers={"Content-Type": "text/plain; version=0.0.4"})

    async def check(self) -> dict[str, str]:
        """By name: `ok`, `deaf`, `stuck`, or the type of the error."""
        reading = await self._read()
        checks = {"database": reading if isinstance(reading, str) else "ok"}
        for name, receiver in self.receivers.items():
            checks[name] = "ok" if seconds_deaf(receiver) is None else "deaf"
        if self.receivers and not isinstance(reading, str):
            stuck = any(one.n > _STUCK for one in reading.overdue if one.platform in self.receivers)
            checks["outbox"] = "stuck" if stuck else "ok"
        return checks

    async def _read(self) -> Reading | str:
        try:
            async with asyncio.timeout(_PATIENCE):
                return await self.chat.readings.read()
        except (StorageError, TimeoutError) as error:
            return type(error).__name__


@asynccontextmanager
async def answering_probes(settings: Health, probes: Probes) -> AsyncIterator[None]:
    """While the block lasts, where a port is set. Raises PortTaken."""
    if settings.port is None:
        yield
        return
    from aiohttp import web

    application = web.Application()
    for path, handler in (
        ("/healthz", probes.healthz),
        ("/readyz", probes.readyz),
        ("/metrics", probes.metrics),
    ):
        application.router.add_get(path, handler)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, settings.host, settings.port).start()
        except OSError as error:
            raise PortTaken(f"({type(error).__name__})") from None
        yield
    finally:
        await runner.cleanup()
