"""The one way in which what somebody said goes: `/delete`, a deleted message, an uninstalled workspace.

Words, answers and what people think of them, evidence, traces, kept replies of models and searches, reviews
with their corrections and notes, words to search in, reasons that staff gave for looking, parts not yet sent,
waiting jobs, counts and the person go. A tombstone stays: the keyed hash of the delivery, without person,
place or words. What was exported is with whoever asked for it: how many exports that are is told.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.errors import SealBroken
from storage.history.cases import note_opinions
from storage.history.chat.ground import Ground
from storage.history.chat.records import Erased, Place, Post, Scope, owner_of

_PERSON = "SELECT id FROM people WHERE workspace_id = :workspace AND hash = :hash FOR UPDATE"
_PEOPLE = "SELECT id FROM people WHERE workspace_id = :workspace ORDER BY id FOR UPDATE"
_LAST = """
SELECT id FROM inbox WHERE person_id = :person AND kind = 'question'
ORDER BY id DESC LIMIT 1 FOR UPDATE
"""
_HERE = """
SELECT i.id FROM inbox i JOIN conversations c ON c.id = i.conversation_id
WHERE i.person_id = :person AND c.workspace_id = :workspace AND c.hash = :place AND c.closed_at IS NULL
ORDER BY i.id FOR UPDATE OF i
"""
_ALL = "SELECT id FROM inbox WHERE person_id = ANY(:people) ORDER BY id FOR UPDATE"
_MESSAGE = """
SELECT id FROM inbox WHERE workspace_id = :workspace AND message_hash = :message
  AND person_id IS NOT NULL FOR UPDATE
"""
_UNAGREED = """
SELECT id FROM inbox WHERE workspace_id = :workspace AND person_id IS NULL
  AND EXISTS (SELECT FROM outbox o WHERE o.inbox_id = inbox.id) FOR UPDATE
"""
_PLACES = """
SELECT o.lane_id AS lane, o.conversation_id AS conversation FROM outbox o WHERE o.inbox_id = ANY(:ids)
UNION
SELECT c.lane_id, c.id FROM inbox i JOIN conversations c ON c.id = i.conversation_id WHERE i.id = ANY(:ids)
"""
_LOCK_LANES = "SELECT id FROM lanes WHERE id = ANY(:lanes) ORDER BY id FOR UPDATE"
_POSTS = """
SELECT coalesce(o.sealed_place, c.sealed_place) AS place, o.sealed_message, l.shared
FROM outbox o JOIN lanes l ON l.id = o.lane_id LEFT JOIN conversations c ON c.id = o.conversation_id
WHERE o.inbox_id = ANY(:ids) AND o.sealed_message IS NOT NULL ORDER BY o.id
"""
_RUNNING = """
SELECT count(*) FROM procrastinate_jobs WHERE status = 'doing'
  AND id IN (SELECT job_id FROM inbox WHERE id = ANY(:ids))
"""
_RUNS = "SELECT run_id FROM inbox WHERE id = ANY(:ids) AND run_id IS NOT NULL"
_OWN_RUNS = "SELECT run_id FROM runs WHERE person = ANY(:owners)"
_EXPORTS = "SELECT count(DISTINCT export_id) FROM exported_cases WHERE run_id = ANY(:runs)"
_REASONS = """
DELETE FROM audit_reasons WHERE audit_id IN (
  SELECT id FROM audit WHERE subject_kind = :kind AND subject_id = ANY(:subjects))
"""
_OPINIONS = "SELECT run_id FROM feedback WHERE person_id = ANY(:people)"
_DELETES = {
    "jobs": """
DELETE FROM procrastinate_jobs WHERE status <> 'doing'
  AND id IN (SELECT job_id FROM inbox WHERE id = ANY(:ids))
""",
    "parts": "DELETE FROM outbox WHERE inbox_id = ANY(:ids)",
    "runs": "DELETE FROM runs WHERE run_id IN (SELECT run_id FROM inbox WHERE id = ANY(:ids))",
    "tombstones": """
UPDATE inbox SET text = NULL, edited_text = NULL, sealed_message = NULL, person_id = NULL,
  conversation_id = NULL, run_id = NULL, job_id = NULL, reason = NULL, finished_at = now(),
  state = CASE WHEN kind = 'question' THEN 'withdrawn' END WHERE id = ANY(:ids)
""",
}
_EMPTY_CONVERSATIONS = """
DELETE FROM conversations c WHERE id = ANY(:conversations)
  AND NOT EXISTS (SELECT FROM inbox WHERE conversation_id = c.id)
  AND NOT EXISTS (SELECT FROM outbox WHERE conversation_id = c.id) RETURNING id
"""
_EMPTY_LANES = """
DELETE FROM lanes l WHERE id = ANY(:lanes) AND NOT EXISTS (SELECT FROM conversations WHERE lane_id = l.id)
  AND NOT EXISTS (SELECT FROM outbox WHERE lane_id = l.id)
"""
_OTHER_RUNS = "DELETE FROM runs WHERE person = ANY(:owners)"
_DELETE_PEOPLE = "DELETE FROM people WHERE id = ANY(:people)"
_UNINSTALL = """
UPDATE workspaces SET sealed_id = NULL, sealed_tokens = NULL, removed_at = now() WHERE id = :workspace
"""
_WROTE = """
INSERT INTO erasures (workspace_id, scope, counts) VALUES (:workspace, :scope, CAST(:counts AS jsonb))
"""


class Erasure:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def of_person(
        self, workspace: int, sender: str, scope: Scope, place: Place | None = None
    ) -> Erased:
        """What somebody asked for: the `last` question, the open `conversation` in a place (in a thread only
        what is theirs), or `everything`, with which we forget the person.

        Say so with `inbox.hold(message, None, parts=…)`, which keeps nobody.
        """
        assert scope != "conversation" or place is not None
        fields = {"workspace": workspace, "hash": self._ground.hash_person(workspace, sender)}
        async with self._ground.begin() as connection:
            person = (await connection.execute(text(_PERSON), fields)).scalar()
            if person is None:
                return Erased()
            fields |= {"person": person, "people": [person]}
            if place is not None:
                fields["place"] = self._ground.hash_place(workspace, place)
            statement = {"last": _LAST, "conversation": _HERE, "everything": _ALL}[scope]
            ids = await _ids(connection, statement, fields)
            erased = await self._erase(connection, ids)
            if scope == "everything":
                erased = await forget(connection, erased, [person])
            await write_tombstone(connection, workspace, scope, erased)
        return erased

    async def of_message(self, workspace: int, place: Place, message: str) -> Erased:
        """What came of a message that its author deleted on the platform."""
        named = self._ground.hash_message(workspace, place, message)
        async with self._ground.begin() as connection:
            ids = await _ids(connection, _MESSAGE, {"workspace": workspace, "message": named})
            if not ids:
                return Erased()
            erased = await self._erase(connection, ids)
            await write_tombstone(connection, workspace, "message", erased)
        return erased

    async def of_workspace(self, workspace: int) -> Erased:
        """All people, words and tokens of a workspace that uninstalled us; its hash and counts stay."""
        fields: dict[str, Any] = {"workspace": workspace}
        async with self._ground.begin() as connection:
            people = await _ids(connection, _PEOPLE, fields)
            ids = await _ids(connection, _ALL, {"people": people})
            ids += await _ids(connection, _UNAGREED, fields)
            erased = await forget(connection, await self._erase(connection, ids), people)
            await connection.execute(text(_UNINSTALL), fields)
            await write_tombstone(connection, workspace, "workspace", erased)
        return erased

    async def _erase(self, connection: AsyncConnection, ids: Sequence[int]) -> Erased:
        erased, posts = await erase(connection, ids)
        return replace(erased, posts=tuple(open_posts(self._ground, posts)))


def open_posts(ground: Ground, posts: Sequence[Any]) -> Iterator[Post]:
    """Those whose key is lost are passed over: what can be erased is erased."""
    for row in posts:
        with suppress(SealBroken):
            place, _ = ground.open_place(row.place, shared=row.shared)
            yield Post(place, ground.seals.open("message", row.sealed_message))


async def erase(connection: AsyncConnection, ids: Sequence[int]) -> tuple[Erased, Sequence[Any]]:
    """All that came of these deliveries, whose rows are locked; and the posts, sealed."""
    fields: dict[str, Any] = {"ids": list(ids)}
    places = (await connection.execute(text(_PLACES), fields)).all()
    fields["lanes"] = sorted({row.lane for row in places})
    fields["conversations"] = sorted({row.conversation for row in places if row.conversation})
    await connection.execute(text(_LOCK_LANES), fields)
    posts = (await connection.execute(text(_POSTS), fields)).all()
    running = (await connection.execute(text(_RUNNING), fields)).scalar_one()
    exports = await forget_views(connection, list((await connection.execute(text(_RUNS), fields)).scalars()))
    counts = {
        name: (await connection.execute(text(statement), fields)).rowcount
        for name, statement in _DELETES.items()
    }
    empty = (await connection.execute(text(_EMPTY_CONVERSATIONS), fields)).scalars()
    reasons = {"kind": "conversation", "subjects": [str(found) for found in empty]}
    await connection.execute(text(_REASONS), reasons)
    await connection.execute(text(_EMPTY_LANES), fields)
    erased = Erased(
        counts["tombstones"],
        counts["runs"],
        counts["parts"],
        counts["jobs"],
        running=running,
        exports=exports,
    )
    return erased, posts


async def forget_views(connection: AsyncConnection, runs: Sequence[str]) -> int:
    """The reasons for which staff looked at these answers go; how many exports the answers are in."""
    await connection.execute(text(_REASONS), {"kind": "answer", "subjects": list(runs)})
    return int((await connection.execute(text(_EXPORTS), {"runs": list(runs)})).scalar_one())


async def _ids(connection: AsyncConnection, statement: str, fields: dict[str, Any]) -> list[int]:
    return [int(found) for found in (await connection.execute(text(statement), fields)).scalars()]


async def forget(connection: AsyncConnection, erased: Erased, people: Sequence[int]) -> Erased:
    """The people, what they thought of others' answers, their counts, and runs that a crash left without a
    question.
    """
    owners, them = {"owners": [owner_of(person) for person in people]}, {"people": list(people)}
    await forget_views(connection, list((await connection.execute(text(_OWN_RUNS), owners)).scalars()))
    runs = (await connection.execute(text(_OTHER_RUNS), owners)).rowcount
    judged = list((await connection.execute(text(_OPINIONS), them)).scalars())
    gone = (await connection.execute(text(_DELETE_PEOPLE), them)).rowcount
    await note_opinions(connection, judged)
    return replace(erased, runs=erased.runs + runs, people=gone)


async def write_tombstone(connection: AsyncConnection, workspace: int, scope: str, erased: Erased) -> None:
    counts = asdict(erased) | {"posts": len(erased.posts)}
    await connection.execute(
        text(_WROTE), {"workspace": workspace, "scope": scope, "counts": json.dumps(counts)}
    )
