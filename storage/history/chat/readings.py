"""Counts of what comes in and goes out, of which none names anybody: for readiness and metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import text

from storage.history.chat.ground import Ground
from storage.history.chat.records import Platform

_TALLIES = """
SELECT w.platform, t.what, sum(t.n) FROM tallies t JOIN workspaces w ON w.id = t.workspace_id GROUP BY 1, 2
"""
_OPEN = """
SELECT w.platform, i.state, count(*) FROM inbox i JOIN workspaces w ON w.id = i.workspace_id
WHERE i.state IN ('received', 'working') GROUP BY 1, 2
"""
_UNSENT = """
SELECT l.platform, o.state, count(*) FROM outbox o JOIN lanes l ON l.id = o.lane_id
WHERE o.state IN ('pending', 'sending') GROUP BY 1, 2
"""
_OVERDUE = """
SELECT l.platform, 'overdue', extract(epoch FROM now() - min(greatest(l.due_at, w.free_at)))
FROM lanes l JOIN workspaces w ON w.id = l.workspace_id
WHERE l.due_at <= now() AND w.free_at <= now() GROUP BY 1
"""


class Count(NamedTuple):
    """`what` is a word of ours: a state, or what is tallied."""

    platform: Platform
    what: str
    n: float


@dataclass(frozen=True, slots=True)
class Reading:
    """`tallies` only grow: `questions`, `end:…` of questions, `level:…` of triage before consent.
    `overdue`: for how many seconds the chat that has waited longest could have been sent to.
    """

    tallies: tuple[Count, ...]
    open: tuple[Count, ...]
    unsent: tuple[Count, ...]
    overdue: tuple[Count, ...]


class Readings:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def read(self) -> Reading:
        """Four statements. Raises as `Ground.single` does."""
        async with self._ground.single() as connection:
            found = [
                tuple(Count(row[0], row[1], float(row[2])) for row in await connection.execute(text(query)))
                for query in (_TALLIES, _OPEN, _UNSENT, _OVERDUE)
            ]
        return Reading(*found)
