"""Updates pushed to an address: with the secret in a header, again until it answers 2xx.

Updates of one chat go one after another, those of several at once, up to max_connections.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from tests.emulators.telegram.limits import check_secret
from tests.emulators.telegram.refusals import Refusal, Refused
from tests.emulators.telegram.updates import Update, Updates

HEADER = "X-Telegram-Bot-Api-Secret-Token"


@dataclass(slots=True)
class Webhook:
    """`statuses` of all pushes in order, 0 where there was none. `retry` seconds pass between two tries."""

    updates: Updates
    spawn: Callable[..., asyncio.Task[Any]]
    perform: Callable[[str, dict[str, Any]], Awaitable[Any]]
    retry: float = 1.0
    patience: float = 10.0
    url: str = ""
    secret: str | None = None
    most: int = 40
    last_error: str | None = None
    statuses: list[int] = field(default_factory=list)
    _lanes: defaultdict[int, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    _slots: asyncio.Semaphore | None = None
    _http: aiohttp.ClientSession | None = None

    def set(self, url: str, secret: str | None, most: int) -> None:
        """Raises Refused where the address is not https, or http on this machine."""
        parts = urlsplit(url)
        if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "localhost"):
            raise Refused("Bad Request: bad webhook: An HTTPS URL must be provided for webhook")
        refusal: Refusal | None = check_secret(secret)
        if refusal is not None:
            raise Refused(refusal)
        self.url, self.secret, self.most = url, secret or None, most
        self._slots = asyncio.Semaphore(most)
        self.updates.on_new = self._start
        for update in self.updates.pending:
            self._start(update)

    def delete(self) -> None:
        self.url, self.secret, self.updates.on_new = "", None, None

    def info(self) -> dict[str, Any]:
        told = {"url": self.url, "has_custom_certificate": False}
        told["pending_update_count"] = len(self.updates.pending)
        error = {"last_error_date": int(time.time()), "last_error_message": self.last_error}
        return told | {"max_connections": self.most} | (error if self.last_error else {})

    def _start(self, update: Update) -> None:
        self.spawn(self._deliver(update, self.url))

    async def _deliver(self, update: Update, url: str) -> None:
        assert self._slots is not None
        async with self._lanes[update.lane]:
            copies = 0
            while self.url == url and copies < max(1, update.copies):
                async with self._slots:
                    taken = await self._post(update.payload)
                update.handed_out += 1
                if taken:
                    copies += 1
                else:
                    await asyncio.sleep(self.retry)
            if copies:
                update.confirmed_at = time.monotonic()

    async def _post(self, payload: dict[str, Any]) -> bool:
        try:
            status, body = await self.send(payload, self.secret)
        except (TimeoutError, aiohttp.ClientError) as error:
            self.statuses.append(0)
            self.last_error = type(error).__name__
            return False
        self.statuses.append(status)
        if not 200 <= status < 300:
            self.last_error = f"Wrong response from the webhook: {status}"
            return False
        if isinstance(body, dict) and "method" in body:
            await self.perform(str(body["method"]), body)
        return True

    async def send(self, payload: dict[str, Any], secret: str | None) -> tuple[int, Any]:
        """One push: its status, and its body where that is JSON."""
        if self._http is None:
            self._http = aiohttp.ClientSession()
        headers = {HEADER: secret} if secret else {}
        timeout = aiohttp.ClientTimeout(total=self.patience)
        async with self._http.post(self.url, json=payload, headers=headers, timeout=timeout) as response:
            text = await response.text()
        try:
            return response.status, json.loads(text)
        except ValueError:
            return response.status, text

    async def hang_up(self) -> None:
        if self._http is not None:
            await self._http.close()
