"""BM25 over a handful of texts at hand, as the corpus scores its passages (`storage.corpus.lexical`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

from storage.corpus.lexical import K1, B
from storage.corpus.terms import count_terms


class Texts:
    """A collection that several questions are asked of."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counted = [count_terms(text) for text in texts]
        self._lengths = [counts.total() for counts in self._counted]
        self._average = sum(self._lengths) / len(texts) if any(self._lengths) else 1.0
        self._frequency = Counter(term for counts in self._counted for term in counts)

    def shares(self, question: str) -> list[float]:
        """Score of each text as a share of the ceiling that none can exceed."""
        n, weights = len(self._counted), {}
        for term, times in count_terms(question).items():
            df = self._frequency[term]
            weights[term] = times * log(1 + (n - df + 0.5) / (df + 0.5))
        ceiling = (K1 + 1) * sum(weights.values())
        return [
            sum(
                weight * (K1 + 1) * counts[term] / (counts[term] + K1 * (1 - B + B * length / self._average))
                for term, weight in weights.items()
                if counts[term]
            )
            / ceiling
            if ceiling
            else 0.0
            for counts, length in zip(self._counted, self._lengths, strict=True)
        ]


def bm25_shares(question: str, texts: Sequence[str]) -> list[float]:
    """Score of each text as a share of the ceiling that none can exceed; the texts are the collection."""
    return Texts(texts).shares(question)
