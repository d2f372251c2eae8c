"""Vectors of names, for one encoder (cases F20, F21)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray
from pgvector import HalfVector
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.graph_tables import names_table
from storage.corpus.registry import create_table, register_encoder
from storage.corpus.rows import copy_vectors, driver_of, is_usable
from storage.corpus.writing import begin_writing
from storage.encoders import EncoderManifest

_MISSING = """
SELECT n.id, n.name
FROM entity_names n JOIN entities e ON e.id = n.entity_id JOIN graphs g ON g.id = e.graph_id
LEFT JOIN {table} v ON v.name_id = n.id WHERE v.name_id IS NULL AND n.id > :after
AND (CAST(:only AS text[]) IS NULL OR g.name = ANY(CAST(:only AS text[]))) ORDER BY n.id LIMIT :limit
"""
_COUNT = """
SELECT count(*) FROM entity_names n JOIN entities e ON e.id = n.entity_id JOIN graphs g ON g.id = e.graph_id
LEFT JOIN {table} v ON v.name_id = n.id WHERE v.name_id IS NULL
AND (CAST(:only AS text[]) IS NULL OR g.name = ANY(CAST(:only AS text[])))
"""
_STILL_MISSING = """
SELECT n.id FROM entity_names n LEFT JOIN {table} v ON v.name_id = n.id
WHERE v.name_id IS NULL AND n.id = ANY(:ids)
"""


async def prepare_vectors(connection: AsyncConnection, manifest: EncoderManifest) -> None:
    """An encoder that was added before there were graphs has no table for names. Raises EncoderMismatch."""
    await begin_writing(connection)
    await register_encoder(connection, manifest)
    await connection.run_sync(create_table, manifest)


async def count_missing(
    connection: AsyncConnection, manifest: EncoderManifest, only: Sequence[str] | None
) -> int:
    query = text(_COUNT.format(table=names_table(manifest)))
    return int((await connection.execute(query, {"only": only})).scalar_one())


async def missing_names(
    connection: AsyncConnection, manifest: EncoderManifest, only: Sequence[str] | None, after: int, limit: int
) -> list[tuple[int, str]]:
    """Ids and names without a vector of this encoder, by id, beyond `after`."""
    query = text(_MISSING.format(table=names_table(manifest)))
    rows = await connection.execute(query, {"only": only, "after": after, "limit": limit})
    return [(row.id, row.name) for row in rows.all()]


async def store_name_vectors(
    connection: AsyncConnection, manifest: EncoderManifest, ids: Sequence[int], vectors: NDArray[Any]
) -> int:
    """One vector a name; unusable ones, and those of names that have since gone, are left out.

    Returns how many were stored. Raises EncoderMismatch.
    """
    await begin_writing(connection)
    await register_encoder(connection, manifest)
    table = names_table(manifest)
    query = text(_STILL_MISSING.format(table=table))
    missing = set((await connection.execute(query, {"ids": list(ids)})).scalars())
    rows = [
        (key, HalfVector(vector))
        for key, vector in zip(ids, vectors, strict=True)
        if key in missing and is_usable(vector, manifest.dimensions)
    ]
    await copy_vectors(await driver_of(connection), f"{table} (name_id, embedding)", rows)
    return len(rows)
