"""Nearest passages by vector, on the HNSW index of one encoder (cases F18, F20, F21)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg.adapt import Dumper
from psycopg.pq import Format
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.filters import EVERYTHING, Filters
from storage.corpus.hits import Hit
from storage.corpus.registry import FINGERPRINT, read_fingerprint, refuse_other
from storage.corpus.rows import is_usable
from storage.corpus.schema import distance_operator
from storage.encoders import EncoderManifest

_NEAREST = f"""
SELECT e.passage_id, a.key, e.embedding {{op}} CAST(:query AS halfvec) AS distance,
       ({FINGERPRINT}) AS fingerprint
FROM {{table}} e JOIN passages p ON p.id = e.passage_id JOIN articles a ON a.id = p.article_id
{{where}}
ORDER BY e.embedding {{op}} CAST(:query AS halfvec) LIMIT :limit
"""
_EXACT = f"""
WITH allowed AS MATERIALIZED (
  SELECT e.passage_id, a.key, e.embedding
  FROM {{table}} e JOIN passages p ON p.id = e.passage_id JOIN articles a ON a.id = p.article_id {{where}}
)
SELECT passage_id, key, embedding {{op}} CAST(:query AS halfvec) AS distance, ({FINGERPRINT}) AS fingerprint
FROM allowed ORDER BY distance, passage_id LIMIT :limit
"""

_SCORE = """
SELECT e.passage_id, a.key, e.embedding {op} CAST(:query AS halfvec) AS distance
FROM {table} e JOIN passages p ON p.id = e.passage_id JOIN articles a ON a.id = p.article_id
WHERE e.passage_id = ANY(:ids)
"""

QueryVector = Sequence[float] | NDArray[Any]


class _BinaryDumper(Dumper):
    """A vector as two bytes a number, where text takes twelve. Without an oid, as that differs between
    databases: the server takes the type from the CAST around the parameter."""

    format = Format.BINARY

    def dump(self, obj: HalfVector) -> bytes:
        packed: bytes = obj.to_binary()
        return packed


psycopg.adapters.register_dumper(HalfVector, _BinaryDumper)


def as_halfvec(vector: QueryVector, dimensions: int) -> HalfVector | None:
    """A query vector at the index's precision, or None for one that cannot be compared (zero, NaN).

    Raises ValueError on a wrong length.
    """
    array = np.asarray(vector)
    if array.shape != (dimensions,):
        raise ValueError(
            f"A question's vector has shape {array.shape}, the index has {dimensions} dimensions."
        )
    return HalfVector(array) if is_usable(array, dimensions) else None


async def search_dense(
    connection: AsyncConnection,
    manifest: EncoderManifest,
    vector: QueryVector | None,
    limit: int,
    filters: Filters = EVERYTHING,
) -> list[Hit]:
    """The `limit` nearest passages, best first; min(limit, matching rows) of them, filtered or not.

    The score is the cosine similarity, or the inner product for encoders that are compared so. Ties go to
    the smaller passage id. No vector, no hits. Raises EncoderMismatch where the
    vectors have meanwhile been replaced by those of another model (case F21).
    """
    query = None if vector is None else as_halfvec(vector, manifest.dimensions)
    if query is None:
        return []
    condition, params = filters.sql()
    where = f"WHERE {condition}" if condition else ""
    params |= {"query": query, "limit": limit, "name": manifest.name}
    names = {"op": distance_operator(manifest), "table": manifest.table, "where": where}
    rows = (await connection.execute(text(_NEAREST.format(**names)), params)).all()
    if len(rows) < limit:
        rows = (await connection.execute(text(_EXACT.format(**names)), params)).all()
    made_by = await read_fingerprint(connection, manifest.name) if not rows else rows[0].fingerprint
    refuse_other(made_by, manifest)
    return sorted((_hit(row, manifest) for row in rows), key=lambda hit: (-hit.score, hit.passage_id))


async def score_dense(
    connection: AsyncConnection,
    manifest: EncoderManifest,
    vector: QueryVector | None,
    passage_ids: Sequence[int],
) -> list[Hit]:
    """Similarity of given passages, in no order; those without a vector are left out."""
    query = None if vector is None else as_halfvec(vector, manifest.dimensions)
    if query is None or not passage_ids:
        return []
    statement = text(_SCORE.format(op=distance_operator(manifest), table=manifest.table))
    rows = (await connection.execute(statement, {"query": query, "ids": list(passage_ids)})).all()
    return [_hit(row, manifest) for row in rows]


def _hit(row: Any, manifest: EncoderManifest) -> Hit:
    """Cosine distance is 1 - similarity; the operator for inner products gives their negative."""
    return Hit(row.passage_id, row.key, (1.0 if manifest.distance == "cosine" else 0.0) - float(row.distance))
