"""When the standing of each PubMed record was last read, and which are to be read again (case F12.4).

All forms of one article share its PMID as `key`; the youngest check of any of them counts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.documents import Standing


@dataclass(frozen=True, slots=True)
class CheckedStanding:
    """What is stored of an article's standing, and when it was read."""

    title: str
    standing: Standing
    checked_at: datetime


_DUE = """
FROM articles a WHERE a.record->>'pmid' IS NOT NULL AND a.standing_checked_at < :before
  AND NOT a.key = ANY(:skip)
  AND NOT EXISTS (SELECT 1 FROM articles b WHERE b.key = a.key AND b.standing_checked_at >= :before)
"""
_NEXT = f"SELECT a.key {_DUE} ORDER BY a.standing_checked_at, a.id LIMIT :limit"
_COUNT = f"SELECT count(DISTINCT a.key) {_DUE}"
_OLDEST = """
SELECT a.standing_checked_at FROM articles a WHERE a.record->>'pmid' IS NOT NULL
  AND NOT EXISTS (
    SELECT 1 FROM articles b WHERE b.key = a.key AND b.standing_checked_at > a.standing_checked_at
  )
ORDER BY a.standing_checked_at, a.id LIMIT 1
"""
# of several forms the record itself speaks
_READ = """
SELECT DISTINCT ON (key) key, title, standing, max(standing_checked_at) OVER (PARTITION BY key) AS checked_at
FROM articles WHERE key = ANY(:keys) ORDER BY key, doc_id <> key, id
"""


async def due_standings(
    connection: AsyncConnection, before: datetime, skip: Collection[str], limit: int
) -> list[str]:
    """PMIDs last checked before then, the oldest check first, without those to skip."""
    params = {"before": before, "skip": list(skip), "limit": limit}
    return list(dict.fromkeys((await connection.execute(text(_NEXT), params)).scalars()))


async def count_due_standings(connection: AsyncConnection, before: datetime) -> int:
    params: dict[str, object] = {"before": before, "skip": []}
    return int((await connection.execute(text(_COUNT), params)).scalar_one())


async def oldest_check(connection: AsyncConnection) -> datetime | None:
    """The check that lies back furthest; None where no record has a PMID."""
    return (await connection.execute(text(_OLDEST))).scalar()


async def read_standings(connection: AsyncConnection, keys: Sequence[str]) -> dict[str, CheckedStanding]:
    """What is stored, by PMID; those that are not here are left out."""
    rows = (await connection.execute(text(_READ), {"keys": list(keys)})).all()
    return {row.key: CheckedStanding(row.title, Standing(row.standing), row.checked_at) for row in rows}


async def note_checks(connection: AsyncConnection, keys: Sequence[str]) -> None:
    """PubMed was asked for these just now and said nothing new: they are not asked for at once again."""
    query = "UPDATE articles SET standing_checked_at = now() WHERE key = ANY(:keys)"
    await connection.execute(text(query), {"keys": list(keys)})
