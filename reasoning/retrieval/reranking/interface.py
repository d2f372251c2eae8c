"""What orders a handful of passages anew, once they are found (methods.md 1.7)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, runtime_checkable

from storage.corpus.reading import StoredPassage

Similarity = Callable[[str, Sequence[StoredPassage]], Awaitable[Sequence[float]]]
"""Cosine of a question to each passage by the encoder that found them, in the order given."""


class Reranker(Protocol):
    """Its scores order the passages of one question; between rerankers only the order can be compared."""

    @property
    def name(self) -> str: ...

    async def rank(self, question: str, passages: Sequence[StoredPassage]) -> Sequence[float]:
        """One finite score a passage, in the order given; higher is better. Raises EncoderError."""
        ...


@runtime_checkable
class Judge(Protocol):
    """A reranker whose scores mean the same for every question: below `floor` a passage is no match."""

    @property
    def floor(self) -> float: ...


def refuses_all(reranker: Reranker, scores: Sequence[float]) -> bool:
    """Whether none of the passages is evidence: all strongly negative (methods.md 1.8).

    Only a reranker that judges can say so; one that merely orders never does.
    """
    return isinstance(reranker, Judge) and bool(scores) and max(scores) < reranker.floor
