"""What is older than it is kept goes by itself, by the same way as what somebody erases.

A workspace may keep for longer or shorter than the others; what a legal hold covers stays until it is lifted.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from storage.database import connect
from storage.history.chat.erasure import erase
from storage.history.chat.holding import held
from storage.history.runs import DROP_EXPIRED, KEPT_DAYS

_BATCH = 500
# The shortest time of any workspace leads the index to those that may be old, the workspace's own decides.
_OF_AGE = f"""
FROM inbox i JOIN workspaces w ON w.id = i.workspace_id
WHERE i.received_at < now() - make_interval(days => (
    SELECT min(coalesce(kept_days, {KEPT_DAYS})) FROM workspaces))
  AND i.received_at < now() - make_interval(days => coalesce(w.kept_days, {KEPT_DAYS}))
  AND i.person_id IS NOT NULL
"""
_OLD = f"""
SELECT i.id {_OF_AGE} AND NOT {held("i")} ORDER BY i.received_at LIMIT {_BATCH} FOR UPDATE OF i SKIP LOCKED
"""
_STAYING = f"SELECT count(*) {_OF_AGE} AND {held('i')}"
_KEYS = f"""
DELETE FROM inbox WHERE received_at < now() - interval '{KEPT_DAYS} days' AND person_id IS NULL
"""
_DAYS = f"DELETE FROM person_days WHERE day < (now() - interval '{KEPT_DAYS} days')::date"
_OVER = (
    "DELETE FROM staff_sessions WHERE ends_at < now()",
    "DELETE FROM failed_logins WHERE failed_at < now() - interval '1 day'",
)


class Forgotten(NamedTuple):
    """Whether there may be more, and after the last of how many questions and commands a hold keeps us."""

    more: bool
    held: int


async def forget_old(engine: AsyncEngine) -> Forgotten:
    """A batch of what is older than it is kept, in one transaction.

    No platform redelivers after KEPT_DAYS, so the tombstones go as well then. People stay, with what they
    agreed to. Raises ServerUnavailable.
    """
    async with connect(engine) as connection:
        ids = [int(found) for found in (await connection.execute(text(_OLD))).scalars()]
        if ids:
            await erase(connection, ids)
        for statement in (_KEYS, DROP_EXPIRED, _DAYS, *_OVER):
            await connection.execute(text(statement))
        more = len(ids) == _BATCH
        staying = 0 if more else int((await connection.execute(text(_STAYING))).scalar_one())
    return Forgotten(more, staying)
