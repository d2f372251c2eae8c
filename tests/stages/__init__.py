"""Platforms as chaos and burst see them, one class a platform."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from storage.history.chat import Platform
from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.tiers import Windows
from tests.emulators.telegram.server import TelegramServer
from tests.stages.slack import SlackStage, redelivered
from tests.stages.stage import LONG, WAITING, Asked, Stage
from tests.stages.telegram import TelegramStage

__all__ = [
    "LONG",
    "PLATFORMS",
    "STAGES",
    "WAITING",
    "Asked",
    "SlackStage",
    "Stage",
    "TelegramStage",
    "open_stages",
]


@asynccontextmanager
async def _telegram() -> AsyncIterator[Stage]:
    async with TelegramServer() as server:
        yield TelegramStage(server)


@asynccontextmanager
async def _slack() -> AsyncIterator[Stage]:
    async with SlackServer(redelivery=redelivered(), windows=Windows(tier=0.0)) as server:
        yield SlackStage(server)


STAGES: dict[Platform, Callable[[], AbstractAsyncContextManager[Stage]]] = {
    "telegram": _telegram,
    "slack": _slack,
}
PLATFORMS: tuple[Platform, ...] = tuple(STAGES)


@asynccontextmanager
async def open_stages(platforms: Sequence[Platform] = PLATFORMS) -> AsyncIterator[list[Stage]]:
    """The emulators of these platforms."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(STAGES[name]()) for name in platforms]
