"""Reciprocal rank fusion (methods.md 1.4, case F06)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

K = 60  # our choice; the paper's constant was not found


def clean_ids(ids: Iterable[object]) -> list[str]:
    """One form of an id: text without blanks; empty ones dropped, repeats kept at their first place."""
    texts = (str(item).strip() for item in ids if item is not None)
    return list(dict.fromkeys(text for text in texts if text))


def fuse(
    streams: Mapping[str, Iterable[object]],
    *,
    k: float = K,
    weights: Mapping[str, float] | None = None,
    newness: Callable[[str], tuple[int, int, int]] = lambda _: (0, 0, 0),
) -> list[tuple[str, float]]:
    """(id, score) best first; score(d) = sum of w_s / (k + rank_s(d)), ranks from 1, absence gives nothing.

    Ties: the better rank in the first stream named, then the newer date by `newness` (year, month, day),
    then the larger PMID, then the id. The order depends on nothing else.
    """
    ranked: dict[str, list[str]] = {name: clean_ids(ids) for name, ids in streams.items()}
    scores: dict[str, float] = {}
    for name, ids in ranked.items():
        weight = 1.0 if weights is None else weights.get(name, 1.0)
        for rank, item in enumerate(ids, start=1):
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return order_by_scores(scores, next(iter(ranked.values()), []), newness)


def order_by_scores(
    scores: Mapping[str, float], first: Sequence[str], newness: Callable[[str], tuple[int, int, int]]
) -> list[tuple[str, float]]:
    """(id, score) best first; ties as in `fuse`, with the list whose better rank goes first."""
    place = {item: rank for rank, item in enumerate(first)}

    def order(item: str) -> tuple[object, ...]:
        newest = tuple(-part for part in newness(item))
        pmid = -int(item) if item.isdecimal() else 0
        return (-scores[item], place.get(item, len(place)), newest, pmid, item)

    return [(item, scores[item]) for item in sorted(scores, key=order)]
