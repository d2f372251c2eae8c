"""Slack's receiver and sender as a process that is killed in the end."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from tests.emulators.slack.server import SlackServer

LONG = 180.0  # seconds: a limit against hanging, no more


@contextlib.asynccontextmanager
async def process(api: SlackServer, home: Path, url: str, *seconds: str) -> AsyncIterator[None]:
    """Connected; `seconds` are those that it thinks about a question."""
    words = ("-m", "tests.integration.chat.killable_slack", str(home), url)
    before = api.sockets.opened
    child = await asyncio.create_subprocess_exec(
        sys.executable, *words, api.bot_token, api.app_token, api.base_url, *seconds
    )
    try:
        assert await api.until(lambda: api.sockets.opened > before, LONG)
        yield
    finally:
        child.send_signal(signal.SIGKILL)
        await child.wait()
