"""Retrieval as a whole against what a script would do in memory: rank-bm25, a flat scan, and RRF.

Both get the question's vector ready-made, since encoding costs both the same: the product's own retrieval
runs on an encoder that answers from a dictionary. The peer takes texts from a list; ours reads passages,
articles, neighbours and retractions from the database. rank-bm25 gets words split at blanks, as its
documentation does it, and in a second row the product's terms, which are fewer: no stop words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from reasoning.encoders import QueryVector
from reasoning.evidence import Question
from reasoning.retrieval.fusion import fuse
from reasoning.retrieval.hybrid import DEPTH, HybridRetrieval
from reasoning.trace import Trace
from storage.corpus.lexical import K1, B
from storage.corpus.terms import terms_of
from tests.bench.ground import Ground
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
    """rank-bm25, numpy over single-precision vectors, reciprocal rank fusion."""

    def __init__(
        self, ground: Ground, vectors: NDArray[np.float32], split: Callable[[str], list[str]]
    ) -> None:
        passages = ground.read_passages()
        self._texts = [text for _, _, _, text in passages]
        self._split = split
        self._words = BM25Okapi([split(f"{title} {text}") for _, _, title, text in passages], k1=K1, b=B)
        self._vectors = vectors
        self._asked = ground.asked

    async def retrieve(self, question: str) -> Sequence[str]:
        words = self._words.get_scores(self._split(question))
        near = self._vectors @ self._asked[question].vector
        fused = fuse({"lexical": map(str, _best(words)), "dense": map(str, _best(near))})
        return [self._texts[int(place)] for place, _ in fused[:LIMIT]]


def _best(scores: np.ndarray) -> list[int]:
    depth = min(DEPTH, len(scores))
    top = np.argpartition(scores, -depth)[-depth:]
    return [int(place) for place in top[np.argsort(-scores[top])]]


async def measure_hybrid(ground: Ground) -> list[Row]:
    retrieval = HybridRetrieval(ground.workshop.corpus, KnownVectors(ground.asked))  # type: ignore[arg-type]
    vectors = ground.exact_vectors()
    peers = {
        "rank-bm25 as documented": InMemory(ground, vectors, lambda text: text.lower().split()),
        "rank-bm25 on our terms": InMemory(ground, vectors, terms_of),
    }

    async def ours(question: str) -> None:
        await retrieval.retrieve(Question(question), LIMIT, Trace())

    questions = ground.questions[:QUESTIONS]
    ways = {"ours": ours, **{name: peer.retrieve for name, peer in peers.items()}}
    taken = await take_turns(ways, questions, ground.repeats, ground.processors)
    aims = (Aim(">=", 10.0), None)
    return [
        Row(
            "hybrid",
            f"best {LIMIT} passages, question encoded before",
            taken[peer].p50 / taken["ours"].p50,
            aim=aim,
            ours=taken["ours"],
            peer=taken[peer],
            peer_name=f"{peer} + flat scan + RRF",
            details={
                "questions": len(questions),
                "p95_ratio": round(taken[peer].p95 / taken["ours"].p95, 2),
                "cpu_ratio": round(taken[peer].cpu / taken["ours"].cpu, 2),
            },
        )
        for peer, aim in zip(peers, aims, strict=True)
    ]
