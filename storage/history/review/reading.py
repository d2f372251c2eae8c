"""One conversation whole, as a reviewer opens it by one of its answers; and who a pseudonym is."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.errors import NotThere
from storage.history.chat.ground import Ground
from storage.history.chat.holding import held
from storage.history.review.access import Actor
from storage.history.review.audit import Event, checked_reason, write
from storage.history.review.people import pseudonym
from storage.history.review.reviews import Review, read_reviews

MOST = 100  # questions of a conversation that are shown: those up to the opened one, and some after

_FIND = f"""
SELECT c.run_id, c.conversation_id, c.workspace_id, c.platform, c.state, c.cause, c.verdict, c.severity,
  c.assigned_to, s.name AS assigned_name, r.trace, i.id AS question, c.asked_at,
  {held("c")} AS held
FROM cases c JOIN runs r USING (run_id) LEFT JOIN inbox i ON i.run_id = c.run_id
LEFT JOIN staff s ON s.id = c.assigned_to WHERE c.run_id = :run AND {{sees}}
"""
_TALK = """
SELECT i.id AS question, i.run_id, i.text, i.edited_text, i.revision, i.state, i.reason, i.received_at,
  i.finished_at, p.hash AS person, r.answer, c.verdict, c.state AS review
FROM (
  (SELECT * FROM inbox WHERE conversation_id = :conversation AND id <= :question ORDER BY id DESC LIMIT :most)
  UNION ALL
  (SELECT * FROM inbox WHERE conversation_id = :conversation AND id > :question ORDER BY id LIMIT 10)
) i LEFT JOIN people p ON p.id = i.person_id LEFT JOIN runs r ON r.run_id = i.run_id
LEFT JOIN cases c ON c.run_id = i.run_id WHERE i.kind = 'question' ORDER BY i.id
"""
_ALONE = """
SELECT NULL AS question, r.run_id, r.question AS text, NULL AS edited_text, 0 AS revision,
  CASE WHEN r.abstained THEN 'abstained' ELSE 'answered' END AS state, NULL AS reason,
  r.asked_at AS received_at, r.asked_at AS finished_at, NULL AS person, r.answer, c.verdict, c.state AS review
FROM runs r JOIN cases c USING (run_id) WHERE r.run_id = :run
"""
_CITED = """
SELECT c.run_id, c.n, c.doc_id, c.pmid, c.title, c.url, c.quote, c.standing, s.standing AS now
FROM citations c LEFT JOIN cited_standings s USING (pmid) WHERE c.run_id = ANY(:runs) ORDER BY c.run_id, c.n
"""
_THOUGHT = """
SELECT f.run_id, f.helpful, f.reason, f.given_at, p.hash AS person FROM feedback f
JOIN people p ON p.id = f.person_id WHERE f.run_id = ANY(:runs) ORDER BY f.given_at
"""
_WHO = """
SELECT p.sealed_id, c.workspace_id FROM cases c JOIN people p ON p.id = c.person_id
WHERE c.run_id = :run AND {sees}
"""


@dataclass(frozen=True, slots=True)
class Cited:
    """A source as it was shown then, and its standing since, if that was looked up."""

    n: int
    doc_id: str
    pmid: str | None
    title: str
    url: str | None
    quote: str = field(repr=False)
    standing: str
    now: str | None

    @property
    def changed(self) -> bool:
        return self.now is not None and self.now != self.standing


@dataclass(frozen=True, slots=True)
class Thought:
    """What somebody thinks of an answer; `person` is a pseudonym."""

    helpful: bool
    reason: str | None
    given_at: datetime
    person: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and what came of it. `answer` is the object of `ask --json`; `revision` counts edits before
    the answer, `edited` is how it was worded after it.
    """

    question: int | None
    run_id: str | None
    person: str
    text: str | None = field(repr=False)
    edited: str | None = field(repr=False)
    revision: int
    state: str
    reason: str | None
    received_at: datetime
    finished_at: datetime | None
    answer: dict[str, Any] | None = field(repr=False)
    verdict: str | None
    review: str | None
    citations: tuple[Cited, ...] = ()
    thoughts: tuple[Thought, ...] = ()


@dataclass(frozen=True, slots=True)
class Dossier:
    """A conversation, opened at the answer `run_id`, whose trace and reviews these are; of drafts only the
    reader's own. `held`: a legal hold covers it.
    """

    run_id: str
    conversation: int | None
    workspace: int | None
    platform: str
    state: str | None
    cause: str | None
    verdict: str | None
    severity: str | None
    assigned_to: int | None
    assigned_name: str | None
    held: bool
    exchanges: tuple[Exchange, ...]
    trace: list[dict[str, Any]] = field(repr=False)
    reviews: tuple[Review, ...] = ()

    @property
    def opened(self) -> Exchange:
        return next(exchange for exchange in self.exchanges if exchange.run_id == self.run_id)


class Reading:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def read(self, actor: Actor, run_id: str) -> Dossier:
        """In eight statements, the audit's among them. Raises NotThere, also for what is beyond the actor."""
        async with self._ground.begin() as connection:
            case = await find_case(connection, actor, run_id)
            if case.conversation_id is None or case.question is None:
                rows = (await connection.execute(text(_ALONE), {"run": run_id})).all()
            else:
                fields = {"conversation": case.conversation_id, "question": case.question, "most": MOST}
                rows = (await connection.execute(text(_TALK), fields)).all()
            runs = {"runs": [row.run_id for row in rows if row.run_id]}
            cited = (await connection.execute(text(_CITED), runs)).all()
            thought = (await connection.execute(text(_THOUGHT), runs)).all()
            reviews = [
                review
                for review in await read_reviews(connection, run_id)
                if not review.draft or review.account == actor.account
            ]
            await write(connection, actor, Event("view", "answer", run_id, case.workspace_id))
        exchanges = tuple(self._exchange(row, case.platform, cited, thought) for row in rows)
        return Dossier(
            run_id=run_id,
            conversation=case.conversation_id,
            workspace=case.workspace_id,
            platform=case.platform,
            state=case.state,
            cause=case.cause,
            verdict=case.verdict,
            severity=case.severity,
            assigned_to=case.assigned_to,
            assigned_name=case.assigned_name,
            held=case.held,
            exchanges=exchanges,
            trace=case.trace,
            reviews=tuple(reviews),
        )

    async def reveal(self, actor: Actor, run_id: str, reason: str) -> str:
        """The platform's id of who asked. Raises ReasonMissing, NotThere, SealBroken."""
        reason = checked_reason(reason)
        fields = {"run": run_id} | actor.fields
        async with self._ground.begin() as connection:
            query = text(_WHO.format(sees=actor.sees("c.workspace_id")))
            row = (await connection.execute(query, fields)).first()
            if row is None:
                raise NotThere
            person = self._ground.seals.open("person", row.sealed_id)
            await write(connection, actor, Event("reveal", "answer", run_id, row.workspace_id, reason))
        return person

    def _exchange(self, row: Any, platform: str, cited: Any, thought: Any) -> Exchange:
        seals = self._ground.seals
        return Exchange(
            question=row.question,
            run_id=row.run_id,
            person=pseudonym(seals, row.person, platform),
            text=row.text,
            edited=row.edited_text,
            revision=row.revision,
            state=row.state,
            reason=row.reason,
            received_at=row.received_at,
            finished_at=row.finished_at,
            answer=row.answer,
            verdict=row.verdict,
            review=row.review,
            citations=tuple(Cited(*item[1:]) for item in cited if item.run_id == row.run_id),
            thoughts=tuple(
                Thought(item.helpful, item.reason, item.given_at, pseudonym(seals, item.person, platform))
                for item in thought
                if item.run_id == row.run_id
            ),
        )


async def find_case(connection: AsyncConnection, actor: Actor, run_id: str) -> Any:
    """Raises NotThere."""
    query = text(_FIND.format(sees=actor.sees("c.workspace_id")))
    row = (await connection.execute(query, {"run": run_id} | actor.fields)).first()
    if row is None:
        raise NotThere
    return row
