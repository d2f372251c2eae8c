"""Figures of `carecite eval segmentation`: a row for each way of cutting, searching and reranking."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from reasoning.evaluation.metrics import Values, interval_by, rank_values
from reasoning.evaluation.segmentation import Item
from reasoning.evaluation.segmentation_cuts import Cut

WINDOWS = 3  # of the encoder: as many tokens as the three best chunks have where each fills it
HALVES: tuple[tuple[str, Callable[[Item], bool]], ...] = (
    ("", lambda item: True),
    (", held-out half", lambda item: item.held_out),
)


def summarise(items: Sequence[Item], cuts: Mapping[int, Sequence[Cut]]) -> list[dict[str, Any]]:
    """`dataset` names the encoder's window, `style` the comparison, the search and the reranker.

    Intervals (95 %) are over articles, since questions of one article are no independent draws. In `ci`,
    "hit@3 minus seos" is the paired difference to the arm of the same comparison that has the same size;
    "hit@3w" is whether the evidence is among the ten best chunks within three windows of tokens, however many
    chunks they are.
    """
    rows = []
    groups: dict[tuple[int, str, str, str], dict[str, list[Item]]] = {}
    for item in items:
        arms = groups.setdefault((item.window, item.group, item.search, item.reranker), {})
        arms.setdefault(item.arm, []).append(item)
    for (window, group, search, reranker), arms in groups.items():
        sizes = {cut.arm: cut for cut in cuts[window] if cut.group == group}
        for suffix, chosen in HALVES:
            halves = {arm: [item for item in members if chosen(item)] for arm, members in arms.items()}
            for arm, members in halves.items():
                if members:
                    row = _row(members, sizes[arm], halves)
                    style = f"{group}, {search}, {reranker}{suffix}"
                    rows.append({"dataset": f"fulltext/{window}", "style": style, "arm": arm, **row})
    return rows


def _row(members: Sequence[Item], cut: Cut, arms: Mapping[str, Sequence[Item]]) -> dict[str, Any]:
    values, articles = _values(members), [item.pmcid for item in members]
    ci: dict[str, Any] = {name: interval_by(column, articles) for name, column in values.items()}
    if cut.against and cut.against in arms:
        other = _values(arms[cut.against])
        for name in ("whole", "hit@3", f"hit@{WINDOWS}w"):
            ci[f"{name} minus {cut.against}"] = interval_by(values[name] - other[name], articles)
    metrics = {name: round(float(np.mean(column)), 4) for name, column in values.items()}
    metrics["tokens@3"] = round(float(np.mean([item.tokens for item in members])), 1)
    metrics |= {"mean_tokens": round(cut.mean, 1), "stored": round(cut.stored, 4)}
    return {"n": len(members), "metrics": metrics, "ci": ci}


def _values(members: Sequence[Item]) -> dict[str, Values]:
    ranked = rank_values([item.rank for item in members])
    return {
        "whole": np.array([item.whole for item in members], dtype=float),
        "hit@3": ranked["hit@3"],
        "hit@1": ranked["hit@1"],
        f"hit@{WINDOWS}w": np.array(
            [i.spent is not None and i.spent <= WINDOWS * i.window for i in members], float
        ),
        "mrr": ranked["mrr"],
    }
