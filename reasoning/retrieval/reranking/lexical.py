"""The reranker that needs no weights of its own: words, numbers and headings beside the first similarity."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from reasoning.retrieval.reranking.features import Features, describe
from reasoning.retrieval.reranking.interface import Similarity
from storage.corpus.reading import StoredPassage

# Chosen on the even half of the articles with `carecite eval segmentation` (figures in the README).
WEIGHTS = Features(similarity=1.0, bm25=1.0, sentence=0.3, numbers=0.1, finding=0.8)


class LexicalReranker:
    """A weighted sum of `Features`."""

    name = "lexical"

    def __init__(self, similarity: Similarity, weights: Features = WEIGHTS) -> None:
        self._similarity, self._weights = similarity, weights

    async def rank(self, question: str, passages: Sequence[StoredPassage]) -> Sequence[float]:
        similarities = await self._similarity(question, passages)
        described = await asyncio.to_thread(describe, question, passages, similarities)
        return [
            sum(weight * value for weight, value in zip(self._weights, features, strict=True))
            for features in described
        ]
