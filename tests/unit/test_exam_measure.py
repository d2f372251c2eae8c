"""Figures of `carecite eval exam`, and how a run goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.render.tables import print_differences
from reasoning.evaluation.exam import Arm, Attempt, ExamItem, Marked, measure, read_items
from reasoning.evaluation.exam_report import compare, keep_pairs_with, summarise
from reasoning.evaluation.questions import DataMissing
from reasoning.evidence import Question
from reasoning.routing import Option

YES_NO = (Option("A", "yes"), Option("B", "no"))


def item(place: int, *pmids: str, answer: str = "A") -> ExamItem:
    return ExamItem(f"q{place}", "tiny", "tiny", f"Does number {place} help?", YES_NO, answer, pmids)


def mark(place: int, arm: str, chosen: str, said: str | None = None, *, withheld: bool = False) -> Marked:
    attempt = Attempt(said, chosen, "rule", said is None, prompt_tokens=10, completion_tokens=5)
    return Marked(f"q{place}", "tiny", "tiny", arm, None, withheld, place % 2 == 1, "A", attempt)


def rows_of(marks: list[Marked]) -> dict[tuple[str, str], dict[str, float]]:
    return {(row["style"], row["arm"]): row["metrics"] for row in summarise(marks)}


def test_what_is_said_and_what_is_forced_are_counted_apart() -> None:
    marks = [mark(0, "x", "A", "A"), mark(1, "x", "A"), mark(2, "x", "B", "B"), mark(3, "x", "B")]
    metrics = rows_of(marks)["standard", "x"]
    assert metrics["forced_accuracy"] == 0.5
    assert metrics["accuracy"] == 0.25
    assert metrics["answered"] == 0.5
    assert metrics["right_of_said"] == 0.5
    assert metrics["tokens"] == 15
    assert rows_of(marks)["standard, held-out half", "x"]["forced_accuracy"] == 0.5


def test_arms_are_compared_on_the_same_questions() -> None:
    mine = {f"q{n}": mark(n, "x", "A") for n in range(10)}
    other = {f"q{n}": mark(n, "y", "A" if n < 4 else "B") for n in range(10)} | {"q99": mark(99, "y", "A")}
    difference, (low, high), p = compare(mine, other)
    assert difference == 0.6
    assert low < 0.6 < high
    assert p == pytest.approx(2 * 0.5**6, abs=1e-4)  # six questions, all won
    assert compare(mine, mine) == (0.0, (0.0, 0.0), 1.0)


def test_a_question_with_withheld_sources_takes_the_place_of_the_same_with_them() -> None:
    marks = [mark(0, "x", "A"), mark(0, "x", "B", withheld=True), mark(1, "x", "A")]
    rows = rows_of(marks)
    assert rows["standard", "x"]["forced_accuracy"] == 1.0
    assert rows["standard, sources withheld", "x"]["forced_accuracy"] == 0.5


async def test_a_run_goes_on_from_where_it_stopped(tmp_path: Path) -> None:
    asked: list[Question] = []

    async def answer(question: Question) -> Attempt:
        asked.append(question)
        return Attempt("A", "A", "rule", insufficient=False)

    items = [item(0), item(1, "90000001")]
    arms = {"plain": Arm(answer, retrieves=False), "reading": Arm(answer, retrieves=True)}
    first = await measure(items[:1], arms, None, tmp_path, lambda: None)
    assert len(asked) == len(first) == 2
    again = await measure(items, arms, None, tmp_path, lambda: None)
    assert again[:2] == first
    assert [question.filters.without for question in asked[2:]] == [(), (), ("90000001",)]
    await measure(items, arms, "another model", tmp_path, lambda: None)
    assert len(asked) == 10, "what another model answered is not taken over"


async def test_another_preset_is_asked_anew_and_an_arm_of_another_language_is_not_asked(
    tmp_path: Path,
) -> None:
    asked: list[Question] = []

    async def answer(question: Question) -> Attempt:
        asked.append(question)
        return Attempt("A", "A", "rule", insufficient=False)

    arm = Arm(answer, retrieves=False)
    arms = {"one": arm, "same": arm, "chinese": Arm(answer, retrieves=False, language="zh")}
    marks = await measure([item(0)], arms, None, tmp_path, lambda: None)
    assert [mark.arm for mark in marks] == ["one", "same"]
    assert len(asked) == 1, "two names of one arm"
    await measure([item(0)], arms, None, tmp_path, lambda: None, preset="faithful")
    assert len(asked) == 2
    await measure([item(0)], arms, None, tmp_path, lambda: None)
    assert len(asked) == 2


def test_of_many_arms_the_pairs_with_one_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    rows = summarise([mark(n, arm, "A" if n < 3 else "B") for n in range(4) for arm in ("x", "y", "z")])
    print_differences({"rows": keep_pairs_with("y", rows)}, "forced_accuracy")
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if "standard" in line]
    pairs = {(words[words.index("standard") + 2], words[words.index("standard") + 4]) for words in lines
             if not {"standard,"} & set(words)}  # fmt: skip
    assert pairs == {("y", "x"), ("z", "y")}
    assert {"forced_accuracy", "accuracy"} < set(keep_pairs_with("y", rows)[0]["ci"])


def test_stop_reasons_are_shares() -> None:
    marks = [mark(n, "x", "A") for n in range(4)]
    stopped = [replace(one, attempt=replace(one.attempt, stop="budget", rounds=2)) for one in marks[:3]]
    metrics = rows_of([*stopped, marks[3]])["standard", "x"]
    assert metrics["stop budget"] == 0.75
    assert metrics["rounds"] == 1.5


def test_questions_of_the_graphs_folder_are_read_with_their_language(tmp_path: Path) -> None:
    (tmp_path / "kg").mkdir()
    row = {"id": "z1", "question": "首选的药物是", "options": {"A": "甲", "B": "乙"}, "answer": "B"}
    row["explanation"] = "应选乙"
    (tmp_path / "kg" / "explaincpe.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (read,) = read_items(tmp_path, ["explaincpe"])
    assert read.question(withheld=False).language == "zh"
    assert "应选" not in repr(read)
    with pytest.raises(DataMissing):
        read_items(tmp_path, ["nowhere"])


def test_options_are_no_part_of_what_is_asked(tmp_path: Path) -> None:
    (tmp_path / "qa").mkdir()
    row = {"id": "t1", "question": "Which drug?", "options": {"A": "one", "B": "two"}, "answer": "B"}
    (tmp_path / "qa" / "tiny.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (read,) = read_items(tmp_path, ["tiny"])
    assert read.question(withheld=True).text == "Which drug?"
    assert [option.text for option in read.question(withheld=False).options] == ["one", "two"]
    assert read.source == "tiny"
