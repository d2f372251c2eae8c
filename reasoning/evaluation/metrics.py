"""Figures for ranked lists, with intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
Values = NDArray[np.float64]


def first_hit(ranked: Sequence[str], gold: frozenset[str], depth: int = 10) -> int | None:
    """Rank from 1 of the first gold document within `depth`, or None."""
    return next((rank for rank, item in enumerate(ranked[:depth], start=1) if item in gold), None)


def rank_values(ranks: Sequence[int | None]) -> dict[str, Values]:
    """Per question: hit@10, hit@3, hit@1 and the reciprocal rank."""
    places = np.array([rank or 0 for rank in ranks], dtype=float)
    hit = places > 0
    return {
        "hit@10": hit.astype(float),
        "hit@3": (hit & (places <= 3)).astype(float),
        "hit@1": (hit & (places <= 1)).astype(float),
        "mrr": np.divide(1.0, places, out=np.zeros_like(places), where=hit),
    }


def interval(values: Values, *, seed: int = 1) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the mean; of a paired difference, if given differences."""
    rng = np.random.default_rng(seed)
    picks = rng.integers(0, len(values), size=(RESAMPLES, len(values)))
    low, high = np.percentile(values[picks].mean(axis=1), [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)


def share_interval(hits: int, of: int) -> tuple[float, float]:
    """95 % Wilson score interval of a share; unlike a bootstrap it has a width where all or none hit."""
    z, share = 1.959964, hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * float(np.sqrt(share * (1 - share) / of + z * z / (4 * of * of)))
    return round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)


def interval_by(values: Values, groups: Sequence[str], *, seed: int = 1) -> tuple[float, float]:
    """As `interval`, drawing whole groups: for items that share a document and are no independent draws."""
    names = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    owner = np.array([names[name] for name in groups])
    sums = np.bincount(owner, weights=values, minlength=len(names))
    sizes = np.bincount(owner, minlength=len(names)).astype(float)
    picks = np.random.default_rng(seed).integers(0, len(names), size=(RESAMPLES, len(names)))
    means = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)
