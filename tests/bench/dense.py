"""Vectors: how many of the truly nearest passages the index finds at its defaults, and what it weighs."""

from __future__ import annotations

import numpy as np

from storage.corpus.schema import HNSW
from tests.bench.ground import Ground
from tests.bench.report import Aim, Row
from tests.bench.timing import take_turns

LIMIT = 10
_SINGLE = """
DROP TABLE IF EXISTS bench_single;
CREATE UNLOGGED TABLE bench_single AS
  SELECT passage_id, embedding::vector({dimensions}) AS embedding FROM {table};
ALTER TABLE bench_single ADD PRIMARY KEY (passage_id);
CREATE INDEX ON bench_single USING hnsw (embedding vector_cosine_ops)
  WITH (m = {m}, ef_construction = {ef_construction})
"""


async def measure_dense(ground: Ground) -> list[Row]:
    corpus = ground.workshop.corpus
    ids = np.array([row[0] for row in ground.read_passages()])
    vectors = ground.exact_vectors()
    similarity: dict[str, np.ndarray] = {}
    found: dict[str, list[int]] = {}

    async def ours(question: str) -> None:
        hits = await corpus.search_dense(ground.asked[question].vector, LIMIT)
        found[question] = [hit.passage_id for hit in hits]

    async def flat(question: str) -> None:
        similarity[question] = scores = vectors @ ground.asked[question].vector
        np.argpartition(scores, -LIMIT)[-LIMIT:]

    taken = await take_turns(
        {"ours": ours, "flat": flat}, ground.questions, ground.repeats, ground.processors
    )
    recalls = []
    for question, hits in found.items():
        scores = similarity[question]
        least = np.partition(scores, -LIMIT)[-LIMIT] - 1e-6  # equal texts have equal vectors
        recalls.append(float((scores[np.searchsorted(ids, hits)] >= least).sum()) / LIMIT)
    counts = {"questions": len(recalls), "passages": len(ids), "least": min(recalls)}
    return [
        Row(
            "dense",
            f"recall@{LIMIT} of exact search",
            float(np.mean(recalls)),
            "",
            Aim(">=", 0.99),
            ours=taken["ours"],
            peer=taken["flat"],
            peer_name="flat numpy scan",
            details=counts,
        ),
        _bytes(ground),
    ]


def _bytes(ground: Ground) -> Row:
    """Heap, vector index and key of both, built from the same vectors with the same parameters."""
    manifest = ground.workshop.encoder.manifest
    with ground.connect() as connection:
        connection.execute(_SINGLE.format(table=manifest.table, dimensions=manifest.dimensions, **HNSW))
        sizes = "pg_total_relation_size(%s)::float8 / count(*), avg(pg_column_size(embedding))::float8"
        half, single = (
            connection.execute(f"SELECT {sizes} FROM {table}", (table,)).fetchone()
            for table in (manifest.table, "bench_single")
        )
        connection.execute("DROP TABLE bench_single")
    assert half
    assert single
    return Row(
        "dense",
        "bytes a vector, index included, of single precision",
        half[0] / single[0],
        "",
        Aim("<=", 0.6),
        ours=f"{half[0]:,.0f} B ({half[1]:,.0f} the vector)",
        peer=f"{single[0]:,.0f} B ({single[1]:,.0f})",
        peer_name="vector",
    )
