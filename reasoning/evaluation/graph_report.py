"""Figures of `carecite eval graph`: a row a graph, style, half and arm, and what was asked of the method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reasoning.evaluation.graph import GIVEN, Item
from reasoning.evaluation.metrics import Values, interval, rank_values

MEASURES = ("hit@10", "hit@1", "mrr")
AGAINST = ("overlap", "mirage")  # what others are compared with, question by question
HALF = ", held-out half"


def summarise(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Rows for all items and for the held-out half.

    By rules those of one set parameter are styles of their own; a model's stay beside the rules' rows.
    """
    rows: list[dict[str, Any]] = []
    groups: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        apart = item.variant and not item.model
        style = f"{item.style}, {item.variant}" if apart else item.style
        groups.setdefault((item.graph, style), []).append(item)
    for (graph, style), members in groups.items():
        rows += _rows(graph, style, members)
        if half := [item for item in members if item.held_out and (item.model or not item.variant)]:
            rows += _rows(graph, f"{style}{HALF}", half)
    return rows


def _rows(graph: str, style: str, items: Sequence[Item]) -> Iterator[dict[str, Any]]:
    arms: dict[str, dict[str, Item]] = {}
    for item in items:
        arms.setdefault(_name(item), {})[item.id] = item
    for arm, members in arms.items():
        metrics, ci = _figures(list(members.values()))
        for other in AGAINST:
            if other != arm and other in arms:
                for measure in MEASURES:
                    difference, spread, p = compare(members, arms[other], measure)
                    metrics |= {f"{measure} minus {other}": difference, f"{measure} p against {other}": p}
                    ci[f"{measure} minus {other}"] = spread
        yield {"dataset": graph, "style": style, "arm": arm, "n": len(members), "metrics": metrics, "ci": ci}


def _name(item: Item) -> str:
    return " ".join([f"{item.arm}, model", item.variant]).strip() if item.model else item.arm


def _figures(items: Sequence[Item]) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """`ceiling`: a gold disease is an entity of the question or one hop away; `linked`: it has an entity."""
    values = rank_values([item.rank for item in items])
    shares = {name: values[name] for name in MEASURES}
    shares["ceiling"] = np.array([float(item.reached) for item in items])
    shares["linked"] = np.array([float(item.linked > 0) for item in items])
    shares["handed_over"] = np.array([float(item.handed_over) for item in items])
    metrics = {name: round(float(each.mean()), 4) for name, each in shares.items()}
    ci = {name: interval(each) for name, each in shares.items()}
    metrics["calls"] = round(float(np.mean([item.calls for item in items])), 3)
    metrics["seconds"] = round(float(np.mean([item.seconds for item in items])), 4)
    metrics["by_rule"] = round(float(np.mean([item.by == "rule" for item in items])), 3)
    return metrics, ci


def compare(
    mine: dict[str, Item], other: dict[str, Item], measure: str
) -> tuple[float, tuple[float, float], float]:
    """Difference on the questions of both, its paired bootstrap interval, and the exact two-sided sign test
    (McNemar's, where a measure is 0 or 1)."""
    from scipy.stats import binomtest

    both = [key for key in mine if key in other]
    if not both:
        return 0.0, (0.0, 0.0), 1.0
    values: Values = (
        rank_values([mine[key].rank for key in both])[measure]
        - rank_values([other[key].rank for key in both])[measure]
    )
    won, lost = int((values > 0).sum()), int((values < 0).sum())
    p = float(binomtest(won, won + lost).pvalue) if won + lost else 1.0
    return round(float(values.mean()), 4), interval(values), round(p, 4)


@dataclass(frozen=True, slots=True)
class Demand:
    """What is asked of the method with given entities: Hit@10 not below overlap, Hit@1 above it."""

    graph: str
    style: str
    n: int
    hit10: float
    hit1: float
    spread: tuple[float, float]

    @property
    def met(self) -> bool:
        return self.hit10 >= 0 and self.spread[0] > 0

    def say(self) -> str:
        low, high = self.spread
        verdict = "met" if self.met else "not met"
        return (
            f"{self.graph}, {self.style}, n = {self.n}: Hit@10 {self.hit10:+.3f} and Hit@1 {self.hit1:+.3f} "
            f"({low:+.3f} to {high:+.3f}) against overlap: {verdict}"
        )


def demands(rows: Sequence[dict[str, Any]]) -> list[Demand]:
    """One a graph and half, where both arms were run."""
    found = []
    for row in rows:
        key, metrics = "hit@1 minus overlap", row["metrics"]
        asked = row["arm"] == "mirage" and row["style"] in (GIVEN, f"{GIVEN}{HALF}")
        if asked and key in metrics:
            gain, spread = metrics["hit@10 minus overlap"], tuple(row["ci"][key])
            found.append(Demand(row["dataset"], row["style"], row["n"], gain, metrics[key], spread))
    return found
