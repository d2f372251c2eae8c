"""Measuring verification: the set is read, judged by an arm, resumed and summed up, per kind and half."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from reasoning.evaluation.metrics import share_interval
from reasoning.evaluation.questions import DataMissing
from reasoning.evaluation.support import FAULTS, measure, read_answers
from reasoning.evaluation.support_report import summarise
from reasoning.evidence import Claim, Evidence
from reasoning.verify import Supported, verify_claims

TEXT = "Iron tablets may cause constipation."
ROWS = [
    {
        "id": f"answer-{n}",
        "lang": "en",
        "evidence": [{"eid": "a", "title": "Iron", "section": None, "text": TEXT, "standing": "ok"}],
        "sentences": [
            {"text": "Iron pills can make you constipated.", "support": [["a", TEXT]], "fault": None},
            {"text": "Iron pills never constipate.", "support": [["a", TEXT]], "fault": "negation"},
            {"text": "Iron may cause it.", "support": [["b", TEXT]], "fault": "foreign_id"},
        ],
    }
    for n in range(6)
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "support").mkdir()
    lines = "\n".join(json.dumps(row) for row in ROWS)
    (tmp_path / "support" / "own.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


async def by_rule(claims: Sequence[Claim], evidence: Sequence[Evidence], language: str) -> Supported:
    return verify_claims(claims, evidence, language=language)


async def test_rows_by_kind_and_half(folder: Path) -> None:
    answers = read_answers(folder)
    steps: list[None] = []
    items = await measure(answers, {"rule": by_rule}, None, lambda: steps.append(None))
    assert len(items) == 18
    assert len(steps) == 6
    rows = {(row["dataset"], row["style"]): row for row in summarise(items)}
    clean, planted = rows["clean", "support"], rows["all planted", "support"]
    assert clean["metrics"] == {"removed_good": 0.0, "removed": 0.0, "ids_known": 1.0, "verbatim": 1.0}
    assert planted["metrics"]["removed_bad"] == 1.0
    assert planted["n"] == 12
    halves = [
        rows[kind, f"support, {half}"]["n"] for kind in ("clean",) for half in ("even half", "held-out half")
    ]
    assert sum(halves) == 6
    assert all(halves)


async def test_a_run_goes_on_where_it_ended(folder: Path, tmp_path: Path) -> None:
    asked: list[str] = []

    async def counting(claims: Sequence[Claim], evidence: Sequence[Evidence], language: str) -> Supported:
        asked.append(language)
        return verify_claims(claims, evidence, language=language)

    out = tmp_path / "out"
    out.mkdir()
    first = await measure(read_answers(folder, limit=2), {"rule": counting}, out, lambda: None)
    again = await measure(read_answers(folder), {"rule": counting}, out, lambda: None)
    assert len(asked) == 6
    assert again[: len(first)] == first


def test_the_set_that_ships_is_found() -> None:
    answers = [answer for file in read_answers(None).values() for answer in file]
    assert len(answers) >= 300
    assert {fault for answer in answers for fault in answer.faults} == {*FAULTS, None}


def test_a_folder_without_a_set_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataMissing):
        read_answers(tmp_path)


def test_intervals_have_a_width_at_the_ends() -> None:
    low, high = share_interval(20, 20)
    assert (round(low, 3), high) == (0.839, 1.0)
    assert share_interval(0, 20) == (0.0, round(1 - low, 4))
