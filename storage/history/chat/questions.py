"""Questions on their way to an end: claimed, answered, sent off. States only go forward.

received ─> working ─> answered | abstained | apologised
    └──────────┴───────────┴─────────┴───────────┴─> withdrawn

A claim is the number of the attempt: of two workers that hold one question, because the first was taken for
dead, only the newer one can store or finish anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.errors import ClaimLost, QuestionChanged, SealBroken
from storage.history.cases import Origin, add_case
from storage.history.chat.budgets import tally
from storage.history.chat.ground import Ground
from storage.history.chat.outbox import PROGRESS, add_parts, drop_progress, show_progress
from storage.history.chat.records import Claim, Final, Part, Pending, Place, Platform, owner_of
from storage.history.runs import Run, insert_run

_CLAIM = """
WITH claimed AS (
  UPDATE inbox SET state = 'working', attempt = attempt + 1
  WHERE id = :question AND state IN ('received', 'working') RETURNING *
)
SELECT c.id, c.attempt, c.revision, c.workspace_id, c.conversation_id, c.person_id, c.text, p.language,
  r.answer
FROM claimed c JOIN people p ON p.id = c.person_id LEFT JOIN runs r USING (run_id)
"""
_KEEP = """
UPDATE inbox SET run_id = :run
WHERE id = :question AND state = 'working' AND attempt = :attempt AND revision = :revision AND run_id IS NULL
RETURNING id
"""
_CHANGED = """
SELECT revision <> :revision FROM inbox WHERE id = :question AND state = 'working' AND attempt = :attempt
"""
_FINISH = """
UPDATE inbox i SET state = :state, reason = :reason, finished_at = now() FROM conversations c
WHERE i.id = :question AND i.state = 'working' AND i.attempt = :attempt AND c.id = i.conversation_id
  AND (i.run_id IS NOT NULL OR :state = 'apologised')
RETURNING c.lane_id
"""
_PERSON = "SELECT FROM people WHERE id = :person FOR KEY SHARE"  # before the question, as an erasure does
_HELD = """
SELECT c.lane_id FROM inbox i JOIN conversations c ON c.id = i.conversation_id
WHERE i.id = :question AND i.state = 'working' AND i.attempt = :attempt FOR SHARE OF i
"""
_AT_WORK = """
SELECT DISTINCT ON (c.id) c.sealed_place AS place, l.shared FROM inbox i
JOIN conversations c ON c.id = i.conversation_id JOIN lanes l ON l.id = c.lane_id
WHERE i.state = 'working' AND i.workspace_id = :workspace
"""
_WAITED_FOR = """
SELECT i.workspace_id, i.sealed_message AS message, c.sealed_place AS place, l.shared, p.language,
  (SELECT max(o.sent_at) FROM outbox o WHERE o.conversation_id = c.id AND o.kind = 'post') AS posted
FROM inbox i JOIN conversations c ON c.id = i.conversation_id JOIN lanes l ON l.id = c.lane_id
LEFT JOIN people p ON p.id = i.person_id WHERE l.platform = :platform AND
"""
_PENDING = "i.state IN ('received', 'working') ORDER BY i.received_at LIMIT :most"
_ENDED = "i.received_at > now() - interval '1 day' AND i.job_id IS NOT NULL AND i.finished_at > now() - :age"


class Questions:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def claim(self, question: int) -> Claim | None:
        """Take a question to answer it. None at once if it has its end or was withdrawn."""
        async with self._ground.single() as connection:
            row = (await connection.execute(text(_CLAIM), {"question": question})).first()
        if row is None:
            return None
        return Claim(
            question=row.id,
            attempt=row.attempt,
            revision=row.revision,
            workspace=row.workspace_id,
            conversation=row.conversation_id,
            person=row.person_id,
            owner=owner_of(row.person_id),
            text=row.text,
            language=row.language,
            answer=row.answer,
        )

    async def places_at_work(self, workspace: int) -> list[Place]:
        """Where somebody's question is worked on. One whose seal is broken is left out."""
        async with self._ground.single() as connection:
            rows = (await connection.execute(text(_AT_WORK), {"workspace": workspace})).all()
        places: list[Place] = []
        for row in rows:
            with suppress(SealBroken):
                places.append(self._ground.open_place(row.place, shared=row.shared)[0])
        return places

    async def keep(self, claim: Claim, run: Run) -> None:
        """Store the answer, so that no retry pays for another or says something else. `run.person` is
        `claim.owner`.

        Raises QuestionChanged (claim it again) and ClaimLost; then nothing is stored.
        """
        async with self._ground.begin() as connection:
            await connection.execute(text(_PERSON), {"person": claim.person})
            await insert_run(connection, run)
            fields = _fields(claim) | {"run": run.run_id}
            if (await connection.execute(text(_KEEP), fields)).first() is None:
                changed = (await connection.execute(text(_CHANGED), fields)).scalar()
                raise QuestionChanged if changed else ClaimLost
            origin = Origin(claim.question, claim.workspace, claim.conversation, claim.person)
            await add_case(connection, run.run_id, run.masked, origin)

    async def show(self, claim: Claim, body: Mapping[str, Any], target: str) -> None:
        """Words of progress in the message of the part `target`. What was not sent yet is replaced.

        Raises ClaimLost.
        """
        async with self._ground.begin() as connection:
            lane = await _lane(connection, _HELD, _fields(claim))
            part = Part(PROGRESS, body, "edit", target)
            await show_progress(connection, claim.question, lane, part, claim.conversation)

    async def finish(
        self, claim: Claim, state: Final, parts: Sequence[Part], reason: str | None = None
    ) -> None:
        """The end of a question, with what is to be sent, in one transaction. `reason` is a code.

        `answered` and `abstained` need a stored answer. Raises ClaimLost.
        """
        async with self._ground.begin() as connection:
            lane = await _lane(connection, _FINISH, _fields(claim) | {"state": state, "reason": reason})
            await drop_progress(connection, claim.question, lane)
            await add_parts(connection, claim.question, lane, parts, conversation=claim.conversation)
            await tally(connection, claim.workspace, f"end:{state}")

    async def pending(self, platform: Platform, most: int) -> list[Pending]:
        """Questions without an end, those first that wait longest."""
        return await self._waited_for(_PENDING, {"platform": platform, "most": most})

    async def ended(self, platform: Platform, age: timedelta) -> list[Pending]:
        """Questions of the queue whose end is no older than that."""
        return await self._waited_for(_ENDED, {"platform": platform, "age": age})

    async def _waited_for(self, which: str, fields: dict[str, Any]) -> list[Pending]:
        """Without those whose place cannot be opened any more."""
        async with self._ground.single() as connection:
            rows = (await connection.execute(text(f"{_WAITED_FOR} {which}"), fields)).all()
        found = []
        for row in rows:
            with suppress(SealBroken):
                place, _ = self._ground.open_place(row.place, shared=row.shared)
                message = self._ground.open_message(row.message)
                found.append(Pending(row.workspace_id, place, message, row.language, row.posted))
        return found


async def _lane(connection: AsyncConnection, statement: str, fields: dict[str, Any]) -> int:
    lane = (await connection.execute(text(statement), fields)).scalar()
    if lane is None:
        raise ClaimLost
    return int(lane)


def _fields(claim: Claim) -> dict[str, Any]:
    return {"question": claim.question, "attempt": claim.attempt, "revision": claim.revision}
