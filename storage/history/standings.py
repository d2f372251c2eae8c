"""What became of the articles that kept answers rest on: the standing of each cited PMID at its last check.

A row lives as long as a kept run cites its PMID, so that an answer whose evidence was retracted since can be
opened again (methods.md 6, row 1).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

GONE = "missing"  # PubMed has no such record any more


@dataclass(frozen=True, slots=True)
class CitedArticle:
    """A PMID that kept answers cite; `standing` as it is known, from the last check or as it was cited."""

    pmid: str
    title: str
    standing: str


@dataclass(frozen=True, slots=True)
class CitedStanding:
    """`standing` is one of `Standing`, or GONE."""

    pmid: str
    standing: str
    checked_at: datetime


_DUE = """
FROM citations c LEFT JOIN cited_standings s ON s.pmid = c.pmid
WHERE c.pmid IS NOT NULL AND NOT c.pmid = ANY(:skip) AND (s.checked_at IS NULL OR s.checked_at < :before)
"""
_NEXT = f"""
SELECT c.pmid, max(c.title) AS title, coalesce(max(s.standing), max(c.standing)) AS standing {_DUE}
GROUP BY c.pmid ORDER BY max(s.checked_at) NULLS FIRST, c.pmid LIMIT :limit
"""
_UNCITED = """
DELETE FROM cited_standings s WHERE NOT EXISTS (SELECT 1 FROM citations c WHERE c.pmid = s.pmid)
"""
_NOTE = """
INSERT INTO cited_standings (pmid, standing, checked_at, since)
SELECT DISTINCT c.pmid, :standing, CAST(:checked_at AS timestamptz), CAST(:checked_at AS timestamptz)
FROM citations c WHERE c.pmid = :pmid
ON CONFLICT (pmid) DO UPDATE SET standing = excluded.standing, checked_at = excluded.checked_at,
  since = CASE WHEN cited_standings.standing = excluded.standing THEN cited_standings.since
               ELSE excluded.since END
"""
_OVERTAKEN = """
SELECT DISTINCT c.run_id FROM citations c JOIN cited_standings s USING (pmid)
WHERE s.standing IN ('retracted', 'retraction_notice') ORDER BY 1
"""


async def due_citations(
    connection: AsyncConnection, before: datetime, skip: Collection[str], limit: int
) -> list[CitedArticle]:
    """Cited PMIDs last checked before then, or never; the oldest check first."""
    params = {"before": before, "skip": list(skip), "limit": limit}
    rows = (await connection.execute(text(_NEXT), params)).all()
    return [CitedArticle(row.pmid, row.title, row.standing) for row in rows]


async def note_standings(connection: AsyncConnection, found: Sequence[CitedStanding]) -> None:
    """Keep what a check found of cited PMIDs; what no kept run cites, or cites any more, has no row."""
    await connection.execute(text(_UNCITED))
    if found:
        await connection.execute(text(_NOTE), [asdict(item) for item in found])


async def find_overtaken_runs(connection: AsyncConnection) -> list[str]:
    """Kept runs that cite what was found retracted since."""
    return list((await connection.execute(text(_OVERTAKEN))).scalars())
