"""What leaves the house: whole answers with their evidence and reviews, for a stated purpose.

We keep no copy. Which answers went out is kept, so that an erasure can say whose copies to recall.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import text

from storage.history.chat.ground import Ground
from storage.history.review.access import Actor
from storage.history.review.audit import Event, checked_reason, write
from storage.history.review.listing import Filters, conditions
from storage.history.review.people import without_ids

_AT_ONCE = 100
_ROWS = """
SELECT c.run_id, c.conversation_id, c.workspace_id, c.platform, c.asked_at, c.method, c.language, c.triage,
  c.abstained, c.degraded, c.feedback, c.state, c.verdict, c.severity, r.question, r.answer, p.hash AS person,
  (SELECT coalesce(json_agg(json_build_object('verdict', v.verdict, 'severity', v.severity,
     'corrected', v.corrected, 'note', v.note, 'reviewer', s.name) ORDER BY v.changed_at), '[]')
   FROM reviews v JOIN staff s ON s.id = v.account_id WHERE v.run_id = c.run_id AND NOT v.draft) AS reviews
FROM cases c JOIN runs r USING (run_id) LEFT JOIN people p ON p.id = c.person_id
WHERE {where} ORDER BY c.asked_at, c.run_id
"""
_BEGIN = "INSERT INTO exports (account_id, format, rows) VALUES (:account, :format, 0) RETURNING id"
_WENT = "INSERT INTO exported_cases (run_id, export_id) VALUES (:run, :export)"
_COUNT = "UPDATE exports SET rows = :rows WHERE id = :export"


@dataclass(frozen=True, slots=True)
class Exported:
    """An answer as it leaves. `person` is a pseudonym; question and answer are as they were, not masked."""

    run_id: str
    conversation: int | None
    workspace: int | None
    platform: str
    asked_at: str  # ISO 8601
    method: str
    language: str
    triage: str
    abstained: bool
    degraded: bool
    feedback: str | None
    state: str | None
    verdict: str | None
    severity: str | None
    question: str = field(repr=False)
    answer: dict[str, Any] = field(repr=False)
    person: str
    reviews: list[dict[str, Any]] = field(repr=False)


class Exports:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def stream(
        self, actor: Actor, filters: Filters, purpose: str, format: str
    ) -> AsyncGenerator[Exported, None]:
        """Rows as they are read, the oldest first; the audit knows of it before the first one leaves.

        Raises ReasonMissing.
        """
        purpose = checked_reason(purpose)
        where, params = conditions(actor, filters)
        async with self._ground.begin() as connection:
            fields = {"account": actor.account, "format": format}
            export = (await connection.execute(text(_BEGIN), fields)).scalar_one()
            await write(connection, actor, Event("export", "export", str(export), filters.workspace, purpose))
        count = 0
        query = text(_ROWS.format(where=where))
        async with (
            self._ground.begin() as reading,
            reading.stream(query, params, execution_options={"yield_per": _AT_ONCE}) as rows,
        ):
            async for part in rows.partitions(_AT_ONCE):
                count += len(part)
                async with self._ground.begin() as noting:
                    went = [{"run": row.run_id, "export": export} for row in part]
                    await noting.execute(text(_WENT), went)
                    await noting.execute(text(_COUNT), {"rows": count, "export": export})
                for row in part:
                    try:
                        yield self._exported(row)
                    except GeneratorExit:  # SQLAlchemy leaves its cursor open on that, but not on a return
                        return

    def _exported(self, row: Any) -> Exported:
        values = without_ids(self._ground.seals, row)
        return Exported(**values | {"asked_at": row.asked_at.isoformat()})
