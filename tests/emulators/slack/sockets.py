"""Socket Mode: tickets that open one connection each, envelopes in turn over all of them, and their ends."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.emulators.chat.service import cut

MOST = 10


@dataclass(slots=True)
class Link:
    """One connection. A mute one answers no ping; on a frozen one envelopes get lost and nothing is heard."""

    number: int
    opened_at: float
    sent: int = 0
    mute: bool = False
    frozen: bool = False
    leaving: bool = False
    _socket: Any = None
    _request: Any = None


@dataclass(slots=True)
class Ack:
    at: float
    payload: Any


@dataclass(slots=True)
class Sockets:
    """Live connections, how many there ever were, tickets not yet used, and tickets refused."""

    links: list[Link] = field(default_factory=list)
    opened: int = 0
    tickets: set[str] = field(default_factory=set)
    refused: int = 0
    mute: bool = False  # new connections are mute, too
    frozen: bool = False
    late: list[str] = field(default_factory=list)  # envelopes acknowledged when nobody waited any more
    _waiting: dict[str, asyncio.Future[Ack]] = field(default_factory=dict)
    _numbers: Any = field(default_factory=lambda: itertools.count(1))
    _turn: int = 0
    _came: asyncio.Event = field(default_factory=asyncio.Event)

    def ticket(self) -> str:
        """For one connection."""
        ticket = f"ticket-{next(self._numbers)}"
        self.tickets.add(ticket)
        return ticket

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """GET /link?ticket=…"""
        ticket = request.query.get("ticket", "")
        if ticket not in self.tickets:
            self.refused += 1
            return web.Response(status=408, text="ticket unknown or used")
        self.tickets.discard(ticket)
        socket = web.WebSocketResponse(autoping=False, timeout=0.2)
        await socket.prepare(request)
        self.opened += 1
        link = Link(self.opened, time.monotonic(), mute=self.mute, frozen=self.frozen)
        link._socket, link._request = socket, request
        self.links.append(link)
        self._came.set()
        self._came = asyncio.Event()
        hello = {
            "type": "hello",
            "num_connections": len(self.links),
            "debug_info": {"host": "applink", "build_number": 1, "approximate_connection_time": 18060},
            "connection_info": {"app_id": "A1"},
        }
        try:
            await socket.send_json(hello)
            if len(self.links) > MOST:
                await self._ask_to_leave(link, "too_many_websockets")
            async for message in socket:
                if message.type == WSMsgType.PING and not (link.mute or link.frozen):
                    await socket.pong(message.data)
                elif message.type == WSMsgType.TEXT and not link.frozen:
                    self._heard(json.loads(message.data))
        except (ConnectionError, RuntimeError):
            pass  # torn, by us or by the client
        finally:
            self.links.remove(link)
        return socket

    def _heard(self, said: dict[str, Any]) -> None:
        waiting = self._waiting.pop(str(said.get("envelope_id")), None)
        if waiting is None or waiting.done():
            self.late.append(str(said.get("envelope_id")))
        else:
            waiting.set_result(Ack(time.monotonic(), said.get("payload")))

    async def next_link(self) -> None:
        """Wait for the next connection."""
        await self._came.wait()

    def pick(self) -> Link | None:
        """The next in turn."""
        able = [link for link in self.links if not (link.leaving or link._socket.closed)]
        if not able:
            return None
        self._turn += 1
        return able[self._turn % len(able)]

    async def send(self, link: Link, envelope: dict[str, Any], seconds: float) -> Ack | None:
        """The acknowledgement, or None where none came in time."""
        waiting: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()
        self._waiting[envelope["envelope_id"]] = waiting
        link.sent += 1
        try:
            if not link.frozen:
                await link._socket.send_json(envelope)
            return await asyncio.wait_for(waiting, seconds)
        except (TimeoutError, ConnectionError, RuntimeError):
            return None
        finally:
            self._waiting.pop(envelope["envelope_id"], None)

    async def _ask_to_leave(self, link: Link, reason: str) -> None:
        link.leaving = True
        await link._socket.send_json(
            {"type": "disconnect", "reason": reason, "debug_info": {"host": "applink"}}
        )

    async def disconnect(self, reason: str = "refresh_requested") -> int:
        """Ask all connections to leave, as Slack does every few hours; how many there were."""
        links = [link for link in self.links if not link.leaving]
        for link in links:
            await self._ask_to_leave(link, reason)
        return len(links)

    async def cut_sockets(self) -> int:
        """Tear all TCP connections."""
        links = list(self.links)
        for link in links:
            cut(link._request)
        return len(links)

    async def mute_sockets(self, on: bool = True) -> None:
        """No ping is answered on the connections there are; envelopes still go out."""
        for link in self.links:
            link.mute = on

    async def freeze_sockets(self, on: bool = True, new: bool = False) -> None:
        """Half open: envelopes get lost, nothing is heard. With `new`, later connections are frozen too."""
        self.frozen = on and new
        for link in self.links:
            link.frozen = on

    async def hang_up(self) -> None:
        for link in list(self.links):
            cut(link._request)
