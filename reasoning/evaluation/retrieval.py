"""`carecite eval retrieval`: the product's own index, asked in several ways side by side."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from reasoning.evaluation.metrics import first_hit, interval, item_values
from reasoning.evaluation.questions import GoldQuestion
from reasoning.evidence import Question
from reasoning.retrieval.hybrid import HybridRetrieval

DEPTH = 10
ARMS = ("bm25", "dense", "rrf", "carecite")


@dataclass(frozen=True, slots=True)
class Item:
    """One question asked in one way."""

    qid: str
    dataset: str
    style: str
    arm: str
    rank: int | None
    found: int
    held_out: bool

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in Item.__slots__}


async def ask_arm(retrieval: HybridRetrieval, arm: str, text: str) -> list[str]:
    """Ids of the best articles, best first."""
    ways: Mapping[str, Callable[[Question], Awaitable[list[str]]]] = {
        "bm25": retrieval.rank_lexical,
        "dense": retrieval.rank_dense,
        "rrf": retrieval.rank_plain,
        "carecite": retrieval.rank,
    }
    return (await ways[arm](Question(text)))[:DEPTH]


async def measure(
    retrieval: HybridRetrieval,
    questions: Sequence[GoldQuestion],
    arms: Sequence[str],
    out: Path | None,
    step: Callable[[], None],
) -> list[Item]:
    """Ask every question in every way; what `out` already holds is not asked again."""
    done = {(item.qid, item.dataset, item.arm): item for item in _read(out)}
    items: list[Item] = []
    log = (out / "retrieval.jsonl").open("a", encoding="utf-8") if out else None
    try:
        for question in questions:
            for arm in arms:
                item = done.get((question.qid, question.dataset, arm))
                if item is None:
                    ranked = await ask_arm(retrieval, arm, question.text)
                    rank = first_hit(ranked, question.gold, DEPTH)
                    item = Item(
                        question.qid,
                        question.dataset,
                        question.style,
                        arm,
                        rank,
                        len(ranked),
                        question.held_out,
                    )
                    if log:
                        log.write(json.dumps(item.as_json()) + "\n")
                items.append(item)
            step()
    finally:
        if log:
            log.close()
    return items


def _read(out: Path | None) -> Iterator[Item]:
    if out and (out / "retrieval.jsonl").exists():
        for line in (out / "retrieval.jsonl").read_text(encoding="utf-8").splitlines():
            yield Item(**json.loads(line))


def summarise(items: Sequence[Item]) -> list[dict[str, Any]]:
    """A row a set, split and arm; intervals of each figure, and of paired differences between arms."""
    rows = []
    splits: tuple[tuple[str, Callable[[Item], bool]], ...] = (
        ("", lambda item: True),
        (", held-out half", lambda item: item.held_out),
    )
    ordered = sorted(items, key=lambda item: item.dataset)
    for dataset, group in groupby(ordered, key=lambda item: item.dataset):
        members = list(group)
        for suffix, chosen in splits:
            rows += _rows([item for item in members if chosen(item)], dataset, suffix)
    return rows


def _rows(items: Sequence[Item], dataset: str, suffix: str) -> list[dict[str, Any]]:
    arms: dict[str, list[Item]] = {}
    for item in items:
        arms.setdefault(item.arm, []).append(item)
    values = {
        arm: item_values([item.rank for item in members], [item.found for item in members])
        for arm, members in arms.items()
    }
    rows = []
    for arm, members in arms.items():
        ci = {name: interval(column) for name, column in values[arm].items()}
        for other in (name for name in arms if name != arm):
            for name in ("hit@10", "hit@1"):
                ci[f"{name} minus {other}"] = interval(values[arm][name] - values[other][name])
        metrics = {name: round(float(np.mean(column)), 4) for name, column in values[arm].items()}
        style = members[0].style + suffix
        rows.append(
            {"dataset": dataset, "style": style, "arm": arm, "n": len(members), "metrics": metrics, "ci": ci}
        )
    return rows
