"""`carecite eval routing` on the shared data: the aims of issue 3, and what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reasoning.evaluation.routing import CLASSES, RoutedItem, count_confusions, summarise
from tests.program import Call


def _item(label: str, decided: str, place: int) -> RoutedItem:
    return RoutedItem(str(place), "en", label, decided, None, "", [], [], [], held_out=False)


def test_figures_are_those_of_the_counts() -> None:
    pairs = [("exam", "exam")] * 3 + [("cancer", "cancer")] * 2 + [("cancer", "exam"), ("general", "general")]
    items = [_item(label, decided, place) for place, (label, decided) in enumerate(pairs)]
    metrics = summarise(items)[0]["metrics"]
    assert metrics["precision_exam"] == 0.75
    assert metrics["recall_exam"] == 1.0
    assert metrics["f1_exam"] == pytest.approx(6 / 7, abs=1e-4)
    assert metrics["f1_cancer"] == 0.8
    assert metrics["accuracy"] == pytest.approx(6 / 7, abs=1e-4)
    assert metrics["macro_f1"] == pytest.approx((6 / 7 + 0.8 + 1) / 3, abs=1e-4)
    assert count_confusions(items)[CLASSES.index("cancer")] == [1, 2, 0, 0]


@pytest.mark.shared_data
def test_the_aims_are_met(shared: Path, call_alone: Call, tmp_path: Path) -> None:
    done = call_alone("eval", "routing", "--data", str(shared / "data"), "--out", str(tmp_path), "--json")
    assert done.code == 0
    report = json.loads(done.out)
    rows = {row["style"]: row for row in report["rows"]}
    assert rows["all"]["n"] == 600
    for style in ("all", "held-out half"):
        metrics = rows[style]["metrics"]
        assert metrics["f1_exam"] >= 0.95
        assert metrics["f1_cancer"] >= 0.95
        assert metrics["f1_multi_entity"] >= 0.8
        assert metrics["f1_general"] >= 0.85
    low, high = rows["all"]["ci"]["macro_f1"]
    assert low <= rows["all"]["metrics"]["macro_f1"] <= high
    lines = (tmp_path / "routing.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 600
    assert {"id", "label", "decided", "reason", "options", "cancer_terms", "entities"} <= set(
        json.loads(lines[0])
    )
    assert (tmp_path / "routing.png").exists() == _can_plot()


@pytest.mark.shared_data
def test_the_tables_are_printed(shared: Path, call_alone: Call) -> None:
    done = call_alone("eval", "routing", "--data", str(shared / "data"), "--limit", "40")
    assert done.code == 0
    for words in ("precision", "F1", "multi_entity", "accuracy", "decisions (columns)"):
        assert words in done.out


def test_a_folder_without_the_questions_is_an_error(call_alone: Call, tmp_path: Path) -> None:
    done = call_alone("eval", "routing", "--data", str(tmp_path))
    assert done.code == 2
    assert "router_eval" in done.err


def _can_plot() -> bool:
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None
