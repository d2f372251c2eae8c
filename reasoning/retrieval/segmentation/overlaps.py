"""How much of the end of one part the next repeats (methods.md 1.6, step 9): more where the text runs on."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from reasoning.retrieval.segmentation.seos import Break, SeosParams


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many sentences before a break the right part repeats, and why."""

    sentences: int
    wanted: int  # by rank and opening word, before the caps
    rank: float | None  # share of the gaps that are less similar
    anaphor: bool


def choose_overlaps(
    breaks: Sequence[Break],
    tokens: Sequence[int],
    ranked: Sequence[float],
    anaphors: Sequence[bool],
    params: SeosParams,
) -> list[Overlap]:
    """Step 9, one for each break.

    `ranked` are the similarities of all gaps of the document in ascending order; `anaphors` [n] tells which
    sentences open with a word that points back. Nothing but whole sentences of the left part is carried, and
    carried and own tokens together stay within `b_max`.
    """
    sums = [0, *accumulate(tokens)]
    ends = [0, *(each.gap + 1 for each in breaks), len(tokens)]
    overlaps: list[Overlap] = []
    for left, at, right, each in zip(ends, ends[1:], ends[2:], breaks, strict=False):
        rank = None if each.sim is None else _rank(each.sim, ranked)
        wanted = 0 if rank is None else sum(rank >= bar for bar in (0.25, 0.60, 0.85))
        anaphor = rank is not None and anaphors[at]
        wanted = min(wanted + anaphor, params.o_max)
        room = min(params.o_budget * params.b, params.b_max - (sums[right] - sums[at]))
        carried = 0
        while carried < min(wanted, at - left) and sums[at] - sums[at - carried - 1] <= room:
            carried += 1
        overlaps.append(Overlap(carried, wanted, rank, anaphor))
    return overlaps


def _rank(sim: float, ranked: Sequence[float]) -> float:
    """Percentile rank; equals count half, so that a flat line is in the middle."""
    return (bisect_left(ranked, sim) + bisect_right(ranked, sim)) / (2 * len(ranked)) if ranked else 0.5
