"""What may not be cited has no passages, and so cannot be found by any stream, now or later (case F12).

A retracted record takes the other forms of its article along: the full text that shares its PMID, or that it
names by PMCID. Those are marked, so that they come back once the record is in good standing again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

MARK = "withdrawn"  # in `cut_for`, of an article that lost its passages to another record's standing

_GONE = "w.standing IN ('retracted', 'retraction_notice')"
IS_WITHDRAWN = f"""(
  EXISTS (SELECT 1 FROM articles w WHERE w.key = a.key AND {_GONE})
  OR a.key LIKE 'PMC%' AND EXISTS (SELECT 1 FROM articles w WHERE w.record->>'pmcid' = a.key AND {_GONE})
)"""
# Whether an article may be found, going by what `withdraw` has written down.
IS_CITABLE = f"a.cut_for <> '{MARK}' AND a.standing NOT IN ('retracted', 'retraction_notice')"
_TOUCHED = "(a.id = ANY(:ids) OR a.key = ANY(:keys) OR a.key = ANY(:pmcids))"
_FIND = f"SELECT a.id FROM articles a WHERE {_TOUCHED} AND {IS_WITHDRAWN}"
_MARK = f"""
UPDATE articles a SET cut_for = '{MARK}'
WHERE a.id = ANY(:ids) AND a.standing NOT IN ('retracted', 'retraction_notice')
"""
_REVIVED = f"""
SELECT a.doc_id FROM articles a WHERE {_TOUCHED} AND a.cut_for = '{MARK}' AND NOT {IS_WITHDRAWN}
ORDER BY a.doc_id
"""


async def withdraw(
    connection: AsyncConnection, ids: Collection[int], keys: Sequence[str], pmcids: Sequence[str]
) -> tuple[set[int], list[str]]:
    """Mark what the standing of these articles takes along, by article id; and what may come back, by doc_id.

    Passages are removed by the caller, or by cutting again.
    """
    touched = {"ids": list(ids), "keys": list(keys), "pmcids": list(pmcids)}
    withdrawn = set((await connection.execute(text(_FIND), touched)).scalars())
    if withdrawn:
        await connection.execute(text(_MARK), {"ids": list(withdrawn)})
    revived = list((await connection.execute(text(_REVIVED), touched)).scalars())
    return withdrawn, revived
