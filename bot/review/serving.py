"""The review over HTTP: uvicorn with one application, until it is told to end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from bot.review.app import create_app
from bot.review.errors import PortTaken
from bot.review.protecting import site_of
from config.review import Review
from storage.history.review import ReviewRoom

PORT = 8090  # of `carecite review`, where none is set
_PATIENCE = 5  # seconds for running requests to end


def address_of(settings: Review) -> str:
    """What to open in a browser. Raises NoAddress."""
    return site_of(settings, settings.port or PORT).address


async def serve_review(
    room: ReviewRoom, settings: Review, stop: asyncio.Event, ready: Callable[[], None] = lambda: None
) -> None:
    """`ready` is called once it can be reached. Raises NoAddress, PortTaken."""
    port = settings.port or PORT
    app = create_app(room, settings, port)
    with _listen(settings.host, port) as listening:
        ready()
        server = _Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,  # an address may say which answer somebody looked at
                server_header=False,
                lifespan="off",
                proxy_headers=settings.url is not None,
                forwarded_allow_ips=settings.proxies,
                timeout_graceful_shutdown=_PATIENCE,
                ws="none",
            )
        )
        serving = asyncio.create_task(server.serve([listening]))
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            server.should_exit = True
            await serving


class _Server(uvicorn.Server):
    """Without signal handlers of its own: who started it decides when it ends."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise PortTaken(f"({type(error).__name__})") from None
    listening.setblocking(False)
    return listening
