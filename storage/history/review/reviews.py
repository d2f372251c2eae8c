"""Judging answers: the queue, who has which, verdicts, and the second reviewer of what was found unsafe.

(no queue) ─> open <─> assigned ─> submitted ─> confirmed
                                       └──> disputed ──┘

A first verdict is `submitted`; it stays so unless it is "unsafe", which somebody else must judge as well. The
same verdict by a second reviewer confirms it, another one makes it disputed, and then a lead's stands.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.errors import NotThere, ReviewRefused
from storage.history.cases import CORRECTED
from storage.history.chat.ground import Ground
from storage.history.review.access import Actor
from storage.history.review.audit import Event, write
from storage.history.review_tables import SEVERITIES, VERDICTS
from storage.text import clean_text

LONGEST = 20_000  # characters of a corrected answer or a note
MOST = 200  # accounts to choose from

_LOCK = """
SELECT run_id, workspace_id, state, verdict, assigned_to FROM cases WHERE run_id = :run AND {sees} FOR UPDATE
"""
_OF_CASE = """
SELECT r.account_id, s.name, r.draft, r.verdict, r.severity, r.corrected, r.note, r.changed_at
FROM reviews r JOIN staff s ON s.id = r.account_id WHERE r.run_id = :run ORDER BY r.changed_at
"""
_KEEP = """
INSERT INTO reviews (run_id, account_id, draft, verdict, severity, corrected, note)
VALUES (:run, :account, :draft, :verdict, :severity, :corrected, :note)
ON CONFLICT (run_id, account_id) DO UPDATE SET draft = excluded.draft, verdict = excluded.verdict,
  severity = excluded.severity, corrected = excluded.corrected, note = excluded.note, changed_at = now()
WHERE reviews.draft OR NOT excluded.draft
RETURNING account_id
"""
_JUDGE = """
UPDATE cases SET state = :state, verdict = :verdict, severity = :severity, reviewed_at = now(),
  cause = coalesce(cause, 'asked'), queued_at = coalesce(queued_at, now()), assigned_to = :assigned
WHERE run_id = :run
"""
_ASSIGN = """
UPDATE cases SET assigned_to = CAST(:account AS bigint), cause = coalesce(cause, 'asked'),
  queued_at = coalesce(queued_at, now()),
  state = CASE WHEN state IS NULL OR state IN ('open', 'assigned')
    THEN CASE WHEN CAST(:account AS bigint) IS NULL THEN 'open' ELSE 'assigned' END ELSE state END
WHERE run_id = :run
"""
_MAY_REVIEW = """
SELECT 1 FROM grants g JOIN staff s ON s.id = g.account_id AND s.disabled_at IS NULL
WHERE g.account_id = :account AND g.role IN ('reviewer', 'lead')
  AND (g.workspace_id IS NULL OR g.workspace_id = :workspace) LIMIT 1
"""
_REVIEWERS = f"""
SELECT DISTINCT s.id, s.name FROM cases c
JOIN grants g ON g.role IN ('reviewer', 'lead')
  AND (g.workspace_id IS NULL OR g.workspace_id = c.workspace_id)
JOIN staff s ON s.id = g.account_id AND s.disabled_at IS NULL
WHERE c.run_id = :run AND {{sees}} ORDER BY s.name, s.id LIMIT {MOST}
"""
_CORRECTIONS = f"""
SELECT k.run_id, r.question, r.answer, k.verdict, given.corrected FROM cases k
JOIN runs r USING (run_id) JOIN LATERAL (SELECT {CORRECTED} AS corrected) given ON given.corrected IS NOT NULL
WHERE k.verdict IN ('incomplete', 'unsupported', 'unsafe') AND {{sees}} ORDER BY k.asked_at
"""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a reviewer found. `corrected` is the answer as it should have been."""

    verdict: str | None = None
    severity: str | None = None
    corrected: str | None = field(default=None, repr=False)
    note: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewer's judgement as it is kept."""

    account: int
    name: str
    draft: bool
    verdict: str | None
    severity: str | None
    corrected: str | None = field(repr=False)
    note: str | None = field(repr=False)
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Correction:
    """An answer with what it should have been: a case for regression."""

    run_id: str
    question: str = field(repr=False)
    answer: dict[str, Any] = field(repr=False)
    verdict: str
    corrected: str = field(repr=False)


class Reviews:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def assign(self, actor: Actor, run_id: str, account: int | None) -> None:
        """Give a case to somebody who may review it, or back to all. Raises NotThere, ReviewRefused."""
        async with self._ground.begin() as connection:
            await _give(connection, actor, await _lock(connection, actor, run_id), account)

    async def take(self, actor: Actor, run_id: str) -> None:
        """For the actor, unless somebody else is at it. Raises NotThere, ReviewRefused."""
        if actor.account is None:
            raise ReviewRefused("Only an account can review.")
        async with self._ground.begin() as connection:
            case = await _lock(connection, actor, run_id)
            if case.assigned_to not in (None, actor.account) and case.state in ("open", "assigned"):
                raise ReviewRefused("Somebody else has it.", remedy="Ask them, or a lead, to hand it over.")
            await _give(connection, actor, case, actor.account)

    async def give_back(self, actor: Actor, run_id: str) -> None:
        """What the actor took, to all. Raises NotThere, ReviewRefused."""
        async with self._ground.begin() as connection:
            case = await _lock(connection, actor, run_id)
            if case.assigned_to is None or case.assigned_to != actor.account:
                raise ReviewRefused("It is not yours to give back.")
            await _give(connection, actor, case, None)

    async def reviewers(self, actor: Actor, run_id: str) -> tuple[tuple[int, str], ...]:
        """(account, name) of those who may review a case, by name; nobody where it is beyond the actor."""
        query = text(_REVIEWERS.format(sees=actor.sees("c.workspace_id")))
        async with self._ground.single() as connection:
            rows = (await connection.execute(query, {"run": run_id} | actor.fields)).all()
        return tuple((row.id, row.name) for row in rows)

    async def keep_draft(self, actor: Actor, run_id: str, judgement: Judgement) -> None:
        """What somebody has written so far; only they see it. Nothing once they submitted.

        Raises NotThere, ReviewRefused.
        """
        async with self._ground.begin() as connection:
            await _lock(connection, actor, run_id)
            await _keep(connection, actor, run_id, judgement, draft=True)

    async def submit(self, actor: Actor, run_id: str, judgement: Judgement) -> str:
        """The state that the case is in afterwards. Raises NotThere, ReviewRefused."""
        if judgement.verdict is None:
            raise ReviewRefused("It has no verdict.", remedy="Choose one.")
        async with self._ground.begin() as connection:
            case = await _lock(connection, actor, run_id)
            await _keep(connection, actor, run_id, judgement, draft=False)
            others = [
                review.verdict
                for review in await read_reviews(connection, run_id)
                if not review.draft and review.account != actor.account
            ]
            state = _next_state(actor, judgement, case.state, others)
            verdict = judgement.verdict
            if state == "disputed":  # until a lead decides, the gravest stands
                verdict = max(filter(None, (*others, verdict)), key=VERDICTS.index)
            fields: dict[str, Any] = {
                "run": run_id,
                "state": state,
                "verdict": verdict,
                "severity": judgement.severity,
            }
            fields["assigned"] = actor.account
            await connection.execute(text(_JUDGE), fields)
            action = f"review {judgement.verdict} ({state})"
            await write(connection, actor, Event(action, "answer", run_id, case.workspace_id))
        return state

    async def corrections(self, actor: Actor) -> list[Correction]:
        """Corrected answers, the oldest first."""
        query = text(_CORRECTIONS.format(sees=actor.sees("k.workspace_id")))
        async with self._ground.begin() as connection:
            rows = (await connection.execute(query, actor.fields)).all()
            await write(connection, actor, Event("read", "corrections"))
        return [Correction(*row) for row in rows]


def _next_state(actor: Actor, judgement: Judgement, state: str | None, others: list[str | None]) -> str:
    if not others:
        return "submitted"
    if judgement.verdict in others or (actor.role == "lead" and state == "disputed"):
        return "confirmed"
    return "disputed"


async def read_reviews(connection: AsyncConnection, run_id: str) -> list[Review]:
    """The oldest first, drafts too."""
    return [Review(*row) for row in await connection.execute(text(_OF_CASE), {"run": run_id})]


async def _lock(connection: AsyncConnection, actor: Actor, run_id: str) -> Any:
    query = text(_LOCK.format(sees=actor.sees("workspace_id")))
    row = (await connection.execute(query, {"run": run_id} | actor.fields)).first()
    if row is None:
        raise NotThere
    return row


async def _give(connection: AsyncConnection, actor: Actor, case: Any, account: int | None) -> None:
    fields = {"run": case.run_id, "account": account, "workspace": case.workspace_id}
    if account is not None and (await connection.execute(text(_MAY_REVIEW), fields)).first() is None:
        raise ReviewRefused("That account may not review it.")
    await connection.execute(text(_ASSIGN), fields)
    to = "back" if account is None else f"to account:{account}"
    await write(connection, actor, Event(f"assign {to}", "answer", case.run_id, case.workspace_id))


async def _keep(
    connection: AsyncConnection, actor: Actor, run_id: str, judgement: Judgement, *, draft: bool
) -> None:
    if actor.account is None:
        raise ReviewRefused("Only an account can review.")
    if judgement.verdict not in (None, *VERDICTS) or judgement.severity not in (None, *SEVERITIES):
        raise ReviewRefused("There is no such verdict or severity.")
    words = {
        name: (clean_text(value).strip() or None) if value else None
        for name, value in asdict(judgement).items()
    }
    if any(len(value or "") > LONGEST for value in words.values()):
        raise ReviewRefused(f"Up to {LONGEST:,} characters are kept.", remedy="Shorten it.")
    fields = {"run": run_id, "account": actor.account, "draft": draft}
    await connection.execute(text(_KEEP), fields | words)
