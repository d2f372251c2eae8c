"""Counts for the dashboards, over the days that are asked for. None names anybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import text

from storage.history.chat.ground import Ground
from storage.history.review.access import Actor
from storage.history.review.audit import Event, write

_DAYS = """
SELECT (c.asked_at AT TIME ZONE 'UTC')::date AS day, count(*), count(*) FILTER (WHERE c.abstained),
  count(*) FILTER (WHERE c.degraded), count(*) FILTER (WHERE c.triage <> 'none'),
  count(*) FILTER (WHERE c.feedback = 'helpful'), count(*) FILTER (WHERE c.feedback = 'unhelpful'),
  count(*) FILTER (WHERE c.verdict IS NOT NULL),
  count(*) FILTER (WHERE c.verdict IN ('unsupported', 'unsafe')),
  percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds), percentile_cont(0.95) WITHIN GROUP (ORDER BY seconds)
FROM cases c
WHERE c.asked_at >= :since AND c.asked_at < :until AND {sees} GROUP BY 1 ORDER BY 1
"""
_ROUTES = """
SELECT c.method, count(*) FROM cases c
WHERE c.asked_at >= :since AND c.asked_at < :until AND {sees} GROUP BY 1 ORDER BY 2 DESC, 1
"""
_VERDICTS = """
SELECT c.verdict, count(*) FROM cases c
WHERE c.verdict IS NOT NULL AND c.asked_at >= :since AND c.asked_at < :until AND {sees} GROUP BY 1
"""
_AGREEMENT = """
SELECT count(*), count(*) FILTER (WHERE kinds = 1) FROM (
  SELECT count(DISTINCT v.verdict) AS kinds FROM cases c JOIN reviews v USING (run_id)
  WHERE c.verdict IS NOT NULL AND NOT v.draft AND c.asked_at >= :since AND c.asked_at < :until AND {sees}
  GROUP BY c.run_id HAVING count(*) > 1
) twice
"""
_WAITING = """
SELECT count(*), extract(epoch FROM now() - min(c.queued_at))::float8 FROM cases c
WHERE c.state IN ('open', 'assigned') AND c.cause = 'red_flag' AND {sees}
"""


class Day(NamedTuple):
    """Counts of answers of a day (UTC); seconds from question to answer, None where none came by chat."""

    day: date
    answers: int
    abstained: int
    degraded: int
    flagged: int
    helpful: int
    unhelpful: int
    reviewed: int
    wrong: int  # unsupported or unsafe
    median_seconds: float | None
    slow_seconds: float | None  # of the slowest twentieth


@dataclass(frozen=True, slots=True)
class Overview:
    """`twice`: answers with two reviews or more; `agreed`: those of them with one verdict."""

    days: tuple[Day, ...]
    methods: dict[str, int]
    verdicts: dict[str, int]
    twice: int
    agreed: int
    flags_waiting: int
    oldest_flag_seconds: float | None

    @property
    def answers(self) -> int:
        return sum(day.answers for day in self.days)


class Figures:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def read(self, actor: Actor, since: datetime, until: datetime) -> Overview:
        """Eight statements, the audit's among them."""
        fields = {"since": since, "until": until} | actor.fields
        sees = actor.sees("c.workspace_id")
        async with self._ground.begin() as connection:
            days, routes, verdicts, agreement, waiting = [
                (await connection.execute(text(query.format(sees=sees)), fields)).all()
                for query in (_DAYS, _ROUTES, _VERDICTS, _AGREEMENT, _WAITING)
            ]
            await write(connection, actor, Event("view", "figures"))
        return Overview(
            tuple(Day(*row) for row in days),
            {row[0]: row[1] for row in routes},
            {row[0]: row[1] for row in verdicts},
            *agreement[0],
            *waiting[0],
        )
