"""The review on the history of the settings: for the web pages and for the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.app import Say, prepare_databases, quiet
from config import Settings
from storage.database import create_engine
from storage.history.chat import open_chat
from storage.history.replaying import ReplayedRun
from storage.history.review import ReviewRoom, open_review


@asynccontextmanager
async def open_review_room(settings: Settings, say: Say = quiet) -> AsyncIterator[ReviewRoom]:
    """The history brought up to date, with the keys of the chat. Raises StorageError."""
    urls = await asyncio.to_thread(prepare_databases, settings, say, ("history",))
    engine = create_engine(urls.history, pool_size=2)
    try:
        yield open_review(await open_chat(engine, settings))
    finally:
        await engine.dispose()
        urls.release()


@asynccontextmanager
async def open_history_of_run(
    settings: Settings, run_id: str, say: Say = quiet
) -> AsyncIterator[ReplayedRun]:
    """The history as one run knew it. Raises StorageError."""
    urls = await asyncio.to_thread(prepare_databases, settings, say, ("history",))
    engine = create_engine(urls.history, pool_size=1)
    try:
        yield ReplayedRun(engine, run_id)
    finally:
        await engine.dispose()
        urls.release()
