"""One receiver for a bot (chat.md 3, row 4): the second is refused, and follows where the first died."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from config import Settings
from storage.database import create_engine
from storage.errors import ReceiverRunning
from storage.history.chat import Chat, Workspace, open_chat
from tests.integration.storage.documents import query
from tests.program import HANG

LOCKS = (
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()"
)


@pytest.fixture
async def other(url: str, settings: Settings) -> AsyncIterator[Chat]:
    """The same store in another process."""
    engine: AsyncEngine = create_engine(url)
    yield await open_chat(engine, settings)
    await engine.dispose()


async def test_a_second_receiver_is_refused(
    chat: Chat, other: Chat, telegram: Workspace, slack: Workspace
) -> None:
    async with chat.workspaces.lease(telegram.id):
        with pytest.raises(ReceiverRunning):
            async with other.workspaces.lease(telegram.id, patience=0):
                pass
        async with other.workspaces.lease(slack.id, patience=0):
            pass
    async with other.workspaces.lease(telegram.id, patience=0):
        pass


async def test_one_that_is_ending_is_waited_for(chat: Chat, other: Chat, telegram: Workspace) -> None:
    async def follow() -> None:
        async with other.workspaces.lease(telegram.id, patience=HANG):
            pass

    async with asyncio.timeout(HANG):
        async with chat.workspaces.lease(telegram.id):
            following = asyncio.create_task(follow())
            await asyncio.sleep(0.5)
            assert not following.done()
        await following


async def test_who_lost_the_connection_lost_the_lease(
    chat: Chat, other: Chat, telegram: Workspace, url: str
) -> None:
    """As a killed process does; its own end is no error."""
    async with chat.workspaces.lease(telegram.id):
        assert query(url, LOCKS) == [(True,)]
        async with other.workspaces.lease(telegram.id, patience=HANG):
            pass
