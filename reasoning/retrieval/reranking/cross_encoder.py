"""Question and passage read together by MedCPT's cross-encoder (methods.md 1.7, section 4)."""

from __future__ import annotations

from collections.abc import Sequence

from reasoning.encoders import AsyncScorer
from reasoning.encoders.cross_encoder import CROSS_ENCODER
from storage.corpus.reading import StoredPassage

FLOOR = -8.0  # the best score that a passage which does not match was seen to get (methods.md section 4)


class CrossEncoderReranker:
    """Logits of pairs [question, "title. text"]."""

    name = CROSS_ENCODER
    floor = FLOOR

    def __init__(self, scorer: AsyncScorer) -> None:
        self._scorer = scorer

    async def rank(self, question: str, passages: Sequence[StoredPassage]) -> Sequence[float]:
        return await self._scorer.score(
            question, [(each.article.title, each.passage.text) for each in passages]
        )
