"""The surface of Slack in this process: receiver and sender on the real store, without a worker."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.slack import SlackSurface, open_slack
from config import Settings
from storage.history.chat import Chat
from tests.emulators.slack.deliveries import Redelivery
from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.state import Message
from tests.emulators.slack.tiers import Windows
from tests.integration.chat.answerer import LONG
from tests.integration.chat.sides import both_sides


@asynccontextmanager
async def running(chat: Chat, server: SlackServer, home: Path, **slack: Any) -> AsyncIterator[SlackSurface]:
    """Receiving and sending, by Socket Mode unless `slack` says otherwise, without waits where the emulator
    has none."""
    own: Any = {"bot_token": server.bot_token, "app_token": server.app_token, "base_url": server.base_url}
    async with (
        open_slack(Settings(home=home, slack=own | slack), chat) as surface,
        both_sides(chat, surface, paced=bool(server.windows.post)),
    ):
        yield surface


@asynccontextmanager
async def unpaced() -> AsyncIterator[SlackServer]:
    """An emulator without limits of pace, which delivers again soon after it waited long."""
    redelivery = Redelivery(ack_within=5.0, waits=(0.05, 0.05, 0.05))
    async with SlackServer(windows=Windows(post=0.0, tier=0.0), redelivery=redelivery) as server:
        yield server


def posts(server: SlackServer, words: str = "", channel: str = "C1") -> list[Message]:
    """Messages of the bot that read so now, those that only one person sees among them."""
    workspace = server.workspace
    place = workspace.channels.get(channel)
    mine = [m for m in place.messages if m.bot_id == workspace.bot_id and not m.deleted] if place else []
    return [message for message in mine if words in message.text]


async def said(server: SlackServer, words: str, channel: str = "C1") -> Message:
    """The last of them, once there is one."""
    assert await server.until(lambda: posts(server, words, channel), LONG), server.workspace.channels
    return posts(server, words, channel)[-1]
