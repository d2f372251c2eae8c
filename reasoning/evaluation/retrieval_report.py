"""Figures of `carecite eval retrieval`: a row a set, style and arm, and how arms differ pairwise.

hit@k, mrr   of the first gold document; only of sets that have gold
zero_hit     no hit still names a subject of the question (case F04); of the questions that have one and were
             not refused
absent       the part of these for which no document of the corpus names it, so that nothing could be found
empty        nothing at all was returned, of all questions
no_concept   the question names nothing medical that could be searched for
refused      the question could not be put into English, and the person is told so
calls        searches a question through a door on the mean, and for any question: calls_most
by_rule      a rule put the question into concepts
degraded     a part of the search failed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from reasoning.evaluation.metrics import Values, interval, rank_values, share_interval
from reasoning.evaluation.questions import SETS
from reasoning.evaluation.retrieval import Item
from reasoning.evaluation.retrieval_arms import LOCAL

PAIRED = ("hit@10", "hit@1")
_SHARES: dict[str, Callable[[Item], bool]] = {
    "empty": lambda item: item.found == 0,
    "no_concept": lambda item: item.holds is None and not item.refused,
    "refused": lambda item: item.refused,
    "by_rule": lambda item: item.by == "rule",
    "degraded": lambda item: item.degraded,
}
Group = tuple[str, str, list[Item]]  # dataset, style, items


def summarise(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Rows of all items and of the held-out half."""
    rows = []
    for dataset, style, members in _groups(items):
        rows += _rows(members, dataset, style)
        rows += _rows([item for item in members if item.held_out], dataset, f"{style}, held-out half")
    return rows


def _groups(items: Sequence[Item]) -> Iterator[Group]:
    """Each set; its parts, which are sets themselves or languages; and all that patients wrote."""
    for name in dict.fromkeys(item.dataset for item in items):
        members = [item for item in items if item.dataset == name]
        style = members[0].style
        yield name, style, members
        for part in dict.fromkeys(item.part for item in members if item.part):
            some = [item for item in members if item.part == part]
            yield (part, style, some) if part in SETS else (name, f"{style}, {part}", some)
    patients = [item for item in items if item.style == "patient"]
    if len({item.dataset for item in patients}) > 1:
        yield "all of patient", "patient", patients


def _rows(items: Sequence[Item], dataset: str, style: str) -> list[dict[str, Any]]:
    arms: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        arms.setdefault((item.variant, item.arm), []).append(item)
    ranks = {key: _ranks(members) for key, members in arms.items()}
    rows = []
    for (variant, arm), members in arms.items():
        metrics, ci = _figures(members)
        for name, column in ranks[variant, arm].items():
            metrics[name], ci[name] = round(float(np.mean(column)), 4), interval(column)
        for other in (name for kind, name in arms if kind == variant and name != arm):
            for name in PAIRED if ranks[variant, arm] else ():
                difference = ranks[variant, arm][name] - ranks[variant, other][name]
                ci[f"{name} minus {other}"] = interval(difference)
        shown = f"{style}, {variant}" if variant else style
        rows.append(
            {"dataset": dataset, "style": shown, "arm": arm, "n": len(members), "metrics": metrics, "ci": ci}
        )
    return rows


def _ranks(items: Sequence[Item]) -> dict[str, Values]:
    """Nothing where no gold is known."""
    return rank_values([item.rank for item in items]) if SETS[items[0].dataset].has_gold else {}


def _figures(items: Sequence[Item]) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """What holds of every question, gold or not."""
    metrics = {name: round(float(np.mean([of(item) for item in items])), 4) for name, of in _SHARES.items()}
    ci: dict[str, tuple[float, float]] = {}
    judged = [item for item in items if item.holds is not None and not item.refused]
    if judged:
        lost = sum(not item.holds for item in judged)
        absent = sum(item.absent for item in judged)
        metrics |= {"zero_hit": round(lost / len(judged), 4), "absent": round(absent / len(judged), 4)}
        ci["zero_hit"] = share_interval(lost, len(judged))
    calls = [item.calls for item in items]
    metrics |= {"calls": round(float(np.mean(calls)), 3), "calls_most": max(calls)}
    return metrics, ci


def tell_counts(items: Sequence[Item]) -> Iterator[str]:
    """A line a set and searching arm: how many questions found nothing of their subject, and of how many."""
    for name in dict.fromkeys(item.dataset for item in items):
        for arm in dict.fromkeys(item.arm for item in items if item.arm not in LOCAL):
            some = [item for item in items if (item.dataset, item.arm, item.variant) == (name, arm, "")]
            if some:
                yield _count(name, arm, some)


def _count(name: str, arm: str, items: Sequence[Item]) -> str:
    refused = sum(item.refused for item in items)
    bare = sum(item.holds is None and not item.refused for item in items)
    lost = sum(item.holds is False and not item.refused for item in items)
    absent = sum(item.absent and not item.refused for item in items)
    failed = sum(item.degraded for item in items)
    told = f"{name}, {arm}: {lost} of {len(items) - refused - bare} questions found nothing of their subject"
    told += f", {absent} of them since no document here names it" if absent else ""
    told += f"; {bare} without a concept apart" if bare else ""
    told += f"; {refused} refused in their language" if refused else ""
    return told + (f"; {failed} with a part of the search failed." if failed else ".")
