"""Both sides of a surface in this process: what receives and what sends, without a worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.sender import send_all
from bot.serving import Surface
from storage.history.chat import Chat
from tests.integration.chat.conftest import NO_PACE


@asynccontextmanager
async def both_sides(chat: Chat, surface: Surface, *, paced: bool) -> AsyncIterator[None]:
    """Both run; in the end what runs is finished. Without waits where the emulator has none."""
    if not paced:
        surface.door.pace = NO_PACE
    stop = asyncio.Event()
    sides = (surface.receiver.run(stop), send_all(chat, surface.door, stop))
    tasks = [asyncio.create_task(side) for side in sides]
    try:
        yield
    finally:
        stop.set()
        await asyncio.gather(*tasks)
