"""What comes in: kept with its job in one transaction, before the platform is told "received" (chat.md 4).

A delivery is known by its key and by its message; the second one finds the row and changes nothing. Locks are
taken in one order everywhere: inbox, person, lane, conversation, counts, workspace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal, NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.history.cases import Origin, add_case
from storage.history.chat.budgets import crowds, spend, tally
from storage.history.chat.conversations import enter, enter_lane
from storage.history.chat.ground import Ground
from storage.history.chat.jobs import defer
from storage.history.chat.outbox import add_parts
from storage.history.chat.people import meet
from storage.history.chat.records import Budget, Message, Over, Part, Receipt, owner_of
from storage.history.runs import Run, insert_run
from storage.text import clean_text

_TAKE = """
INSERT INTO inbox (workspace_id, key_hash, message_hash, kind, reason)
VALUES (:workspace, :key, :message, :kind, :reason) ON CONFLICT DO NOTHING RETURNING id
"""
_TAKEN = """
SELECT i.id, i.conversation_id, c.lane_id FROM inbox i JOIN conversations c ON c.id = i.conversation_id
WHERE i.workspace_id = :workspace AND i.key_hash = :key AND i.kind = 'question' AND i.state <> 'withdrawn'
FOR SHARE OF i
"""
_RELEASE = """
UPDATE inbox SET kind = 'handled' WHERE workspace_id = :workspace AND message_hash = :message
  AND kind = 'waiting' RETURNING id
"""
_FILL = """
UPDATE inbox SET kind = :kind, state = :state, reason = :reason, text = :text, sealed_message = :sealed,
  person_id = :person, conversation_id = :conversation, run_id = :run_id, received_at = now(),
  finished_at = CASE WHEN CAST(:run_id AS text) IS NOT NULL THEN now() END WHERE id = :id
"""
_JOB = "UPDATE inbox SET job_id = :job WHERE id = :id"
_OFFSET = """
UPDATE workspaces SET update_offset = greatest(update_offset, :offset) WHERE id = :workspace
"""
_REPLACE = """
UPDATE inbox SET text = :text, revision = revision + 1
WHERE workspace_id = :workspace AND message_hash = :message AND state IN ('received', 'working')
  AND run_id IS NULL AND text <> :text RETURNING id
"""
_MARK = """
UPDATE inbox SET edited_text = :text
WHERE workspace_id = :workspace AND message_hash = :message AND state <> 'withdrawn'
  AND (run_id IS NOT NULL OR state NOT IN ('received', 'working'))
  AND text <> :text AND edited_text IS DISTINCT FROM :text
RETURNING id, conversation_id, (SELECT lane_id FROM conversations WHERE id = conversation_id) AS lane_id
"""
_STRANDED = """
SELECT i.id, i.conversation_id FROM inbox i
WHERE i.state IN ('received', 'working') AND i.received_at < now() - :age AND NOT EXISTS (
  SELECT FROM procrastinate_jobs j WHERE j.id = i.job_id AND j.status IN ('todo', 'doing'))
ORDER BY i.received_at FOR UPDATE OF i SKIP LOCKED
"""


class Met(NamedTuple):
    """The row of a delivery, and of whom and where it is."""

    row: int
    person: int
    lane: int
    conversation: int


class Filling(NamedTuple):
    """What a delivery turned out to be."""

    kind: str
    state: str | None = None
    reason: str | None = None
    run_id: str | None = None


class Inbox:
    """`idle` is the silence after which a conversation is a new one."""

    def __init__(self, ground: Ground, idle: timedelta) -> None:
        self._ground = ground
        self._idle = idle

    async def accept(
        self,
        message: Message,
        budget: Budget,
        *,
        parts: Sequence[Part] = (),
        refusal: Sequence[Part] = (),
        pause: Sequence[Part] = (),
        beside: Sequence[Part] = (),
        offset: int | None = None,
    ) -> Receipt:
        """Keep a question with its job, `parts` (the placeholder) and Telegram's next `offset`, or nothing.

        A message that was held before consent becomes a question by its `message`. Where the budget is spent,
        `refusal` goes out instead, and the words are not kept; where there are too many at once, `pause`, and
        then nothing until it is quieter. `beside` goes out once behind the placeholder, even if only a later
        delivery of the same message brings it.
        """
        async with self._ground.begin() as connection:
            met = await self._meet(connection, message, offset)
            if met is None:
                await self._add_beside(connection, message, beside)
                return Receipt(new=False)
            crowd = await crowds(connection, met.conversation, budget.minute) if budget.minute else None
            over: Over | None = "conversation" if crowd else None
            over = over or await spend(connection, message.workspace, met.person, budget)
            filled = Filling("refused", reason=over) if over else Filling("question", "received")
            said = {None: refusal, "first": pause, "more": ()}[crowd] if over else [*parts, *beside]
            await self._fill(connection, met, message, filled, said)
            if not over:
                job = await defer(connection, met.row, met.conversation)
                await connection.execute(text(_JOB), {"id": met.row, "job": job})
            await _keep_offset(connection, message.workspace, offset)
        return Receipt(True, None if over else met.row, met.conversation, met.person, over)

    async def answer_at_once(
        self, message: Message, run: Run, parts: Sequence[Part], *, offset: int | None = None
    ) -> Receipt:
        """Keep a question with the fixed reply that triage gave it (a red flag): no job, and no budget."""
        async with self._ground.begin() as connection:
            met = await self._meet(connection, message, offset)
            if met is None:
                return Receipt(new=False)
            await insert_run(connection, replace(run, person=owner_of(met.person)))
            origin = Origin(met.row, message.workspace, met.conversation, met.person)
            await add_case(connection, run.run_id, run.masked, origin)
            filled = Filling("question", "answered", run_id=run.run_id)
            await self._fill(connection, met, message, filled, parts)
            await tally(connection, message.workspace, "end:answered")
            await _keep_offset(connection, message.workspace, offset)
        return Receipt(True, met.row, met.conversation, met.person)

    async def note(
        self, message: Message, *, parts: Sequence[Part] = (), offset: int | None = None
    ) -> Receipt:
        """Keep that a command or a click was taken, with the replies to it, but none of its words."""
        async with self._ground.begin() as connection:
            met = await self._meet(connection, message, offset)
            if met is None:
                return Receipt(new=False)
            await self._fill(connection, met, message, Filling("handled"), parts)
            await _keep_offset(connection, message.workspace, offset)
        return Receipt(True, None, met.conversation, met.person)

    async def hold(
        self,
        message: Message,
        level: str | None,
        *,
        parts: Sequence[Part] = (),
        offset: int | None = None,
    ) -> bool:
        """Before consent: keep the key and a count by triage level, and that a question waits. No words, and
        nobody; the place is kept, sealed, until `parts` are sent. With level None it is no question.

        Returns whether it was new.
        """
        async with self._ground.begin() as connection:
            kind = "handled" if level is None else "waiting"
            taken = await self._take(connection, message, kind, release=False)
            if taken is not None and parts:
                lane = await enter_lane(connection, self._ground, message.workspace, message.place)
                sealed = self._ground.seal_place(message.place, message.message)
                await add_parts(connection, taken, lane, parts, sealed_place=sealed)
            if taken is not None and level is not None:
                await tally(connection, message.workspace, f"level:{level}")
            await _keep_offset(connection, message.workspace, offset)
        return taken is not None

    async def park(self, workspace: int, key: str, reason: str, *, offset: int | None = None) -> bool:
        """An update that cannot be read: its key and a code, no content. Returns whether it was new."""
        async with self._ground.begin() as connection:
            fields = {"workspace": workspace, "key": self._ground.hash_key(workspace, key), "message": None}
            fields |= {"kind": "parked", "reason": reason}
            taken = (await connection.execute(text(_TAKE), fields)).scalar()
            await _keep_offset(connection, workspace, offset)
        return taken is not None

    async def edit(
        self, message: Message, *, parts: Sequence[Part] = (), offset: int | None = None
    ) -> Literal["replaced", "marked", "unchanged"]:
        """New words of a question: instead of the old ones before the answer, beside them after it; then
        `parts` go out, once a question.

        `unchanged`: there is no such question, it was withdrawn, or its words are the same.
        """
        assert message.message is not None
        fields = {
            "workspace": message.workspace,
            "message": self._ground.hash_message(message.workspace, message.place, message.message),
            "text": clean_text(message.text),
        }
        async with self._ground.begin() as connection:
            replaced = (await connection.execute(text(_REPLACE), fields)).first()
            marked = None if replaced else (await connection.execute(text(_MARK), fields)).first()
            if marked:
                conversation = marked.conversation_id
                await add_parts(connection, marked.id, marked.lane_id, parts, conversation=conversation)
            await _keep_offset(connection, message.workspace, offset)
        return "replaced" if replaced else "marked" if marked else "unchanged"

    async def requeue_stranded(self, age: timedelta) -> list[int]:
        """Questions older than `age` without an end whose job is gone or failed get a new job; their ids."""
        async with self._ground.begin() as connection:
            rows = (await connection.execute(text(_STRANDED), {"age": age})).all()
            for row in rows:
                job = await defer(connection, row.id, row.conversation_id)
                await connection.execute(text(_JOB), {"id": row.id, "job": job})
        return [row.id for row in rows]

    async def _take(
        self, connection: AsyncConnection, message: Message, kind: str, *, release: bool = True
    ) -> int | None:
        """The id of the row, new or released from waiting; None for a delivery that was taken before."""
        named, place = message.message, message.place
        fields = {
            "workspace": message.workspace,
            "key": self._ground.hash_key(message.workspace, message.key),
            "message": None if named is None else self._ground.hash_message(message.workspace, place, named),
            "kind": kind,
            "reason": None,
        }
        taken = (await connection.execute(text(_TAKE), fields)).scalar()
        if taken is None and release:
            taken = (await connection.execute(text(_RELEASE), fields)).scalar()
        return taken

    async def _add_beside(self, connection: AsyncConnection, message: Message, parts: Sequence[Part]) -> None:
        if not parts:
            return
        key = self._ground.hash_key(message.workspace, message.key)
        fields = {"workspace": message.workspace, "key": key}
        row = (await connection.execute(text(_TAKEN), fields)).first()
        if row is not None:
            await add_parts(connection, row.id, row.lane_id, parts, conversation=row.conversation_id)

    async def _meet(self, connection: AsyncConnection, message: Message, offset: int | None) -> Met | None:
        """Take a delivery, with who sent it and where; None for one that was taken before."""
        workspace, ground = message.workspace, self._ground
        taken = await self._take(connection, message, "handled")
        if taken is None:
            await _keep_offset(connection, workspace, offset)
            return None
        person = await meet(connection, ground, workspace, message.sender, message.language)
        lane, conversation = await enter(connection, ground, workspace, message.place, self._idle)
        return Met(taken, person, lane, conversation)

    async def _fill(
        self, connection: AsyncConnection, met: Met, message: Message, filled: Filling, parts: Sequence[Part]
    ) -> None:
        fields: dict[str, Any] = filled._asdict() | {
            "id": met.row,
            "text": clean_text(message.text) if filled.kind == "question" else None,
            "sealed": None if message.message is None else self._ground.seal_message(message.message),
            "person": met.person,
            "conversation": met.conversation,
        }
        await connection.execute(text(_FILL), fields)
        await add_parts(connection, met.row, met.lane, parts, conversation=met.conversation)


async def _keep_offset(connection: AsyncConnection, workspace: int, offset: int | None) -> None:
    if offset is not None:
        await connection.execute(text(_OFFSET), {"workspace": workspace, "offset": offset})
