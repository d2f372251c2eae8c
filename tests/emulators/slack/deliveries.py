"""Events and interactions on their way: over a socket or signed HTTP, acknowledged or sent again.

An event is sent up to three times more, each with an envelope of its own and the same event_id; an
interaction or a slash command is sent once. While Socket Mode has no connection, an event waits for one and
no attempt is counted (our choice: a test then need not hurry its restart).
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import itertools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import aiohttp

from tests.emulators.slack.sockets import Link, Sockets


@dataclass(frozen=True, slots=True)
class Redelivery:
    """Seconds to acknowledge, and seconds before each further attempt. `copies`: sent so often anyway."""

    ack_within: float = 3.0
    waits: tuple[float, ...] = (0.5, 60.0, 300.0)
    copies: int = 1


@dataclass(slots=True)
class Attempt:
    """`socket` is the number of the connection, `status` what an HTTP request gave."""

    at: float
    acked_at: float | None = None
    socket: int | None = None
    status: int | None = None


@dataclass(slots=True)
class Delivery:
    """`outcome` is open, acked or given_up; `reply` what the acknowledgement carried."""

    kind: str
    payload: dict[str, Any]
    attempts: list[Attempt] = field(default_factory=list)
    outcome: str = "open"
    reply: Any = None

    @property
    def acked_after(self) -> float | None:
        """Seconds from the first attempt to the first acknowledgement."""
        acked = [attempt.acked_at for attempt in self.attempts if attempt.acked_at is not None]
        return min(acked) - self.attempts[0].at if acked else None


@dataclass(slots=True)
class Deliveries:
    sockets: Sockets
    spawn: Callable[..., asyncio.Task[Any]]
    redelivery: Redelivery
    signing_secret: str
    url: str | None = None  # signed HTTP instead of Socket Mode
    all: list[Delivery] = field(default_factory=list)
    no_retry: bool = False
    _http: aiohttp.ClientSession | None = None
    _numbers: Any = field(default_factory=lambda: itertools.count(1))

    def start(self, kind: str, payload: dict[str, Any]) -> tuple[Delivery, asyncio.Task[Any]]:
        delivery = Delivery(kind, payload)
        self.all.append(delivery)
        return delivery, self.spawn(self.run(delivery))

    async def run(self, delivery: Delivery) -> Delivery:
        """Send it until it is acknowledged, or no attempt is left."""
        waits = self.redelivery.waits if delivery.kind == "events_api" else ()
        copies = self.redelivery.copies if delivery.kind == "events_api" else 1
        reason = ""
        for number in range(max(1 + len(waits), copies)):
            if number and waits and delivery.outcome == "open":
                await asyncio.sleep(waits[min(number, len(waits)) - 1])
            failed = await self._attempt(delivery, number, reason)
            if failed is None:
                delivery.outcome = "acked"
            reason = failed or "http_timeout"
            done = delivery.outcome == "acked" and number + 1 >= copies
            if done or failed == "no_retry" or number + 1 >= max(1 + len(waits), copies):
                break
        if delivery.outcome == "open":
            delivery.outcome = "given_up"
        return delivery

    async def repeat(self, delivery: Delivery, number: int) -> None:
        """Once more, though it was acknowledged."""
        if await self._attempt(delivery, number, "http_timeout") is None:
            delivery.outcome = "acked"

    async def _attempt(self, delivery: Delivery, number: int, reason: str) -> str | None:
        """None where it was acknowledged, else why not."""
        if self.url:
            return await self._post(delivery, number, reason)
        while (link := self.sockets.pick()) is None:
            await self.sockets.next_link()
        return await self._push(link, delivery, number, reason)

    async def _push(self, link: Link, delivery: Delivery, number: int, reason: str) -> str | None:
        attempt = Attempt(time.monotonic(), socket=link.number)
        delivery.attempts.append(attempt)
        envelope = {
            "envelope_id": f"envelope-{next(self._numbers)}",
            "type": delivery.kind,
            "payload": delivery.payload,
            "accepts_response_payload": delivery.kind != "events_api",
        }
        if delivery.kind == "events_api":
            envelope |= {"retry_attempt": number, "retry_reason": reason}
        ack = await self.sockets.send(link, envelope, self.redelivery.ack_within)
        if ack is None:
            return "timeout"
        attempt.acked_at, delivery.reply = ack.at, ack.payload
        return None

    async def _post(self, delivery: Delivery, number: int, reason: str) -> str | None:
        attempt = Attempt(time.monotonic())
        delivery.attempts.append(attempt)
        headers = {"X-Slack-Retry-Num": str(number), "X-Slack-Retry-Reason": reason} if number else {}
        try:
            status, body, no_retry = await self.post(delivery.kind, delivery.payload, headers)
        except (TimeoutError, aiohttp.ClientError):
            return "http_timeout"
        attempt.status = status
        if status != 200:
            return "no_retry" if no_retry else "http_error"
        attempt.acked_at = time.monotonic()
        try:
            delivery.reply = json.loads(body) if body else None
        except ValueError:
            delivery.reply = {"text": body}
        return None

    async def post(
        self, kind: str, payload: dict[str, Any], headers: dict[str, str], *, age: int = 0, secret: str = ""
    ) -> tuple[int, str, bool]:
        """One signed request: its status, body and whether it said not to try again."""
        assert self.url is not None
        if kind == "events_api":
            body, form = json.dumps(payload), "application/json"
        else:
            fields = payload if kind == "slash_commands" else {"payload": json.dumps(payload)}
            body, form = urlencode(fields), "application/x-www-form-urlencoded"
        stamp = str(int(time.time()) - age)
        key = (secret or self.signing_secret).encode()
        digest = hmac.new(key, f"v0:{stamp}:{body}".encode(), hashlib.sha256).hexdigest()
        signed = {
            "X-Slack-Request-Timestamp": stamp,
            "X-Slack-Signature": f"v0={digest}",
            "Content-Type": form,
        }
        if self._http is None:
            self._http = aiohttp.ClientSession()
        timeout = aiohttp.ClientTimeout(total=self.redelivery.ack_within)
        request = self._http.post(self.url, data=body.encode(), headers=signed | headers, timeout=timeout)
        async with request as response:
            no_retry = response.headers.get("X-Slack-No-Retry") == "1"
            return response.status, await response.text(), no_retry

    @property
    def open(self) -> list[Delivery]:
        return [one for one in self.all if one.outcome == "open"]

    async def hang_up(self) -> None:
        if self._http is not None:
            await self._http.close()
