"""Retrieval as a whole against what a script would do in memory: rank-bm25, a flat scan, and RRF.

Both get the question's vector ready-made, since encoding costs both the same: the product's own retrieval
runs on an encoder that answers from a dictionary. The peer takes texts from a list; ours reads passages,
articles, neighbours and retractions from the database.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rank_bm25 import BM25Okapi

from reasoning.encoders import QueryVector
from reasoning.evidence import Question
from reasoning.retrieval.fusion import fuse
from reasoning.retrieval.hybrid import DEPTH, HybridRetrieval
from reasoning.trace import Trace
from storage.corpus.lexical import K1, B
from storage.corpus.terms import terms_of
from tests.bench.ground import Ground
from tests.bench.lexical import read_terms
from tests.bench.report import Aim, Row
from tests.bench.timing import take_turns

LIMIT = 8
QUESTIONS = 100  # the peer takes a quarter of a second for each


class KnownVectors:
    """The part of an encoder that retrieval asks, with every question encoded already."""

    def __init__(self, asked: dict[str, QueryVector]) -> None:
        self._asked = asked

    async def encode_query(self, text: str) -> QueryVector:
        return self._asked[text]


class InMemory:
    """rank-bm25 over the product's terms, numpy over single-precision vectors, reciprocal rank fusion."""

    def __init__(self, ground: Ground) -> None:
        passages = {row[0]: row[3] for row in ground.read_passages()}
        documents = [(key, terms) for key, terms in read_terms(ground) if key in passages]
        self._texts = [passages[key] for key, _ in documents]
        self._words = BM25Okapi(
            [[term for term, count in terms.items() for _ in range(count)] for _, terms in documents],
            k1=K1,
            b=B,
        )
        self._vectors = ground.exact_vectors()
        self._asked = ground.asked

    async def retrieve(self, question: str) -> Sequence[str]:
        words = self._words.get_scores(terms_of(question))
        near = self._vectors @ self._asked[question].vector
        fused = fuse({"lexical": map(str, _best(words)), "dense": map(str, _best(near))})
        return [self._texts[int(place)] for place, _ in fused[:LIMIT]]


def _best(scores: np.ndarray) -> list[int]:
    depth = min(DEPTH, len(scores))
    top = np.argpartition(scores, -depth)[-depth:]
    return [int(place) for place in top[np.argsort(-scores[top])]]


async def measure_hybrid(ground: Ground) -> list[Row]:
    retrieval = HybridRetrieval(ground.workshop.corpus, KnownVectors(ground.asked))  # type: ignore[arg-type]
    peer = InMemory(ground)

    async def ours(question: str) -> None:
        await retrieval.retrieve(Question(question), LIMIT, Trace())

    questions = ground.questions[:QUESTIONS]
    ways = {"ours": ours, "peer": peer.retrieve}
    taken = await take_turns(ways, questions, ground.repeats, ground.processors)
    return [
        Row(
            "hybrid",
            f"best {LIMIT} passages, question encoded before",
            taken["peer"].p50 / taken["ours"].p50,
            aim=Aim(">=", 10.0),
            ours=taken["ours"],
            peer=taken["peer"],
            peer_name="rank-bm25 + flat scan + RRF",
            details={
                "questions": len(questions),
                "p95_ratio": round(taken["peer"].p95 / taken["ours"].p95, 2),
                "cpu_ratio": round(taken["peer"].cpu / taken["ours"].cpu, 2),
            },
        )
    ]
