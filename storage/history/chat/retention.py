"""What is older than it is kept goes by itself, by the same way as what somebody erases."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from storage.database import connect
from storage.history.chat.erasure import erase
from storage.history.runs import KEPT_DAYS

_BATCH = 500
_OLD = f"""
SELECT id FROM inbox WHERE received_at < now() - interval '{KEPT_DAYS} days' AND person_id IS NOT NULL
ORDER BY received_at LIMIT {_BATCH} FOR UPDATE SKIP LOCKED
"""
_KEYS = f"""
DELETE FROM inbox WHERE received_at < now() - interval '{KEPT_DAYS} days' AND person_id IS NULL
"""
_RUNS = "DELETE FROM runs WHERE expires_at < now()"
_DAYS = f"DELETE FROM person_days WHERE day < (now() - interval '{KEPT_DAYS} days')::date"


async def forget_old(engine: AsyncEngine) -> bool:
    """A batch of what is older than KEPT_DAYS, in one transaction; whether there may be more.

    No platform redelivers after so long, so the tombstones go as well. People stay, with what they agreed to.
    Raises ServerUnavailable.
    """
    async with connect(engine) as connection:
        ids = [int(found) for found in (await connection.execute(text(_OLD))).scalars()]
        if ids:
            await erase(connection, ids)
        for statement in (_KEYS, _RUNS, _DAYS):
            await connection.execute(text(statement))
    return len(ids) == _BATCH
