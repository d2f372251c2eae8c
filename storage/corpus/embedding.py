"""Vectors of a further encoder for passages that are stored already (case F21)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from pgvector import HalfVector
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.registry import register_encoder
from storage.corpus.rows import copy_vectors, driver_of, is_usable, passage_vectors
from storage.corpus.writing import begin_writing
from storage.encoders import EncoderManifest


@dataclass(frozen=True, slots=True)
class Unembedded:
    passage_id: int
    title: str
    text: str


_MISSING = """
SELECT p.id, a.title, p.text FROM passages p JOIN articles a ON a.id = p.article_id
LEFT JOIN {table} e ON e.passage_id = p.id WHERE e.passage_id IS NULL AND p.id > :after
ORDER BY p.id LIMIT :limit
"""
_STILL_MISSING = """
SELECT p.id FROM passages p LEFT JOIN {table} e ON e.passage_id = p.id
WHERE e.passage_id IS NULL AND p.id = ANY(:ids)
"""


async def missing_passages(
    connection: AsyncConnection, manifest: EncoderManifest, after: int, limit: int
) -> list[Unembedded]:
    """Passages without a vector of this encoder, by id, beyond `after`."""
    query = text(_MISSING.format(table=manifest.table))
    rows = (await connection.execute(query, {"after": after, "limit": limit})).all()
    return [Unembedded(row.id, row.title, row.text) for row in rows]


async def store_vectors(
    connection: AsyncConnection, manifest: EncoderManifest, ids: Sequence[int], vectors: NDArray[Any]
) -> int:
    """Store one vector per passage; unusable ones, and those of passages that have since gone, are left out.

    Returns how many were stored. Raises EncoderMismatch.
    """
    await begin_writing(connection)  # no passage may go while its vector comes
    await register_encoder(connection, manifest)
    query = text(_STILL_MISSING.format(table=manifest.table))
    missing = set((await connection.execute(query, {"ids": list(ids)})).scalars())
    rows = [
        (key, HalfVector(vector))
        for key, vector in zip(ids, vectors, strict=True)
        if key in missing and is_usable(vector, manifest.dimensions)
    ]
    await copy_vectors(await driver_of(connection), passage_vectors(manifest), rows)
    return len(rows)
