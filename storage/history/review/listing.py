"""The list of cases: filters, full-text search, and pages by the last row of the one before.

A filter that is not given is not in the statement, so that each one is planned for what it asks; every filter
has an index that also gives the order. Words are searched in masked text only, as PostgreSQL's
`websearch_to_tsquery` reads them ("quoted phrase", or, -not), without stemming.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import text

from storage.history.chat.ground import Ground
from storage.history.review.access import Actor
from storage.history.review.audit import Event, write
from storage.history.review.people import without_ids
from storage.text import clean_text
from storage.words import IDEOGRAPH

MARKS = "\ue000", "\ue001"  # around a found word of an excerpt; of the private use area, to be escaped around
SPACED = r" \g<0> "
_EXCERPT = 280  # characters
_HEADLINE = f"StartSel={MARKS[0]},StopSel={MARKS[1]},MaxFragments=2,MaxWords=24,MinWords=8"

_CONDITIONS = {
    "platform": "c.platform = :platform",
    "workspace": "c.workspace_id = :workspace",
    "conversation": "c.conversation_id = :conversation",
    "method": "c.method = :method",
    "language": "c.language = :language",
    "since": "c.asked_at >= :since",
    "until": "c.asked_at < :until",
    "triage": "c.triage = :triage",
    "feedback": "c.feedback = :feedback",
    "verdict": "c.verdict = :verdict",
    "severity": "c.severity = :severity AND c.verdict IS NOT NULL",
    "state": "c.state = :state",
    "cause": "c.cause = :cause AND c.state IS NOT NULL",
    "assigned_to": "c.assigned_to = :assigned_to",
    "words": "c.words @@ websearch_to_tsquery('simple', :words)",
}
_FLAGS = {
    "flagged": ("c.triage IN ('urgent', 'emergency', 'self_harm')", "c.triage = 'none'"),
    "abstained": ("c.abstained", "NOT c.abstained"),
    "degraded": ("c.degraded", "NOT c.degraded"),
    "assigned": ("c.assigned_to IS NOT NULL", "c.assigned_to IS NULL"),
    "queued": ("c.state IN ('open', 'assigned', 'submitted', 'disputed')", "c.state IS NULL"),
    "second": (
        "(c.state = 'submitted' AND c.verdict = 'unsafe' OR c.state = 'disputed')",
        "NOT (c.state = 'submitted' AND c.verdict = 'unsafe' OR c.state = 'disputed')",
    ),
    "red_flag": ("c.cause = 'red_flag' AND c.state IS NOT NULL", "c.cause <> 'red_flag'"),
    "waiting": ("c.state IN ('open', 'assigned')", "NOT c.state IN ('open', 'assigned')"),
}
_LIST = """
WITH page AS (
  SELECT c.* FROM cases c WHERE {where} ORDER BY c.asked_at {way}, c.run_id {way} LIMIT :limit
)
SELECT c.run_id, c.conversation_id, c.workspace_id, c.platform, c.asked_at, c.method, c.language, c.triage,
  c.abstained, c.degraded, c.feedback, c.state, c.cause, c.queued_at, c.verdict, c.severity, c.assigned_to,
  s.name AS assigned_name, p.hash AS person, {excerpt} AS excerpt
FROM page c LEFT JOIN people p ON p.id = c.person_id LEFT JOIN staff s ON s.id = c.assigned_to
ORDER BY c.asked_at {way}, c.run_id {way}
"""
_START = f"left(c.masked, {_EXCERPT})"
_FOUND = f"ts_headline('simple', c.masked, websearch_to_tsquery('simple', :words), '{_HEADLINE}')"


@dataclass(frozen=True, slots=True)
class Filters:
    """What is None is not asked for. `words` are a patient's: never in an address, a log or a saved filter.

    `flagged`: triage found a warning sign. `queued`: in the queue and not yet confirmed. `waiting`: nobody
    reviewed it yet. `red_flag`: that is why it is in the queue. `second`: another reviewer is needed, as it
    was found unsafe or is disputed.
    """

    platform: str | None = None
    workspace: int | None = None
    conversation: int | None = None
    method: str | None = None
    language: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    triage: str | None = None
    flagged: bool | None = None
    feedback: str | None = None
    abstained: bool | None = None
    degraded: bool | None = None
    verdict: str | None = None
    severity: str | None = None
    state: str | None = None
    cause: str | None = None
    queued: bool | None = None
    waiting: bool | None = None
    red_flag: bool | None = None
    second: bool | None = None
    assigned: bool | None = None
    assigned_to: int | None = None
    words: str | None = field(default=None, repr=False)

    def given(self) -> dict[str, Any]:
        """What is asked for."""
        return {name: value for name, value in asdict(self).items() if value is not None and value != ""}


@dataclass(frozen=True, slots=True)
class Case:
    """An answer in a list. `person` is a pseudonym; `excerpt` is masked, found words between MARKS, and None
    until it was read.
    """

    run_id: str
    conversation: int | None
    workspace: int | None
    platform: str
    person: str
    asked_at: datetime
    method: str
    language: str
    triage: str
    abstained: bool
    degraded: bool
    feedback: str | None
    state: str | None
    cause: str | None
    queued_at: datetime | None
    verdict: str | None
    severity: str | None
    assigned_to: int | None
    assigned_name: str | None
    excerpt: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Page:
    """`after` leads to the next page; None at the end."""

    cases: tuple[Case, ...]
    after: str | None = None


class Listing:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def find(
        self,
        actor: Actor,
        filters: Filters,
        *,
        after: str | None = None,
        limit: int = 50,
        oldest_first: bool = False,
        audited: bool = True,
    ) -> Page:
        """A page of what the actor may see; written into the audit, unless it is the same search again.

        An `after` that no page gave begins at the start.
        """
        statement, params = _statement(actor, filters, after, oldest_first)
        async with self._ground.begin() as connection:
            rows = (await connection.execute(text(statement), params | {"limit": limit + 1})).all()
            if audited:
                await write(connection, actor, self._event(filters))
        cases = tuple(Case(**without_ids(self._ground.seals, row)) for row in rows[:limit])
        return Page(cases, _place(cases[-1]) if len(rows) > limit else None)

    def _event(self, filters: Filters) -> Event:
        """What was asked for, but of the words only that they were the same as in another search."""
        given = {name: str(value) for name, value in filters.given().items()}
        if "words" in given:
            given["words"] = self._ground.seals.hash("search", given["words"]).hex()[:16]
        subject = " ".join(f"{name}={value}" for name, value in sorted(given.items()))
        return Event("search" if "words" in given else "list", "cases", subject or None, filters.workspace)


def conditions(actor: Actor, filters: Filters) -> tuple[str, dict[str, Any]]:
    """What a statement on `cases c` asks for, with its parameters."""
    given = filters.given()
    found = [actor.sees("c.workspace_id")]
    for name, value in list(given.items()):
        if name in _FLAGS:
            found.append(_FLAGS[name][0 if given.pop(name) else 1])
        else:
            found.append(_CONDITIONS[name])
            given[name] = _spaced(value) if name == "words" else value
    return " AND ".join(found), given | actor.fields


def _statement(
    actor: Actor, filters: Filters, after: str | None, oldest_first: bool
) -> tuple[str, dict[str, Any]]:
    where, params = conditions(actor, filters)
    if place := _read_place(after):
        where += f" AND (c.asked_at, c.run_id) {'>' if oldest_first else '<'} (:asked_at, :run_id)"
        params |= place
    excerpt = _FOUND if "words" in params else _START
    way = "ASC" if oldest_first else "DESC"
    return _LIST.format(where=where, way=way, excerpt=excerpt), params


def _spaced(words: str) -> str:
    """Chinese and Japanese as phrases of characters, as the index has them."""
    parts = clean_text(words).split()
    return " ".join(f'"{IDEOGRAPH.sub(SPACED, part)}"' if IDEOGRAPH.search(part) else part for part in parts)


def _place(case: Case) -> str:
    words = json.dumps([case.asked_at.isoformat(), case.run_id])
    return base64.urlsafe_b64encode(words.encode()).decode("ascii")


def _read_place(after: str | None) -> dict[str, Any] | None:
    try:
        asked_at, run_id = json.loads(base64.urlsafe_b64decode(after or ""))
        return {"asked_at": datetime.fromisoformat(asked_at), "run_id": str(run_id)}
    except (binascii.Error, ValueError, TypeError):
        return None
