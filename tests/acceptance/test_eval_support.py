"""`carecite eval support` on the set that ships: a table, one JSON object, JSON lines and a plot."""

from __future__ import annotations

from pathlib import Path

from tests.program import Call, says_sorry


def test_it_prints_the_object_of_the_plan(call: Call, tmp_path: Path) -> None:
    done = call("eval", "support", "--limit", "4", "--out", str(tmp_path), "--json")
    assert done.code == 0
    report = done.json()
    assert report["eval"] == "support"
    clean = next(row for row in report["rows"] if row["dataset"] == "clean")
    assert set(clean) == {"dataset", "style", "arm", "n", "metrics", "ci"}
    assert set(clean["metrics"]) >= {"removed_good", "ids_known", "verbatim"}
    planted = next(row for row in report["rows"] if row["dataset"] == "all planted")
    assert "removed_bad" in planted["metrics"]
    lines = (tmp_path / "support.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == clean["n"] + planted["n"]


def test_unknown_arms_and_a_missing_model_are_told(call_alone: Call) -> None:
    says_sorry(call_alone("eval", "support", "--arms", "magic"), 2, "--arms", "rule")
