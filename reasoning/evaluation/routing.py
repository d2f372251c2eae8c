"""`carecite eval routing`: the router's decisions against labels, by class, language and half."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoning.evaluation.metrics import RESAMPLES
from reasoning.evaluation.questions import is_held_out, open_set, read_rows
from reasoning.linking.types import Link, Linker
from reasoning.routing import judge
from reasoning.types import Method

CLASSES = ("exam", "cancer", "multi_entity", "general")
_CLASS_OF: dict[Method, str] = {
    "sema-rag": "exam",
    "cometa": "cancer",
    "mirage": "multi_entity",
    "literature": "general",
}
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RoutedItem:
    """One question: its label, the decision, its signals; `tie` is what a model might choose instead."""

    id: str
    language: str
    label: str
    decided: str
    tie: str | None
    reason: str
    cancer_terms: list[str]
    entities: list[str]
    options: list[str]
    held_out: bool

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


async def link_all(folder: Path, limit: int | None, linker: Linker) -> dict[str, tuple[Link, ...]]:
    """What the graphs know of each question of which the entities decide, by its text. Raises DataMissing."""
    rows = islice(read_rows(open_set(folder / "router", "router_eval")), limit)
    return {
        row["question"]: await linker.link(row["question"], row.get("lang", "en"))
        for row in rows
        if judge(row["question"]).by_entities
    }


def route_all(
    folder: Path, limit: int | None = None, links: Mapping[str, tuple[Link, ...]] | None = None
) -> list[RoutedItem]:
    """Decide every question of `folder`/router/router_eval by rule, with `links` as of `link_all` or without.

    Raises DataMissing.
    """
    items = []
    for row in islice(read_rows(open_set(folder / "router", "router_eval")), limit):
        judgement = judge(row["question"], links=(links or {}).get(row["question"], ()))
        decision = judgement.route
        items.append(
            RoutedItem(
                str(row["id"]),
                row.get("lang", "en"),
                row["label"],
                _CLASS_OF[decision.method],
                judgement.other,
                decision.reason,
                **decision.signals.model_dump(),
                held_out=is_held_out(str(row["id"])),
            )
        )
    return items


def summarise(items: Sequence[RoutedItem]) -> list[dict[str, Any]]:
    """A row for all items, for the two halves, and for each language; intervals by bootstrap over items."""
    rows = [
        _row(items, "all"),
        _row([item for item in items if not item.held_out], "chosen half"),
        _row([item for item in items if item.held_out], "held-out half"),
    ]
    languages = sorted({item.language for item in items})
    rows += [
        _row([item for item in items if item.language == name], f"language {name}") for name in languages
    ]
    return [row for row in rows if row["n"]]


def count_confusions(items: Sequence[RoutedItem]) -> list[list[int]]:
    """Items by label (rows) and decision (columns), in the order of CLASSES."""
    matrix = [[0] * len(CLASSES) for _ in CLASSES]
    for item in items:
        matrix[CLASSES.index(item.label)][CLASSES.index(item.decided)] += 1
    return matrix


def _row(items: Sequence[RoutedItem], style: str) -> dict[str, Any]:
    labels = np.array([CLASSES.index(item.label) for item in items], dtype=np.int64)
    decided = np.array([CLASSES.index(item.decided) for item in items], dtype=np.int64)
    metrics = _measure(labels, decided) if items else {}
    return {
        "dataset": "router_eval",
        "style": style,
        "arm": "carecite",
        "n": len(items),
        "metrics": {name: round(value, 4) for name, value in metrics.items()},
        "ci": _intervals(labels, decided) if items else {},
    }


def _measure(labels: Codes, decided: Codes) -> dict[str, float]:
    """Precision, recall and F1 of the classes that occur, their mean F1, and the share of right decisions."""
    figures: dict[str, float] = {"accuracy": float(np.mean(labels == decided))}
    scores = []
    for code, name in enumerate(CLASSES):
        told, is_one = decided == code, labels == code
        if not (told.any() or is_one.any()):
            continue
        right = float(np.sum(told & is_one))
        figures[f"precision_{name}"] = right / max(1.0, float(told.sum()))
        figures[f"recall_{name}"] = right / max(1.0, float(is_one.sum()))
        figures[f"f1_{name}"] = 2 * right / float(told.sum() + is_one.sum())
        if is_one.any():  # a class that a part of the set lacks has no part in its mean
            scores.append(figures[f"f1_{name}"])
    return figures | {"macro_f1": float(np.mean(scores))}


def _intervals(labels: Codes, decided: Codes, *, seed: int = 1) -> dict[str, tuple[float, float]]:
    """95 % percentile bootstrap intervals of every figure."""
    rng = np.random.default_rng(seed)
    drawn: dict[str, list[float]] = {}
    for _ in range(RESAMPLES):
        picks = rng.integers(0, len(labels), size=len(labels))
        for name, value in _measure(labels[picks], decided[picks]).items():
            drawn.setdefault(name, []).append(value)
    bounds = {name: np.percentile(values, [2.5, 97.5]) for name, values in drawn.items()}
    return {name: (round(float(low), 4), round(float(high), 4)) for name, (low, high) in bounds.items()}
