"""Figures of `carecite eval exam`: a row a set, source, style and arm, and how arms differ pairwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from reasoning.evaluation.exam import Marked
from reasoning.evaluation.metrics import Values, interval, share_interval

STANDARD, WITHHELD = "standard", "standard, sources withheld"
_SHARES: dict[str, Callable[[Marked], bool]] = {
    "forced_accuracy": lambda mark: mark.right,
    "accuracy": lambda mark: mark.said_right,
    "answered": lambda mark: mark.attempt.said is not None,
}
_COSTS: dict[str, Callable[[Marked], float]] = {
    "calls": lambda mark: mark.attempt.calls,
    "steps": lambda mark: mark.attempt.steps,
    "rounds": lambda mark: mark.attempt.rounds,
    "retrievals": lambda mark: mark.attempt.retrievals,
    "esearch_calls": lambda mark: mark.attempt.esearch_calls,
    "tokens": lambda mark: mark.attempt.prompt_tokens + mark.attempt.completion_tokens,
    "seconds": lambda mark: mark.attempt.seconds,
    "forced_tokens": lambda mark: mark.attempt.forced_tokens,
    "by_rule": lambda mark: float(mark.attempt.by == "rule"),
}


def summarise(marks: Sequence[Marked]) -> list[dict[str, Any]]:
    """Rows for each set whole and by source, for all items and the held-out half, and with the articles that
    questions were made from withheld."""
    rows: list[dict[str, Any]] = []
    for dataset in dict.fromkeys(mark.dataset for mark in marks):
        members = [mark for mark in marks if mark.dataset == dataset]
        sources = list(dict.fromkeys(mark.source for mark in members))
        groups = {dataset: members}
        if len(sources) > 1:
            groups |= {f"{dataset}/{name}": [m for m in members if m.source == name] for name in sources}
        for name, group in groups.items():
            for style, chosen in _styles(group):
                rows += _rows(chosen, name, style)
    return rows


def keep_pairs_with(arm: str, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows without differences between two other arms: all pairs of many are too many to read."""

    def concerns(row: dict[str, Any], name: str) -> bool:
        other = name.partition(" minus ")[2]
        return not other or arm in (row["arm"], other)

    return [
        row | {"ci": {name: ends for name, ends in row["ci"].items() if concerns(row, name)}} for row in rows
    ]


def _styles(marks: Sequence[Marked]) -> Iterator[tuple[str, list[Marked]]]:
    kept = [mark for mark in marks if not mark.withheld]
    yield STANDARD, kept
    if half := [mark for mark in kept if mark.held_out]:
        yield f"{STANDARD}, held-out half", half
    apart = {(mark.id, mark.arm): mark for mark in marks if mark.withheld}
    if apart:
        yield WITHHELD, [apart.get((mark.id, mark.arm), mark) for mark in kept]


def _rows(marks: Sequence[Marked], dataset: str, style: str) -> list[dict[str, Any]]:
    arms: dict[str, dict[str, Marked]] = {}
    for mark in marks:
        arms.setdefault(mark.arm, {})[mark.id] = mark
    rows = []
    for arm, members in arms.items():
        metrics, ci = _figures(list(members.values()))
        for other in (name for name in arms if name != arm):
            difference, spread, p = compare(members, arms[other])
            metrics |= {f"forced_accuracy minus {other}": difference, f"mcnemar_p against {other}": p}
            ci[f"forced_accuracy minus {other}"] = spread
        rows.append(
            {"dataset": dataset, "style": style, "arm": arm, "n": len(members), "metrics": metrics, "ci": ci}
        )
    return rows


def _figures(marks: Sequence[Marked]) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """Shares with bootstrap intervals, the right ones of those said, costs a question, and the share that
    each stop reason ended."""
    metrics: dict[str, float] = {}
    ci: dict[str, tuple[float, float]] = {}
    for name, of in _SHARES.items():
        values = np.array([of(mark) for mark in marks], dtype=float)
        metrics[name], ci[name] = round(float(values.mean()), 4), interval(values)
    said = [mark for mark in marks if mark.attempt.said is not None]
    if said:
        right = sum(mark.said_right for mark in said)
        metrics["right_of_said"] = round(right / len(said), 4)
        ci["right_of_said"] = share_interval(right, len(said))
    for name, cost in _COSTS.items():
        metrics[name] = round(float(np.mean([cost(mark) for mark in marks])), 3)
    for stop, count in sorted(Counter(mark.attempt.stop for mark in marks if mark.attempt.stop).items()):
        metrics[f"stop {stop}"] = round(count / len(marks), 4)
    return metrics, ci


def compare(mine: dict[str, Marked], other: dict[str, Marked]) -> tuple[float, tuple[float, float], float]:
    """Difference in forced accuracy on the items of both, its paired bootstrap interval, and the exact
    two-sided McNemar p of the items on which only one of the two is right."""
    from scipy.stats import binomtest

    both = [key for key in mine if key in other]
    values: Values = np.array([float(mine[key].right) - float(other[key].right) for key in both])
    won, lost = int((values > 0).sum()), int((values < 0).sum())
    p = float(binomtest(won, won + lost).pvalue) if won + lost else 1.0
    return round(float(values.mean()), 4), interval(values), round(p, 4)
