"""Slack workspaces and Telegram bots, with their tokens sealed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import text

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

    async def offset(self, workspace: int) -> int | None:
        """Telegram: the next update to ask for; whatever is before it was taken."""
        query = text("SELECT update_offset FROM workspaces WHERE id = :id")
        async with self._ground.single() as connection:
            offset = (await connection.execute(query, {"id": workspace})).scalar()
        return None if offset is None else int(offset)
