"""What a search stream returns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """One passage found by one stream; a larger score is better (BM25, or the encoder's similarity)."""

    passage_id: int
    article_key: str
    score: float
