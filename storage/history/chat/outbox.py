"""What goes out: parts of replies, one lane a chat, each lane in order and at its pace.

A lane says when the sender is to look at it (`due_at`), so the next part is found by one index, however many
wait: the lane that has waited longest, and of it the oldest part. While a part is sent, its lane is leased; a
sender that dies loses the lease, and the part is sent again. Locks: the lane first, then its parts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.errors import SealBroken
from storage.history.chat.ground import Ground
from storage.history.chat.records import Delivery, Pace, Part, Platform
from storage.text import clean_json

PROGRESS = "progress"  # the one part that is sent again and again, and never twice the same
LEASE = timedelta(seconds=60)  # longer than one call of a platform may take

_WAKE = "UPDATE lanes SET due_at = coalesce(due_at, greatest(free_at, now())) WHERE id = :lane"
_ADD = """
INSERT INTO outbox (inbox_id, lane_id, conversation_id, sealed_place, part, kind, target, body)
VALUES (:inbox, :lane, :conversation, :place, :part, :kind, :target, CAST(:body AS jsonb))
"""
_ONCE = "ON CONFLICT (inbox_id, part) DO NOTHING"
_AGAIN = """
ON CONFLICT (inbox_id, part) DO UPDATE SET body = excluded.body, target = excluded.target, state = 'pending'
WHERE outbox.state NOT IN ('sending', 'failed') AND outbox.body IS DISTINCT FROM excluded.body
"""
_DROP_PROGRESS = "DELETE FROM outbox WHERE inbox_id = :inbox AND part = :part AND state = 'pending'"

_LANE = """
SELECT l.id, l.workspace_id, l.shared FROM lanes l JOIN workspaces w ON w.id = l.workspace_id
WHERE {whose} AND l.due_at <= now() AND w.free_at <= now()
ORDER BY l.due_at LIMIT 1 FOR UPDATE OF l SKIP LOCKED
"""
_ALL, _ONE = "l.platform = :platform", "l.workspace_id = :workspace"
_HEAD = """
WITH head AS (
  SELECT id, state FROM outbox WHERE lane_id = :lane AND state IN ('pending', 'sending') ORDER BY id LIMIT 1
), leased AS (
  UPDATE lanes SET due_at = CASE WHEN EXISTS (SELECT FROM head) THEN now() + :lease END WHERE id = :lane
), taken AS (
  UPDATE outbox o SET state = 'sending', attempts = attempts + 1 FROM head WHERE o.id = head.id
  RETURNING o.*, head.state AS before
)
SELECT t.id, t.inbox_id, t.part, t.kind, t.body, t.attempts, t.before = 'sending' AS again,
  coalesce(t.sealed_place, c.sealed_place) AS place, target.sealed_message AS message,
  i.sealed_message AS question, extract(epoch FROM now() - i.received_at) AS age
FROM taken t JOIN inbox i ON i.id = t.inbox_id LEFT JOIN conversations c ON c.id = t.conversation_id
LEFT JOIN outbox target ON target.inbox_id = t.inbox_id AND target.part = t.target
"""
_HOLD_BACK = """
UPDATE workspaces SET free_at = greatest(free_at, now()) + :wait WHERE id = :workspace
"""
_UNTIL = """
SELECT extract(epoch FROM min(greatest(n.due_at, w.free_at)) - now()) FROM workspaces w CROSS JOIN LATERAL (
  SELECT due_at FROM lanes WHERE workspace_id = w.id AND due_at IS NOT NULL ORDER BY due_at LIMIT 1) n
WHERE w.platform = :platform AND coalesce(w.id = CAST(:workspace AS bigint), true)
"""
_FREE = "UPDATE lanes SET free_at = now() + :wait WHERE id = :lane"
_GO_ON = """
UPDATE lanes l SET due_at = CASE WHEN EXISTS (
    SELECT FROM outbox o WHERE o.lane_id = l.id AND o.state IN ('pending', 'sending')) THEN l.free_at END
WHERE l.id = :lane
"""
_SENT = """
UPDATE outbox SET state = 'sent', sent_at = now(), last_error = NULL,
  body = CASE WHEN part = 'progress' THEN body END,
  sealed_message = coalesce(:message, sealed_message)
WHERE id = :id AND state = 'sending' RETURNING conversation_id
"""
_LATER = """
UPDATE outbox SET state = CASE WHEN part = 'progress' THEN 'failed' ELSE 'pending' END, last_error = :code
WHERE id = :id AND state = 'sending' AND attempts = :attempt RETURNING id
"""
_FAILED = """
UPDATE outbox SET state = 'failed', last_error = :code, body = NULL
WHERE id = :id AND state = 'sending' AND attempts = :attempt RETURNING id
"""
_FORGET = "DELETE FROM outbox WHERE id = :id AND conversation_id IS NULL"
_FORGET_LANE = """
DELETE FROM lanes l WHERE id = :lane AND NOT EXISTS (SELECT FROM conversations WHERE lane_id = l.id)
  AND NOT EXISTS (SELECT FROM outbox WHERE lane_id = l.id)
"""


async def add_parts(
    connection: AsyncConnection,
    inbox: int,
    lane: int,
    parts: Sequence[Part],
    *,
    conversation: int | None = None,
    sealed_place: bytes | None = None,
) -> None:
    """Put parts behind all others of the lane; a part of that name that is there already stays as it is."""
    if parts:
        rows = [_row(inbox, lane, part, conversation, sealed_place) for part in parts]
        await connection.execute(text(_WAKE), {"lane": lane})
        await connection.execute(text(f"{_ADD} {_ONCE}"), rows)


async def show_progress(
    connection: AsyncConnection, inbox: int, lane: int, part: Part, conversation: int
) -> None:
    """Put in the latest words of progress, unless the same were sent last. They are dropped while others are
    just being sent, and once some were not taken at once: a platform is not pressed for them."""
    await connection.execute(text(_WAKE), {"lane": lane})
    await connection.execute(text(f"{_ADD} {_AGAIN}"), _row(inbox, lane, part, conversation, None))


async def drop_progress(connection: AsyncConnection, inbox: int, lane: int) -> None:
    """Words of progress that were not sent yet are not sent any more."""
    await connection.execute(text(_WAKE), {"lane": lane})
    await connection.execute(text(_DROP_PROGRESS), {"inbox": inbox, "part": PROGRESS})


def _row(
    inbox: int, lane: int, part: Part, conversation: int | None, sealed_place: bytes | None
) -> dict[str, Any]:
    return {
        "inbox": inbox,
        "lane": lane,
        "conversation": conversation,
        "place": sealed_place,
        "part": part.name,
        "kind": part.kind,
        "target": part.target,
        "body": json.dumps(clean_json(dict(part.body)), ensure_ascii=False),
    }


class Outbox:
    """Any number of senders may run; a part is with one of them at a time."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def fetch_next(
        self, platform: Platform, pace: Pace, lease: timedelta = LEASE, *, workspace: int | None = None
    ) -> Delivery | None:
        """The part to send now, of this `workspace` or any; None where each lane is empty, leased or waits.

        End it with `note_sent`, `postpone` or `give_up`. A part whose place cannot be opened any more fails.
        """
        lanes = _LANE.format(whose=_ALL if workspace is None else _ONE)
        whose = {"platform": platform} if workspace is None else {"workspace": workspace}
        while True:
            async with self._ground.begin() as connection:
                lane = (await connection.execute(text(lanes), whose)).first()
                if lane is None:
                    return None
                head = {"lane": lane.id, "lease": lease}
                row = (await connection.execute(text(_HEAD), head)).first()
                if row is None:
                    continue  # what waited there was erased
                delivery = self._open(row, lane, pace)
                if delivery is None:
                    failed = {"id": row.id, "attempt": row.attempts, "code": "seal_broken"}
                    await connection.execute(text(_FAILED), failed)
                    await connection.execute(text(_GO_ON), {"lane": lane.id})
                    continue
                if pace.overall:
                    wait = timedelta(seconds=pace.overall)
                    fields = {"workspace": lane.workspace_id, "wait": wait}
                    await connection.execute(text(_HOLD_BACK), fields)
            return delivery

    def _open(self, row: Any, lane: Any, pace: Pace) -> Delivery | None:
        """None where the key is lost: such a part must not hold up the others."""
        try:
            place, beside = self._ground.open_place(row.place, shared=lane.shared)
            message = self._ground.open_message(row.message)
            question = self._ground.open_message(row.question)
        except SealBroken:
            return None
        return Delivery(
            id=row.id,
            lane=lane.id,
            workspace=lane.workspace_id,
            inbox=row.inbox_id,
            name=row.part,
            kind=row.kind,
            body=row.body,
            place=place,
            message=message,
            reply_to=question or beside,
            attempt=row.attempts,
            again=row.again,
            spacing=pace.shared if lane.shared else pace.private,
            age=float(row.age),
        )

    async def seconds_until_due(self, platform: Platform, *, workspace: int | None = None) -> float | None:
        """When to fetch again: seconds (0 or less: now), or None while nothing waits."""
        async with self._ground.single() as connection:
            fields = {"platform": platform, "workspace": workspace}
            seconds = (await connection.execute(text(_UNTIL), fields)).scalar()
        return None if seconds is None else float(seconds)

    async def note_sent(self, delivery: Delivery, message: str | None = None) -> bool:
        """Keep that it was sent, and the platform's id of the new post.

        False where the part was erased meanwhile or another sender had sent it: then take the post back.
        """
        sealed = None if message is None else self._ground.seal_message(message)
        async with self._ground.begin() as connection:
            await self._free(connection, delivery.lane, delivery.spacing)
            fields = {"id": delivery.id, "message": sealed}
            row = (await connection.execute(text(_SENT), fields)).first()
            await self._settle(connection, delivery)
        return row is not None

    async def postpone(
        self, delivery: Delivery, seconds: float, code: str, *, everywhere: bool = False
    ) -> None:
        """Send it later: its lane waits that long (Retry-After), with `everywhere` the whole workspace.

        Words of progress are given up, and the lane waits all the same.
        """
        async with self._ground.begin() as connection:
            await self._free(connection, delivery.lane, seconds)
            await connection.execute(text(_LATER), _ending(delivery, code))
            if everywhere:
                wait = timedelta(seconds=seconds)
                await connection.execute(text(_HOLD_BACK), {"workspace": delivery.workspace, "wait": wait})
            await connection.execute(text(_GO_ON), {"lane": delivery.lane})

    async def give_up(self, delivery: Delivery, code: str) -> None:
        """It cannot be sent; what is behind it goes on."""
        async with self._ground.begin() as connection:
            await self._free(connection, delivery.lane, delivery.spacing)
            await connection.execute(text(_FAILED), _ending(delivery, code))
            await self._settle(connection, delivery)

    async def _free(self, connection: AsyncConnection, lane: int, seconds: float) -> None:
        await connection.execute(text(_FREE), {"lane": lane, "wait": timedelta(seconds=seconds)})

    async def _settle(self, connection: AsyncConnection, delivery: Delivery) -> None:
        """Wake the lane for what is behind; nothing stays of a part for somebody who has not agreed."""
        await connection.execute(text(_FORGET), {"id": delivery.id})
        await connection.execute(text(_GO_ON), {"lane": delivery.lane})
        await connection.execute(text(_FORGET_LANE), {"lane": delivery.lane})


def _ending(delivery: Delivery, code: str) -> dict[str, Any]:
    return {"id": delivery.id, "attempt": delivery.attempt, "code": code}
