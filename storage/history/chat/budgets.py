"""How many questions a person and a workspace may still ask today (UTC), counted as they are taken; and how
many there may be in a minute of one conversation, so that two bots that hear each other come to an end."""

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
_LAST = """
SELECT count(*), min(received_at) > now() - interval '1 minute',
  bool_or(reason IS NOT DISTINCT FROM 'conversation')
FROM (
  SELECT received_at, reason FROM inbox
  WHERE conversation_id = :conversation AND kind IN ('question', 'refused') ORDER BY id DESC LIMIT :limit
) AS last
"""
_GIVE_BACK = f"""
UPDATE person_days SET questions = questions - 1 WHERE person_id = :id AND day = {_TODAY}
"""
_TALLY = f"""
INSERT INTO tallies (workspace_id, day, what, n) VALUES (:id, {_TODAY}, :what, 1)
ON CONFLICT (workspace_id, day, what) DO UPDATE SET n = tallies.n + 1
"""


async def crowds(
    connection: AsyncConnection, conversation: int, limit: int
) -> Literal["first", "more"] | None:
    """Whether so many questions came within the last minute, refused ones too; and whether somebody was told
    since. The conversation's row is locked."""
    fields = {"conversation": conversation, "limit": limit}
    asked, recent, told = (await connection.execute(text(_LAST), fields)).one()
    if asked < limit or not recent:
        return None
    return "more" if told else "first"


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
