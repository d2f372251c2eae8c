"""Words: BM25 on our postings against PostgreSQL's own full-text search, both true to exact BM25 or not.

Each side gets the question as asked, through a pool of connections. The peer is what its documentation
offers for questions in plain words: lexemes joined by OR, a GIN index, ranked by `ts_rank_cd`, or the faster
`ts_rank`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text

from storage.corpus.lexical import K1, B
from storage.corpus.terms import count_terms
from storage.database import connect, create_engine
from tests.bench.ground import Ground
from tests.bench.report import Aim, Row
from tests.bench.timing import take_turns

LIMIT = 20
_PREPARE = """
DROP TABLE IF EXISTS bench_fts;
CREATE UNLOGGED TABLE bench_fts AS
  SELECT p.id AS passage_id, to_tsvector('english', a.title || ' ' || p.text) AS document
  FROM passages p JOIN articles a ON a.id = p.article_id;
ALTER TABLE bench_fts ADD PRIMARY KEY (passage_id);
CREATE INDEX ON bench_fts USING gin (document) WITH (fastupdate = off);
ANALYZE bench_fts
"""
_PEER = """
SELECT passage_id FROM bench_fts,
       CAST(replace(CAST(plainto_tsquery('english', :question) AS text), '&', '|') AS tsquery) AS query
WHERE document @@ query ORDER BY {rank}(document, query) DESC, passage_id LIMIT :limit
"""


class ExactBM25:
    """Every passage scored, with the product's terms; computed apart from the product's SQL."""

    def __init__(self, documents: Sequence[tuple[int, Mapping[str, int]]]) -> None:
        self.ids = np.array([passage for passage, _ in documents])
        self._lengths = np.array([sum(terms.values()) for _, terms in documents], dtype=float)
        found: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for place, (_, terms) in enumerate(documents):
            for term, count in terms.items():
                found[term][0].append(place)
                found[term][1].append(count)
        self._postings = {term: (np.array(at), np.array(tf)) for term, (at, tf) in found.items()}

    def score(self, question: Counter[str]) -> NDArray[np.float64]:
        """[passages]"""
        scores = np.zeros(len(self.ids))
        floor = K1 * (1 - B + B * self._lengths / self._lengths.mean())
        for term, asked in question.items():
            if term in self._postings:
                places, tf = self._postings[term]
                idf = math.log(1 + (len(self.ids) - len(places) + 0.5) / (len(places) + 0.5))
                scores[places] += asked * idf * tf * (K1 + 1) / (tf + floor[places])
        return scores

    def overlap(self, question: Counter[str], found: Sequence[int]) -> float | None:
        """Share of the true best LIMIT that was found; equal scores count as equal. None: nothing matches."""
        scores = self.score(question)
        best = min(LIMIT, int((scores > 0).sum()))
        if not best:
            return None
        least = np.partition(scores, -best)[-best] - 1e-9
        mine = scores[np.searchsorted(self.ids, found)]
        return min(1.0, float((mine >= least).sum()) / best)


def read_terms(ground: Ground) -> list[tuple[int, dict[str, int]]]:
    """Terms with their counts, by passage id."""
    with ground.connect() as connection:
        rows = connection.execute("SELECT passage_id, terms, tfs FROM lexical_documents ORDER BY 1")
        return [(passage, dict(zip(terms, tfs, strict=True))) for passage, terms, tfs in rows]


async def measure_lexical(ground: Ground) -> list[Row]:
    corpus, engine = ground.workshop.corpus, create_engine(ground.url)
    reading = engine.execution_options(isolation_level="AUTOCOMMIT")  # as ours does
    found: dict[str, dict[str, list[int]]] = defaultdict(dict)
    with ground.connect() as connection:
        connection.execute(_PREPARE)

    async def ours(question: str) -> None:
        terms = await corpus.weigh_terms(count_terms(question))
        hits = await corpus.search_lexical(terms, LIMIT)
        found["ours"][question] = [hit.passage_id for hit in hits]

    async def peer(question: str, rank: str) -> None:
        async with connect(reading) as connection:
            query = text(_PEER.format(rank=rank))
            rows = await connection.execute(query, {"question": question, "limit": LIMIT})
            found[rank][question] = list(rows.scalars())

    ways = {
        "ours": ours,
        "ts_rank_cd": lambda question: peer(question, "ts_rank_cd"),
        "ts_rank": lambda question: peer(question, "ts_rank"),
    }
    taken = await take_turns(ways, ground.questions, ground.repeats, ground.processors)
    await engine.dispose()
    exact = ExactBM25(read_terms(ground))
    overlap = {
        name: [
            share
            for question, ids in answers.items()
            if (share := exact.overlap(count_terms(question), ids)) is not None
        ]
        for name, answers in found.items()
    }
    counts = {"questions": len(ground.questions), "passages": len(exact.ids)}
    rows = [
        Row(
            "lexical",
            f"best {LIMIT} passages by words",
            taken[peer].p50 / taken["ours"].p50,
            aim=Aim(">=", 5.0) if peer == "ts_rank_cd" else None,
            ours=taken["ours"],
            peer=taken[peer],
            peer_name=f"OR + {peer}",
            details={
                "p95_ratio": round(taken[peer].p95 / taken["ours"].p95, 2),
                "cpu_ratio": round(taken[peer].cpu / taken["ours"].cpu, 2),
                "peer_overlap": round(float(np.mean(overlap[peer])), 4),
                **counts,
            },
        )
        for peer in ("ts_rank_cd", "ts_rank")
    ]
    share = float(np.mean(overlap["ours"]))
    peer_share = f"{np.mean(overlap['ts_rank_cd']):.3f}"
    return [
        *rows,
        Row(
            "lexical",
            f"overlap@{LIMIT} with exact BM25",
            share,
            "",
            Aim(">=", 0.95),
            peer=peer_share,
            peer_name="OR + ts_rank_cd",
            details={"least": round(min(overlap["ours"]), 3), **counts},
        ),
    ]
