"""A run as it can be made again: what models and searches replied to it, however long ago."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from storage.database import connect
from storage.history.runs import History, StoredSearch

_REPLY = "SELECT reply FROM model_replies WHERE run_id = :run AND key = :key"
_SEARCH = "SELECT reply, kept_at FROM search_replies WHERE run_id = :run AND key = :key"


class ReplayedRun(History):
    """The history as one run knew it. `missed` counts what was asked of it and is not kept with the run."""

    def __init__(self, engine: AsyncEngine, run_id: str) -> None:
        super().__init__(engine)
        self._run = run_id
        self.missed = {"model": 0, "search": 0}

    async def find_reply(self, key: str) -> dict[str, Any] | None:
        row = await self._find(_REPLY, key, "model")
        return row.reply if row else None

    async def find_search(self, key: str, since: datetime) -> StoredSearch | None:
        """Of any age: it is what was found then."""
        row = await self._find(_SEARCH, key, "search")
        return StoredSearch(row.reply, row.kept_at) if row else None

    async def _find(self, statement: str, key: str, kind: str) -> Any:
        async with connect(self._reading) as connection:
            row = (await connection.execute(text(statement), {"run": self._run, "key": key})).first()
        self.missed[kind] += row is None
        return row
