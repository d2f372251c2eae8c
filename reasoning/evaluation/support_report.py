"""Figures of `carecite eval support`: a row a kind, half and arm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from reasoning.evaluation.metrics import share_interval
from reasoning.evaluation.support import FAULTS, Judged

CLEAN, PLANTED = "clean", "all planted"
HALVES: tuple[tuple[str, Callable[[Judged], bool]], ...] = (
    ("support", lambda item: True),
    ("support, even half", lambda item: not item.held_out),
    ("support, held-out half", lambda item: item.held_out),
)


def summarise(items: Sequence[Judged]) -> list[dict[str, Any]]:
    """Rows with the share removed (`removed_good` of clean sentences, `removed_bad` of planted ones), its
    95 % Wilson interval, and of what is shown the share of known ids and of verbatim quotes."""
    arms = list(dict.fromkeys(item.arm for item in items))
    return [
        row
        for style, chosen in HALVES
        for arm in arms
        for row in _rows([item for item in items if item.arm == arm and chosen(item)], style, arm)
    ]


def _rows(items: Sequence[Judged], style: str, arm: str) -> Iterator[dict[str, Any]]:
    groups = {kind: [item for item in items if item.fault == kind] for kind in FAULTS}
    groups[PLANTED] = [item for item in items if item.fault]
    groups[CLEAN] = [item for item in items if item.fault is None]
    for kind, members in groups.items():
        if members:
            yield _row(members, kind, style, arm)


def _row(members: Sequence[Judged], kind: str, style: str, arm: str) -> dict[str, Any]:
    removed = sum(item.removed for item in members)
    shown = [item for item in members if not item.removed]
    name = "removed_good" if kind == CLEAN else "removed_bad"
    share, ci = round(removed / len(members), 4), share_interval(removed, len(members))
    metrics = {name: share, "removed": share}
    if shown:
        metrics["ids_known"] = round(sum(bool(item.ids_known) for item in shown) / len(shown), 4)
        metrics["verbatim"] = round(sum(bool(item.verbatim) for item in shown) / len(shown), 4)
    return {
        "dataset": kind,
        "style": style,
        "arm": arm,
        "n": len(members),
        "metrics": metrics,
        "ci": {name: ci, "removed": ci},
    }
