"""Slack workspaces and Telegram bots, with their tokens sealed."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from storage.errors import ReceiverRunning
from storage.history.chat.ground import Ground
from storage.history.chat.records import Platform, Workspace

_INSTALL = """
INSERT INTO workspaces (platform, hash, sealed_id, sealed_tokens) VALUES (:platform, :hash, :sealed, :tokens)
ON CONFLICT (platform, hash) DO UPDATE SET sealed_id = excluded.sealed_id, removed_at = NULL,
    sealed_tokens = coalesce(excluded.sealed_tokens, workspaces.sealed_tokens)
RETURNING id
"""
_FIND = "SELECT id FROM workspaces WHERE platform = :platform AND hash = :hash AND removed_at IS NULL"
_LIST = """
SELECT id, sealed_id FROM workspaces WHERE platform = :platform AND removed_at IS NULL ORDER BY id
"""
_TOKENS = "SELECT sealed_tokens FROM workspaces WHERE id = :id AND removed_at IS NULL"

_RECEIVER = 0x6361  # the class of our advisory locks, any number that others do not use
_LEASE = "SELECT pg_try_advisory_lock(:class, CAST(:workspace AS integer))"
_RELEASE = "SELECT pg_advisory_unlock(:class, CAST(:workspace AS integer))"
_LOOK = 0.2  # seconds between two tries


class Workspaces:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def install(
        self, platform: Platform, external_id: str, tokens: Mapping[str, Any] | None = None
    ) -> Workspace:
        """The workspace, new or again; without tokens it keeps those it has."""
        seals = self._ground.seals
        fields = {
            "platform": platform,
            "hash": seals.hash("workspace", platform, external_id),
            "sealed": seals.seal("workspace", external_id),
            "tokens": seals.seal("tokens", json.dumps(dict(tokens))) if tokens else None,
        }
        async with self._ground.single() as connection:
            found = (await connection.execute(text(_INSTALL), fields)).scalar_one()
        return Workspace(int(found), platform, external_id)

    async def find(self, platform: Platform, external_id: str) -> Workspace | None:
        """A workspace that is installed."""
        fields = {
            "platform": platform,
            "hash": self._ground.seals.hash("workspace", platform, external_id),
        }
        async with self._ground.single() as connection:
            found = (await connection.execute(text(_FIND), fields)).scalar()
        return None if found is None else Workspace(int(found), platform, external_id)

    async def list(self, platform: Platform) -> list[Workspace]:
        """Those installed. Raises SealBroken."""
        async with self._ground.single() as connection:
            rows = (await connection.execute(text(_LIST), {"platform": platform})).all()
        return [
            Workspace(row.id, platform, self._ground.seals.open("workspace", row.sealed_id)) for row in rows
        ]

    async def tokens(self, workspace: int) -> dict[str, Any] | None:
        """What `install` was given last; None once it was uninstalled. Raises SealBroken."""
        async with self._ground.single() as connection:
            sealed = (await connection.execute(text(_TOKENS), {"id": workspace})).scalar()
        if sealed is None:
            return None
        tokens: dict[str, Any] = json.loads(self._ground.seals.open("tokens", sealed))
        return tokens

    async def platform(self, workspace: int) -> Platform:
        """Also of one that was uninstalled."""
        query = text("SELECT platform FROM workspaces WHERE id = :id")
        async with self._ground.single() as connection:
            found: Platform = (await connection.execute(query, {"id": workspace})).scalar_one()
        return found

    @asynccontextmanager
    async def lease(self, workspace: int, patience: float = 10.0) -> AsyncIterator[None]:
        """Be the only one who receives for a workspace (chat.md 3, row 4); the lock is the server's, so it
        goes with the process. `patience`: seconds that one who is just ending is waited for.

        Raises ReceiverRunning.
        """
        fields = {"class": _RECEIVER, "workspace": workspace}
        async with self._ground.single() as connection:
            last = time.monotonic() + patience
            while not (await connection.execute(text(_LEASE), fields)).scalar_one():
                if time.monotonic() > last:
                    raise ReceiverRunning
                await asyncio.sleep(_LOOK)
            try:
                yield
            finally:
                try:
                    await connection.execute(text(_RELEASE), fields)
                except DBAPIError:  # the connection is lost, and the lock with it
                    await connection.rollback()

    async def offset(self, workspace: int) -> int | None:
        """Telegram: the next update to ask for; whatever is before it was taken."""
        query = text("SELECT update_offset FROM workspaces WHERE id = :id")
        async with self._ground.single() as connection:
            offset = (await connection.execute(query, {"id": workspace})).scalar()
        return None if offset is None else int(offset)
