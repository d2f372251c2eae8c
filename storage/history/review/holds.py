"""How long a workspace keeps what was said, and legal holds, which nothing that is only old gets past."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import text

from storage.errors import AccountRefused, NotThere
from storage.history.chat.ground import Ground
from storage.history.review.access import Actor
from storage.history.review.audit import Event, checked_reason, write
from storage.history.runs import KEPT_DAYS

_KEEP = "UPDATE workspaces SET kept_days = :days WHERE id = :workspace AND {sees} RETURNING id"
_KEPT = """
SELECT w.id, w.platform, coalesce(w.kept_days, :default) AS days,
  (SELECT count(*) FROM holds h WHERE h.workspace_id = w.id AND h.lifted_at IS NULL) AS holds
FROM workspaces w WHERE {sees} ORDER BY w.id
"""
_PLACE = """
INSERT INTO holds (workspace_id, conversation_id, placed_by)
SELECT w.id, c.id, :account FROM workspaces w LEFT JOIN conversations c
  ON c.workspace_id = w.id AND c.id = CAST(:conversation AS bigint)
WHERE w.id = :workspace AND {sees} AND (CAST(:conversation AS bigint) IS NULL OR c.id IS NOT NULL)
RETURNING id
"""
_LIFT = """
UPDATE holds h SET lifted_at = now() FROM workspaces w
WHERE h.id = :hold AND h.lifted_at IS NULL AND w.id = h.workspace_id AND {sees}
RETURNING h.workspace_id, h.conversation_id
"""
_LIST = """
SELECT h.id, h.workspace_id, h.conversation_id, h.placed_at, h.lifted_at FROM holds h
JOIN workspaces w ON w.id = h.workspace_id WHERE {sees} ORDER BY h.id DESC
"""


class Kept(NamedTuple):
    """Of a workspace: for how many days it keeps, and how many holds stand."""

    workspace: int
    platform: str
    days: int
    holds: int


class Hold(NamedTuple):
    """Of a whole workspace, or of one conversation."""

    id: int
    workspace: int
    conversation: int | None
    placed_at: datetime
    lifted_at: datetime | None


class Holds:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def kept(self, actor: Actor) -> list[Kept]:
        query = text(_KEPT.format(sees=actor.sees("w.id")))
        async with self._ground.single() as connection:
            rows = (await connection.execute(query, {"default": KEPT_DAYS} | actor.fields)).all()
        return [Kept(*row) for row in rows]

    async def keep_for(self, actor: Actor, workspace: int, days: int | None) -> None:
        """Days after which what was said there goes; None as everywhere. Raises AccountRefused, NotThere."""
        if days is not None and not 1 <= days <= 3650:
            raise AccountRefused(remedy="Between 1 and 3,650 days are possible.")
        fields = {"workspace": workspace, "days": days}
        query = text(_KEEP.format(sees=actor.sees("id")))
        async with self._ground.begin() as connection:
            if (await connection.execute(query, fields | actor.fields)).first() is None:
                raise NotThere
            await write(connection, actor, Event(f"keep for {days or KEPT_DAYS} days", "workspace",
                                                 str(workspace), workspace))  # fmt: skip

    async def place(self, actor: Actor, workspace: int, reason: str, conversation: int | None = None) -> int:
        """Raises ReasonMissing, NotThere."""
        reason = checked_reason(reason)
        fields = {"workspace": workspace, "conversation": conversation, "account": actor.account}
        query = text(_PLACE.format(sees=actor.sees("w.id")))
        async with self._ground.begin() as connection:
            hold = (await connection.execute(query, fields | actor.fields)).scalar()
            if hold is None:
                raise NotThere
            await write(
                connection, actor, Event("hold", *_subject(workspace, conversation), workspace, reason)
            )
        return int(hold)

    async def lift(self, actor: Actor, hold: int, reason: str) -> None:
        """Raises ReasonMissing, NotThere."""
        reason = checked_reason(reason)
        query = text(_LIFT.format(sees=actor.sees("w.id")))
        async with self._ground.begin() as connection:
            row = (await connection.execute(query, {"hold": hold} | actor.fields)).first()
            if row is None:
                raise NotThere
            await write(connection, actor, Event("lift hold", *_subject(*row), row.workspace_id, reason))

    async def list(self, actor: Actor) -> list[Hold]:
        """The newest first."""
        query = text(_LIST.format(sees=actor.sees("w.id")))
        async with self._ground.single() as connection:
            rows = (await connection.execute(query, actor.fields)).all()
        return [Hold(*row) for row in rows]


def _subject(workspace: int, conversation: int | None) -> tuple[str, str]:
    return ("workspace", str(workspace)) if conversation is None else ("conversation", str(conversation))
