"""Runs of `ask`, with snapshots of what they cited."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from storage.database import connect
from storage.history import standings
from storage.history.cases import add_case, queue_overtaken, read_masked
from storage.text import clean_json

if TYPE_CHECKING:
    from storage.history.chat.retention import Forgotten

KEPT_DAYS = 180  # our choice


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A citation as it was shown then."""

    n: int
    doc_id: str
    pmid: str | None
    title: str
    url: str | None
    quote: str
    standing: str


@dataclass(frozen=True, slots=True)
class StoredSearch:
    """What a search replied, as JSON, and when the door gave it."""

    reply: dict[str, Any] = field(repr=False)
    kept_at: datetime


@dataclass(frozen=True, slots=True)
class Run:
    """One question with its answer and trace, as JSON."""

    run_id: str
    person: str
    question: str
    language: str
    triage: str
    method: str
    ran: str
    abstained: bool
    answer: dict[str, Any]
    trace: list[dict[str, Any]]
    citations: Sequence[CitedSource]
    replies: Mapping[str, dict[str, Any]] = field(default_factory=dict)  # of models, by key
    searches: Mapping[str, StoredSearch] = field(default_factory=dict)  # by key
    masked: str | None = field(default=None, repr=False)  # question and answer without personal details


_RUN = """
INSERT INTO runs (run_id, person, question, language, triage, method, ran, abstained, answer, trace,
                  expires_at)
VALUES (:run_id, :person, :question, :language, :triage, :method, :ran, :abstained,
        CAST(:answer AS jsonb), CAST(:trace AS jsonb), :expires_at)
"""
_CITATION = """
INSERT INTO citations (run_id, n, doc_id, pmid, title, url, quote, standing)
VALUES (:run_id, :n, :doc_id, :pmid, :title, :url, :quote, :standing)
"""
_REPLY = "INSERT INTO model_replies (run_id, key, reply) VALUES (:run_id, :key, CAST(:reply AS jsonb))"
_SEARCH = """
INSERT INTO search_replies (run_id, key, reply, kept_at)
VALUES (:run_id, :key, CAST(:reply AS jsonb), :kept_at)
"""
# Those of chats go with their question, as its workspace has it.
DROP_EXPIRED = """
WITH gone AS (
  DELETE FROM runs r WHERE expires_at < now() AND NOT EXISTS (SELECT FROM inbox WHERE run_id = r.run_id)
  RETURNING run_id
)
DELETE FROM audit_reasons WHERE audit_id IN (
  SELECT a.id FROM audit a JOIN gone ON a.subject_kind = 'answer' AND a.subject_id = gone.run_id)
"""
_FIND_SEARCH = """
SELECT s.reply, s.kept_at FROM search_replies s JOIN runs r USING (run_id)
WHERE s.key = :key AND s.kept_at >= :since AND r.expires_at > now() ORDER BY s.kept_at DESC LIMIT 1
"""
_FIND_REPLY = """
SELECT m.reply FROM model_replies m JOIN runs r USING (run_id)
WHERE m.key = :key AND r.expires_at > now() ORDER BY r.asked_at DESC LIMIT 1
"""


async def insert_run(connection: AsyncConnection, run: Run) -> None:
    """A run with its citations and the replies of models and searches, as part of a transaction, in which
    `add_case` follows.
    """
    fields = clean_json(asdict(run))
    fields.pop("masked")
    citations = [row | {"run_id": fields["run_id"]} for row in fields.pop("citations")]
    replies = [
        {"run_id": fields["run_id"], "key": key, "reply": json.dumps(reply, ensure_ascii=False)}
        for key, reply in fields.pop("replies").items()
    ]
    searches = [
        {**found, "run_id": fields["run_id"], "key": key, "reply": json.dumps(found["reply"])}
        for key, found in fields.pop("searches").items()
    ]
    for name in ("answer", "trace"):
        fields[name] = json.dumps(fields[name], ensure_ascii=False)
    fields["expires_at"] = datetime.now(UTC) + timedelta(days=KEPT_DAYS)
    await connection.execute(text(_RUN), fields)
    if citations:
        await connection.execute(text(_CITATION), citations)
    if replies:
        await connection.execute(text(_REPLY), replies)
    if searches:
        await connection.execute(text(_SEARCH), searches)


class History:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._reading = engine.execution_options(isolation_level="AUTOCOMMIT")  # no BEGIN, no COMMIT

    async def store_run(self, run: Run) -> None:
        """Keep a run with its citations and the replies of models and searches in one transaction; expired
        runs go.

        Raises ServerUnavailable.
        """
        async with connect(self._engine) as connection:
            await connection.execute(text(DROP_EXPIRED))
            await insert_run(connection, run)
            await add_case(connection, run.run_id, run.masked)

    async def find_reply(self, key: str) -> dict[str, Any] | None:
        """What a model replied to the same request, in the latest run that is still kept."""
        async with connect(self._reading) as connection:
            return (await connection.execute(text(_FIND_REPLY), {"key": key})).scalar()

    async def find_search(self, key: str, since: datetime) -> StoredSearch | None:
        """The newest reply to the same search that is no older, of a run that is still kept."""
        async with connect(self._reading) as connection:
            row = (await connection.execute(text(_FIND_SEARCH), {"key": key, "since": since})).first()
        return StoredSearch(row.reply, row.kept_at) if row else None

    async def read_run(self, run_id: str) -> dict[str, Any] | None:
        """The object that `ask --json` printed."""
        query = text("SELECT answer FROM runs WHERE run_id = :id")
        async with connect(self._reading) as connection:
            return (await connection.execute(query, {"id": run_id})).scalar()

    async def count_runs(self) -> int:
        async with connect(self._reading) as connection:
            return int((await connection.execute(text("SELECT count(*) FROM runs"))).scalar_one())

    async def forget_old(self) -> Forgotten:
        """A batch of what is older than it is kept, runs and chats."""
        from storage.history.chat.retention import forget_old

        return await forget_old(self._engine)

    async def due_citations(
        self, before: datetime, skip: Collection[str], limit: int
    ) -> list[standings.CitedArticle]:
        async with connect(self._reading) as connection:
            return await standings.due_citations(connection, before, skip, limit)

    async def note_standings(self, found: Sequence[standings.CitedStanding]) -> None:
        async with connect(self._engine) as connection:
            await standings.note_standings(connection, found)

    async def queue_overtaken(self) -> list[str]:
        """Answers whose evidence was retracted since go into the queue of the reviewers; their run ids."""
        async with connect(self._engine) as connection:
            return await queue_overtaken(connection)

    async def make_searchable(self, mask: Callable[[str, str], str]) -> bool:
        """A batch of answers that were kept before there was a search; whether there may be more."""
        async with connect(self._engine) as connection:
            return await read_masked(connection, mask)

    async def find_overtaken_runs(self) -> list[str]:
        async with connect(self._reading) as connection:
            return await standings.find_overtaken_runs(connection)
