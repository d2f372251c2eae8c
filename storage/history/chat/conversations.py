"""Conversations: what is said in one place, until `/new` or a long silence."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.history.cases import CORRECTED
from storage.history.chat.ground import Ground
from storage.history.chat.records import CORRECTION, Place, Turn

_LANE = """
INSERT INTO lanes (workspace_id, platform, hash, shared)
SELECT id, platform, :hash, :shared FROM workspaces WHERE id = :workspace
ON CONFLICT (workspace_id, hash) DO UPDATE SET shared = excluded.shared
RETURNING id
"""
_SILENT = """
UPDATE conversations SET closed_at = now()
WHERE workspace_id = :workspace AND hash = :hash AND closed_at IS NULL AND last_at < now() - :idle
"""
_ENTER = """
INSERT INTO conversations (workspace_id, lane_id, hash, sealed_place)
VALUES (:workspace, :lane, :hash, :sealed)
ON CONFLICT (workspace_id, hash) WHERE closed_at IS NULL DO UPDATE SET last_at = now()
RETURNING id
"""
_CLOSE = """
UPDATE conversations SET closed_at = now()
WHERE workspace_id = :workspace AND hash = :hash AND closed_at IS NULL RETURNING id
"""
_FIND = """
SELECT id FROM conversations WHERE workspace_id = :workspace AND hash = :hash AND closed_at IS NULL
"""
_TOLD = f"FROM outbox o WHERE o.inbox_id = i.id AND o.part LIKE '{CORRECTION} %'"
_TURNS = f"""
SELECT i.id, i.person_id, i.text, CASE WHEN NOT EXISTS (SELECT {_TOLD}) THEN r.answer END, i.received_at
FROM inbox i LEFT JOIN runs r USING (run_id)
WHERE i.conversation_id = :conversation AND i.id < :before AND i.kind = 'question' AND i.text IS NOT NULL
ORDER BY i.id DESC LIMIT :limit
"""
_PAST = f"""
SELECT i.id, i.person_id, i.text, r.answer, i.received_at, (SELECT min(o.created_at) {_TOLD}),
  {CORRECTED}
FROM inbox i LEFT JOIN runs r USING (run_id) LEFT JOIN cases k USING (run_id)
WHERE i.person_id = (SELECT id FROM people WHERE workspace_id = :workspace AND hash = :person)
  AND i.kind = 'question' AND i.text IS NOT NULL
ORDER BY i.id DESC LIMIT :limit
"""
_REWORDED = """
SELECT CASE WHEN p.id IS NOT NULL THEN i.edited_text ELSE '' END AS text, p.id IS NOT NULL AS own
FROM inbox i LEFT JOIN people p ON p.id = i.person_id AND p.hash = :person
WHERE i.workspace_id = :workspace AND i.message_hash = :message AND i.edited_text IS NOT NULL
"""


class Reworded(NamedTuple):
    """A question as it was edited after its answer; without words where it is not the asking person's own."""

    text: str
    own: bool


async def enter_lane(connection: AsyncConnection, ground: Ground, workspace: int, place: Place) -> int:
    """The id of a chat's lane; its row stays locked until the transaction ends."""
    fields = {"workspace": workspace, "hash": ground.hash_chat(workspace, place), "shared": place.shared}
    return int((await connection.execute(text(_LANE), fields)).scalar_one())


async def enter(
    connection: AsyncConnection, ground: Ground, workspace: int, place: Place, idle: timedelta
) -> tuple[int, int]:
    """(lane, conversation) of a place: the open one, or after a silence of `idle` a new one."""
    lane = await enter_lane(connection, ground, workspace, place)
    fields: dict[str, Any] = {"workspace": workspace, "hash": ground.hash_place(workspace, place)}
    await connection.execute(text(_SILENT), fields | {"idle": idle})
    fields |= {"lane": lane, "sealed": ground.seal_place(place)}
    return lane, int((await connection.execute(text(_ENTER), fields)).scalar_one())


class Conversations:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def close(self, workspace: int, place: Place) -> bool:
        """`/new`: the next message there begins a conversation. Whether one was open."""
        return await self._ask(_CLOSE, workspace, place)

    async def knows(self, workspace: int, place: Place) -> bool:
        """Whether we talk there, so that a follow-up needs no mention of us."""
        return await self._ask(_FIND, workspace, place)

    async def turns(self, conversation: int, before: int, limit: int = 6) -> list[Turn]:
        """The questions of a conversation before this one, oldest first, by whomever. An answer that was
        withdrawn is none."""
        fields = {"conversation": conversation, "before": before, "limit": limit}
        return list(reversed(await self._read(_TURNS, fields)))

    async def past(self, workspace: int, sender: str, limit: int = 50) -> list[Turn]:
        """Somebody's own questions in all conversations, newest first: `/history` and `/export`."""
        person = self._ground.hash_person(workspace, sender)
        return await self._read(_PAST, {"workspace": workspace, "person": person, "limit": limit})

    async def reworded(self, workspace: int, sender: str, place: Place, message: str) -> Reworded | None:
        """A question as edited, to be asked anew; None where that was before its answer, or it is gone."""
        fields = {
            "workspace": workspace,
            "person": self._ground.hash_person(workspace, sender),
            "message": self._ground.hash_message(workspace, place, message),
        }
        async with self._ground.single() as connection:
            row = (await connection.execute(text(_REWORDED), fields)).first()
        return None if row is None else Reworded(row.text, row.own)

    async def _ask(self, statement: str, workspace: int, place: Place) -> bool:
        fields = {"workspace": workspace, "hash": self._ground.hash_place(workspace, place)}
        async with self._ground.single() as connection:
            return (await connection.execute(text(statement), fields)).first() is not None

    async def _read(self, statement: str, fields: dict[str, Any]) -> list[Turn]:
        async with self._ground.single() as connection:
            rows = (await connection.execute(text(statement), fields)).all()
        return [Turn(*row) for row in rows]
