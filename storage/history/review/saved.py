"""Filters that somebody saved under a name. Words to search for are never kept: they may be a patient's."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import text

from storage.history.chat.ground import Ground
from storage.history.review.access import Actor
from storage.history.review.audit import Event, write
from storage.history.review.listing import Filters
from storage.text import clean_text

_TIMES = ("since", "until")
_SAVE = """
INSERT INTO saved_filters (account_id, name, filters) VALUES (:account, :name, CAST(:filters AS jsonb))
ON CONFLICT (account_id, name) DO UPDATE SET filters = excluded.filters RETURNING id
"""
_LIST = "SELECT id, name, filters FROM saved_filters WHERE account_id = :account ORDER BY name"
_DROP = "DELETE FROM saved_filters WHERE account_id = :account AND id = :id RETURNING id"


class Saved(NamedTuple):
    id: int
    name: str
    filters: Filters


class SavedFilters:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def save(self, actor: Actor, name: str, filters: Filters) -> int:
        """Under a name that the account has already, they replace those."""
        given = filters.given()
        given.pop("words", None)
        plain = {key: value.isoformat() if key in _TIMES else value for key, value in given.items()}
        named = " ".join(clean_text(name).split())[:80] or "filters"
        fields = {"account": actor.account, "name": named, "filters": json.dumps(plain)}
        async with self._ground.begin() as connection:
            found = int((await connection.execute(text(_SAVE), fields)).scalar_one())
            await write(connection, actor, Event("save", "filters", str(found)))
        return found

    async def list(self, actor: Actor) -> list[Saved]:
        """The account's own, by name."""
        async with self._ground.single() as connection:
            rows = (await connection.execute(text(_LIST), {"account": actor.account})).all()
        return [Saved(row.id, row.name, _filters(row.filters)) for row in rows]

    async def drop(self, actor: Actor, saved: int) -> None:
        """Nothing where the account has none by that id."""
        async with self._ground.begin() as connection:
            fields = {"account": actor.account, "id": saved}
            if (await connection.execute(text(_DROP), fields)).first():
                await write(connection, actor, Event("drop", "filters", str(saved)))


def _filters(kept: dict[str, Any]) -> Filters:
    times = {name: datetime.fromisoformat(kept[name]) for name in _TIMES if name in kept}
    return Filters(**kept | times)
