"""SEOS: where to break a text (methods.md 1.6, steps 3 to 8).

Pure: token counts and sentence vectors in, breaks out. Steps are numbered as there. Ties have fixed rules,
and similarities are rounded, so that the batch a sentence came in moves no break.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from math import ceil

import numpy as np

from reasoning.retrieval.segmentation.encoder import Vectors

_DECIMALS = 6
_LEAST_PART = 0.35  # of b, in tokens


@dataclass(frozen=True, slots=True)
class SeosParams:
    """Lengths in tokens without special tokens and title; `b` is the length aimed at, `b_max` the limit.

    The defaults are for a window of 256 tokens that a title of up to 64 shares (methods.md 1.6).
    """

    b_max: int = 185
    b: int = 148
    w: int = 2  # sentences in a window
    min_sent: int = 2
    o_max: int = 3  # sentences carried over
    o_budget: float = 0.20  # of b, in tokens

    def __post_init__(self) -> None:
        if not 8 <= self.b <= self.b_max:
            raise ValueError("8 <= b <= b_max is required")
        if self.w < 1 or self.min_sent < 1 or self.o_max < 0 or not 0 <= self.o_budget < 1:
            raise ValueError("w and min_sent are at least 1, o_max at least 0, o_budget in [0, 1)")


class BreakRule(StrEnum):
    MINIMUM = "minimum"  # a local minimum of similarity
    LOWEST = "lowest"  # no minimum was left: the lowest gap that was
    FORCED = "forced"  # its part was longer than b_max


@dataclass(frozen=True, slots=True)
class Break:
    """Between sentence `gap` and the next. `sim` and `depth` are None where no vectors were given."""

    gap: int
    rule: BreakRule
    sim: float | None
    depth: float | None


def similarities(vectors: Vectors, w: int) -> list[float]:
    """Step 4: [n] sentence vectors to [n-1] cosines of the mean vectors of the windows beside each gap."""
    rows = np.asarray(vectors, dtype=np.float64)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    left, right = unit[:-1].copy(), unit[1:].copy()
    for step in range(1, min(w, len(unit) - 1)):
        left[step:] += unit[: -1 - step]
        right[:-step] += unit[1 + step :]
    scale = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    dot = np.einsum("ij,ij->i", left, right)
    cosines = np.divide(dot, scale, out=np.zeros_like(dot), where=scale > 0)
    return [float(cosine) for cosine in cosines.round(_DECIMALS) + 0.0]


def depths(sims: Sequence[float]) -> list[float]:
    """Step 5: how far one climbs on both sides of each gap while similarity does not fall."""

    def climb(values: Sequence[float]) -> list[float]:
        peaks: list[float] = []
        for place, value in enumerate(values):
            peaks.append(peaks[-1] if place and values[place - 1] >= value else value)
        return peaks

    rights = climb(sims[::-1])[::-1]
    return [
        round(left + right - 2 * sim, _DECIMALS)
        for left, right, sim in zip(climb(sims), rights, sims, strict=True)
    ]


def minima(sims: Sequence[float]) -> list[int]:
    """Step 7: gaps lower than what surrounds them; of a plateau the middle one. A flat line has none."""
    found: list[int] = []
    start = 0
    while start < len(sims):
        end = start
        while end + 1 < len(sims) and sims[end + 1] == sims[start]:
            end += 1
        falls = start == 0 or sims[start - 1] > sims[start]
        rises = end + 1 == len(sims) or sims[end + 1] > sims[start]
        if falls and rises and end - start + 1 < len(sims):
            found.append((start + end) // 2)
        start = end + 1
    return found


def choose_breaks(tokens: Sequence[int], vectors: Vectors | None, params: SeosParams) -> list[Break]:
    """Breaks in order of gap, so that no part is longer than `b_max` unless it is one sentence.

    `tokens` [n] per sentence; `vectors` [n, d], or None where meaning has no say (rows of a table): then
    parts are as even as may be. Fewer than 2·min_sent sentences are broken only where step 8 must.
    """
    fits = sum(tokens) <= params.b_max
    return breaks_at(tokens, None if vectors is None or fits else similarities(vectors, params.w), params)


def breaks_at(tokens: Sequence[int], sims: Sequence[float] | None, params: SeosParams) -> list[Break]:
    """`choose_breaks` where the [n-1] similarities are already known."""
    n, total = len(tokens), sum(tokens)
    if total <= params.b_max or n < 2:
        return []
    known = sims is not None
    sims = [0.0] * (n - 1) if sims is None else sims
    depth = depths(sims)
    plan = _Plan(tokens, params)
    rules: dict[int, BreakRule] = {}
    if n >= 2 * params.min_sent:
        wanted = ceil(total / params.b) - 1
        lows = sorted(minima(sims), key=lambda gap: (-depth[gap], sims[gap], gap))
        rest = sorted(range(n - 1), key=lambda gap: (sims[gap], plan.unevenness(gap, wanted + 1), gap))
        for rule, gaps in ((BreakRule.MINIMUM, lows), (BreakRule.LOWEST, rest)):
            for gap in gaps:
                if len(rules) < wanted and gap not in rules and plan.allows(gap):
                    plan.add(gap)
                    rules[gap] = rule
    for gap in plan.force(sims):
        rules[gap] = BreakRule.FORCED
    return [
        Break(gap, rules[gap], sims[gap] if known else None, depth[gap] if known else None)
        for gap in sorted(rules)
    ]


class _Plan:
    """The breaks chosen so far, as sentence counts at which a part ends."""

    def __init__(self, tokens: Sequence[int], params: SeosParams) -> None:
        self.sums = [0, *accumulate(tokens)]
        self.ends = [0, len(tokens)]
        self.params = params

    def tokens(self, start: int, end: int) -> int:
        return self.sums[end] - self.sums[start]

    def unevenness(self, gap: int, parts: int) -> float:
        """Tokens between the gap and the nearest of the cuts that would make `parts` even ones."""
        share = self.sums[-1] / parts
        at = self.sums[gap + 1]
        return abs(at - share * min(max(round(at / share), 1), parts - 1)) if parts > 1 else 0.0

    def roomy(self, start: int, end: int) -> bool:
        least = _LEAST_PART * self.params.b
        return end - start >= self.params.min_sent and self.tokens(start, end) >= least

    def allows(self, gap: int) -> bool:
        place = bisect_left(self.ends, gap + 1)
        return self.roomy(self.ends[place - 1], gap + 1) and self.roomy(gap + 1, self.ends[place])

    def add(self, gap: int) -> None:
        insort(self.ends, gap + 1)

    def force(self, sims: Sequence[float]) -> list[int]:
        """Step 8: split parts above the limit: best a roomy gap, then lowest, most even, first."""
        forced: list[int] = []
        parts = list(zip(self.ends, self.ends[1:], strict=False))
        while parts:
            start, end = parts.pop()
            if end - start < 2 or self.tokens(start, end) <= self.params.b_max:
                continue
            best = min(
                range(start, end - 1),
                key=lambda gap: (
                    not (self.roomy(start, gap + 1) and self.roomy(gap + 1, end)),
                    sims[gap],
                    abs(self.tokens(start, gap + 1) - self.tokens(gap + 1, end)),
                    gap,
                ),
            )
            forced.append(best)
            parts += (start, best + 1), (best + 1, end)
        return forced
