"""`carecite eval exam` on a tiny set of its own: by rules, with a scripted model, and going on."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.exams import QUESTIONS, write_exam
from tests.emulators.model import Chat, ModelServer, Reply
from tests.program import Call, says_sorry

ARMS = ("question_only", "cot", "single_rag", "cometa")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_exam(tmp_path_factory.mktemp("exam"))


def items(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "exam.jsonl").read_text("utf-8").splitlines()]


def run(call: Call, data: Path, *words: str, **settings: str) -> Any:
    done = call("eval", "exam", "--data", str(data), "--sets", "tiny", *words, "--json", **settings)
    assert done.code == 0, done.err
    return done.json()


def test_by_rules(call: Call, data: Path, tmp_path: Path) -> None:
    report = run(call, data, "--out", str(tmp_path))
    assert report["eval"] == "exam"
    assert report["model"] is None
    rows = {(row["style"], row["arm"]): row for row in report["rows"]}
    for arm in ARMS:
        row = rows["standard", arm]
        assert row["n"] == 3
        assert set(row["metrics"]) >= {
            "accuracy",
            "answered",
            "forced_accuracy",
            "calls",
            "tokens",
            "seconds",
        }
        assert row["metrics"]["calls"] == row["metrics"]["tokens"] == 0
        assert row["metrics"]["retrievals"] == (arm in ("single_rag", "cometa"))
        low, high = row["ci"]["forced_accuracy"]
        assert low <= row["metrics"]["forced_accuracy"] <= high
        assert {f"forced_accuracy minus {other}" for other in ARMS if other != arm} < set(row["ci"])
    told = {
        (item["id"], item["withheld"]): item["attempt"] for item in items(tmp_path) if item["arm"] == "cometa"
    }
    assert told["t1", False]["said"] == "B"
    assert told["t2", False]["said"] == "B"
    assert told["t2", True]["said"] is None, "its only source was withheld"
    assert told["t3", False]["said"] is None, "nothing here speaks of bones"
    assert told["t3", False]["chosen"] in "ABC"
    assert rows["standard", "cometa"]["metrics"]["answered"] == pytest.approx(2 / 3, abs=1e-4)
    assert rows["standard, sources withheld", "cometa"]["metrics"]["answered"] == pytest.approx(
        1 / 3, abs=1e-4
    )
    alike = {
        (item["id"], item["attempt"]["chosen"]) for item in items(tmp_path) if item["arm"] == "question_only"
    }
    assert alike == {
        (item["id"], item["attempt"]["chosen"]) for item in items(tmp_path) if item["arm"] == "cot"
    }


def test_a_run_goes_on(call: Call, data: Path, tmp_path: Path) -> None:
    arms = ("--arms", "question_only,single_rag", "--out", str(tmp_path))
    run(call, data, *arms, "--limit", "1")
    first = (tmp_path / "exam.jsonl").read_text("utf-8")
    report = run(call, data, *arms)
    whole = (tmp_path / "exam.jsonl").read_text("utf-8")
    assert whole.startswith(first)
    assert len(items(tmp_path)) == 3 + 4, "one more with its source withheld"
    assert run(call, data, *arms)["rows"] == report["rows"]
    assert (tmp_path / "exam.jsonl").read_text("utf-8") == whole


def examinee(request: dict[str, Any], number: int) -> Reply:
    """Answers B to everything; with sources it cites the first of their sentences."""
    text = "\n".join(message["content"] for message in request["messages"])
    cited = re.findall(r"\[(\d+\.\d+)\]", text)
    fields = {"answer_choice": "B", "reasoning": "By the first source.", "cites": cited[:1]}
    fields["insufficient"] = not cited  # type: ignore[assignment]
    named = {name: value for name, value in fields.items() if f'"{name}"' in text}
    return Chat(json.dumps(named if "answer_choice" in named else {}))


def test_with_a_model(call: Call, data: Path, tmp_path: Path) -> None:
    with ModelServer(examinee) as server:
        report = run(call, data, "--out", str(tmp_path), **server.settings())
    made = {(item["id"], item["arm"]): item["attempt"] for item in items(tmp_path) if not item["withheld"]}
    assert {made[question["id"], arm]["by"] for question in QUESTIONS for arm in ARMS[:3]} == {"model"}
    assert made["t1", "cometa"]["said"] == "B"
    assert made["t2", "cometa"]["said"] == "B"
    assert made["t3", "cometa"]["said"] is None, "a model is not asked where nothing fits, and then forced"
    assert made["t3", "cometa"]["forced_calls"] > 0
    assert made["t3", "single_rag"]["said"] == "B", "one retrieval has no gate"
    rows = {(row["style"], row["arm"]): row["metrics"] for row in report["rows"]}
    assert rows["standard", "question_only"]["calls"] == 1
    assert rows["standard", "question_only"]["tokens"] > 0
    prompts = [asked.text for asked in server.asked]
    assert not [text for text in prompts if "salbutamol" in text and '"answer_choice"' not in text]


def test_unknown_arms_and_sets_are_told(call: Call, data: Path) -> None:
    says_sorry(call("eval", "exam", "--data", str(data), "--arms", "magic"), 2, "--arms", "single_rag")
    says_sorry(call("eval", "exam", "--data", str(data), "--sets", "nowhere"), 2, "nowhere")
