"""Figures of `carecite eval retrieval` by hand, and what a run of levels counts."""

from __future__ import annotations

from typing import Any

from reasoning.evaluation.questions import Style
from reasoning.evaluation.retrieval import Item
from reasoning.evaluation.retrieval_arms import ENOUGH_AT_ONE, adapted_arms
from reasoning.evaluation.retrieval_report import summarise, tell_counts
from reasoning.literature import SearchReply
from reasoning.methods.cometa.adapting import Adapted, LevelHit, LevelRun
from reasoning.methods.cometa.strategy import Level
from storage.query import Term


def item(qid: str, arm: str, rank: int | None, **other: Any) -> Item:
    values: dict[str, Any] = {
        "dataset": "pubmedqa",
        "part": None,
        "style": "standard",
        "held_out": False,
        "variant": "",
        "door": "corpus",
        "model": None,
        "found": 50,
        "holds": True,
        "absent": False,
        "calls": 1,
        "by": "rule",
        "refused": False,
        "degraded": False,
    }
    return Item(qid=qid, arm=arm, rank=rank, **values | other)


def rows_of(items: list[Item]) -> dict[tuple[str, str, str], dict[str, Any]]:
    return {(row["dataset"], row["style"], row["arm"]): row for row in summarise(items)}


def test_shares_are_of_those_they_concern() -> None:
    nothing = {"found": 0, "holds": False}
    items = [
        item("a", "adapt_e", 1, calls=2, held_out=True),
        item("b", "adapt_e", 4, calls=1),
        item("c", "adapt_e", None, calls=4, absent=True, **nothing),
        item("d", "adapt_e", None, calls=3, holds=None),
        item("e", "adapt_e", None, calls=0, found=0, holds=None, refused=True),
    ]
    row = rows_of(items)["pubmedqa", "standard", "adapt_e"]
    metrics = row["metrics"]
    assert row["n"] == 5
    assert (metrics["hit@10"], metrics["hit@3"], metrics["hit@1"], metrics["mrr"]) == (0.4, 0.2, 0.2, 0.25)
    assert (metrics["zero_hit"], metrics["absent"]) == (round(1 / 3, 4), round(1 / 3, 4))
    assert (metrics["empty"], metrics["no_concept"], metrics["refused"]) == (0.4, 0.2, 0.2)
    assert (metrics["calls"], metrics["calls_most"]) == (2.0, 4)
    assert rows_of(items)["pubmedqa", "standard, held-out half", "adapt_e"]["n"] == 1
    told = list(tell_counts(items))
    assert told == [
        "pubmedqa, adapt_e: 1 of 3 questions found nothing of their subject, 1 of them since no document "
        "here names it; 1 without a concept apart; 1 refused in their language."
    ]


def test_arms_differ_pairwise_and_variants_stand_alone() -> None:
    items = [
        *(item(qid, arm, rank) for qid, arm, rank in (("a", "dense", 1), ("b", "dense", None))),
        *(item(qid, arm, rank) for qid, arm, rank in (("a", "hybrid", 1), ("b", "hybrid", 2))),
        *(item(qid, "adapt_e", None, variant=ENOUGH_AT_ONE) for qid in "ab"),
    ]
    rows = rows_of(items)
    low, high = rows["pubmedqa", "standard", "hybrid"]["ci"]["hit@10 minus dense"]
    assert 0.0 <= low < 0.5 < high <= 1.0
    alone = rows["pubmedqa", "standard, n_min 1", "adapt_e"]
    assert not [name for name in alone["ci"] if "minus" in name]


def test_parts_of_stories_are_rows_of_their_own() -> None:
    def story(qid: str, dataset: str, part: str, style: Style = "narrative") -> Item:
        return item(qid, "dense", 1, dataset=dataset, part=part, style=style)

    rows = rows_of(
        [
            story("a", "narratives", "pubmedqa"),
            story("b", "narratives", "bioasq"),
            story("c", "multilingual", "zh"),
            item("d", "adapt_e", None, dataset="kqa", style="patient"),
            item("e", "adapt_e", None, dataset="meqsum", style="patient"),
        ]
    )
    counts = {key[:2]: row["n"] for key, row in rows.items()}
    assert counts["narratives", "narrative"] == 2
    assert counts["pubmedqa", "narrative"] == counts["bioasq", "narrative"] == 1
    assert counts["multilingual", "narrative, zh"] == 1
    assert counts["all of patient", "patient"] == 2
    assert "hit@10" not in rows["kqa", "patient", "adapt_e"]["metrics"]


def run(level: str, kept: tuple[str, ...], calls: int = 0) -> LevelRun:
    reply = SearchReply("results" if kept else "empty", "pubmed", keys=kept, calls=calls)
    return LevelRun(Level(level, Term("stroke"), ""), reply, kept)


def test_one_article_is_enough_at_the_first_level_that_has_one() -> None:
    runs = [run("L1", ()), run("L2", ("7",), calls=2), run("L3", ("8", "9"), calls=1)]
    hits = [LevelHit(key, one.level.name) for one in runs for key in one.kept]
    whole, first = adapted_arms(Adapted(hits, runs=runs))
    assert (whole.keys, whole.calls, whole.variant) == (("7", "8", "9"), 4, "")  # a retry counts
    assert (first.keys, first.calls, first.variant) == (("7",), 3, ENOUGH_AT_ONE)
    nothing = adapted_arms(Adapted(runs=[run("L1", ()), run("L4", ())]))
    assert [(each.keys, each.calls) for each in nothing] == [((), 2), ((), 2)]
    assert [each.calls for each in adapted_arms(Adapted())] == [0, 0]
