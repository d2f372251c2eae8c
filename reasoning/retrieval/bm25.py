"""BM25 over a handful of texts at hand, as the corpus scores its passages (`storage.corpus.lexical`)."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from storage.corpus.lexical import K1, B
from storage.corpus.terms import count_terms


def bm25_shares(question: str, texts: Sequence[str]) -> list[float]:
    """Score of each text as a share of the ceiling that none can exceed; the texts are the collection."""
    asked, counted = count_terms(question), [count_terms(text) for text in texts]
    lengths = [counts.total() for counts in counted]
    average = sum(lengths) / len(lengths) if any(lengths) else 1.0
    n = len(texts)
    weights = {}
    for term, times in asked.items():
        df = sum(term in counts for counts in counted)
        weights[term] = times * log(1 + (n - df + 0.5) / (df + 0.5))
    ceiling = (K1 + 1) * sum(weights.values())
    return [
        sum(
            weight * (K1 + 1) * counts[term] / (counts[term] + K1 * (1 - B + B * length / average))
            for term, weight in weights.items()
            if counts[term]
        )
        / ceiling
        if ceiling
        else 0.0
        for counts, length in zip(counted, lengths, strict=True)
    ]
