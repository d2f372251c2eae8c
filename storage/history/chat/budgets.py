"""How many questions a person and a workspace may still ask today (UTC), counted as they are taken."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.history.chat.records import Budget

_TODAY = "(now() AT TIME ZONE 'UTC')::date"
_PERSON = f"""
INSERT INTO person_days (person_id, day, questions) SELECT :id, {_TODAY}, 1 WHERE :limit > 0
ON CONFLICT (person_id, day) DO UPDATE SET questions = person_days.questions + 1
WHERE person_days.questions < :limit
RETURNING 1
"""
_WORKSPACE = f"""
INSERT INTO tallies (workspace_id, day, what, n) SELECT :id, {_TODAY}, 'questions', 1 WHERE :limit > 0
ON CONFLICT (workspace_id, day, what) DO UPDATE SET n = tallies.n + 1 WHERE tallies.n < :limit
RETURNING 1
"""
_GIVE_BACK = f"""
UPDATE person_days SET questions = questions - 1 WHERE person_id = :id AND day = {_TODAY}
"""
_TALLY = f"""
INSERT INTO tallies (workspace_id, day, what, n) VALUES (:id, {_TODAY}, :what, 1)
ON CONFLICT (workspace_id, day, what) DO UPDATE SET n = tallies.n + 1
"""


async def spend(
    connection: AsyncConnection, workspace: int, person: int, budget: Budget
) -> Literal["person", "workspace"] | None:
    """Count one question, or say whose budget is spent; then nothing is counted."""
    if (await connection.execute(text(_PERSON), {"id": person, "limit": budget.person})).first() is None:
        return "person"
    fields = {"id": workspace, "limit": budget.workspace}
    if (await connection.execute(text(_WORKSPACE), fields)).first() is None:
        await connection.execute(text(_GIVE_BACK), {"id": person})
        return "workspace"
    return None


async def tally(connection: AsyncConnection, workspace: int, what: str) -> None:
    """Count something that names nobody."""
    await connection.execute(text(_TALLY), {"id": workspace, "what": what})
