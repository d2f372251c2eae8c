"""Vectors of a further encoder for passages that are stored already (case F21)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from numpy.typing import NDArray
from pgvector import HalfVector
from pgvector.psycopg import register_vector_async
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.writing import copy_vectors, is_usable
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
    """Store one vector per passage; unusable ones are left out. Returns how many were stored."""
    rows = [
        (key, HalfVector(vector))
        for key, vector in zip(ids, vectors, strict=True)
        if is_usable(vector, manifest.dimensions)
    ]
    driver = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, psycopg.AsyncConnection)
    await register_vector_async(driver)
    await copy_vectors(driver, manifest, rows)
    return len(rows)
