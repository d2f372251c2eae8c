"""Both emulators in a process of their own, and their control planes as clients."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

_ROOT = Path(__file__).resolve().parents[3]


class Control:
    """Verbs by name: `await slack.do("say", channel="C1", text="gout", mention=True)`."""

    def __init__(self, address: str) -> None:
        self._http = httpx.AsyncClient(base_url=address, timeout=60.0, trust_env=False)

    async def do(self, verb: str, **arguments: Any) -> Any:
        """What the verb returns; raises ValueError with the reason where it is wrong."""
        reply = await self._http.post(f"/control/{verb}", json=arguments)
        if reply.status_code != 200:
            raise ValueError(reply.text)
        return reply.json()

    async def state(self) -> dict[str, Any]:
        """All that the emulator holds."""
        found: dict[str, Any] = (await self._http.get("/control/state")).raise_for_status().json()
        return found

    async def transcript(self, channel: str | int) -> str:
        reply = await self._http.get("/control/transcript", params={"channel": str(channel)})
        return reply.raise_for_status().text

    async def aclose(self) -> None:
        await self._http.aclose()


@dataclass(frozen=True, slots=True)
class Platforms:
    """Addresses and tokens as printed, and the control planes."""

    addresses: dict[str, dict[str, str]]
    slack: Control
    telegram: Control


@asynccontextmanager
async def run_platforms(*options: str) -> AsyncIterator[Platforms]:
    """The program with these options, until the end of the `async with`."""
    words = [sys.executable, "-m", "tests.emulators.chat", "--with-stdin", *options]
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*words, cwd=_ROOT, stdin=pipe, stdout=pipe)
    assert child.stdout is not None
    assert child.stdin is not None
    try:
        addresses = json.loads(await asyncio.wait_for(child.stdout.readline(), 60))
        slack, telegram = (Control(addresses[name]["address"]) for name in ("slack", "telegram"))
        try:
            yield Platforms(addresses, slack, telegram)
        finally:
            await slack.aclose()
            await telegram.aclose()
    finally:
        child.stdin.close()
        await asyncio.wait_for(child.wait(), 60)
