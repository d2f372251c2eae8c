"""What both chat emulators are: an aiohttp server on a port of 127.0.0.1 while an `async with` lasts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self

from aiohttp import web

_LARGEST = 64 * 2**20  # bytes of a request: files are uploaded too


class Service:
    """Routes are added by the subclass before the `async with`; its tasks end with it."""

    def __init__(self, port: int = 0) -> None:
        self.web = web.Application(client_max_size=_LARGEST)
        self.closing = asyncio.Event()
        self._wanted = port
        self._runner: web.AppRunner | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> Self:
        self._runner = web.AppRunner(
            self.web, access_log=None, shutdown_timeout=0.2, handler_cancellation=True
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._wanted).start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._hang_up()
        assert self._runner is not None
        await self._runner.cleanup()

    async def _hang_up(self) -> None:
        """What is to be ended before the server closes."""

    @property
    def address(self) -> str:
        """http://127.0.0.1:PORT"""
        assert self._runner is not None
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Let it run beside, until it ends or the server does."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def until(self, happened: Callable[[], object], seconds: float = 10.0) -> bool:
        """Whether it comes true within seconds, which is a limit against hanging."""
        end = asyncio.get_running_loop().time() + seconds
        while not happened():
            if asyncio.get_running_loop().time() > end:
                return False
            await asyncio.sleep(0.01)
        return True


def cut(request: web.BaseRequest) -> None:
    """Tear the TCP connection of a request."""
    if request.transport is not None:
        request.transport.abort()
