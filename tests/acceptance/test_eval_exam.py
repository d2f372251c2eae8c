"""`carecite eval exam` on a tiny set of its own: by rules, with a scripted model, and going on."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.exams import QUESTIONS, write_exam
from tests.emulators.model import Chat, ModelServer, Reply
from tests.integration.sema_rag.scripts import say, step_of
from tests.program import Call, says_sorry

ROLES = ("sema_rag", "sema_rag-I", "sema_rag-E", "sema_rag-A")
ARMS = ("question_only", "cot", "single_rag", "fixed3", *ROLES, "cometa")
RETRIEVALS = {
    "single_rag": (1, 1),
    "fixed3": (1, 9),
    "sema_rag": (1, 4),
    "sema_rag-I": (1, 4),
    "sema_rag-E": (1, 1),
    "sema_rag-A": (1, 4),
    "cometa": (1, 1),
}


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
        least, most = RETRIEVALS.get(arm, (0, 0))
        assert least <= row["metrics"]["retrievals"] <= most
        low, high = row["ci"]["forced_accuracy"]
        assert low <= row["metrics"]["forced_accuracy"] <= high
        assert {f"forced_accuracy minus {other}" for other in ARMS if other != arm} < set(row["ci"])
    told = {
        (item["id"], item["withheld"]): item["attempt"] for item in items(tmp_path) if item["arm"] == "cometa"
    }
    assert told["t1", False]["said"] == "B"
    assert told["t2", False]["said"] == "B"
    made = {(item["id"], item["arm"]): item["attempt"] for item in items(tmp_path) if not item["withheld"]}
    for arm in ("fixed3", *ROLES):
        assert made["t1", arm]["chosen"] == "B", arm
    assert made["t1", "fixed3"]["stop"] == "fixed"
    assert made["t1", "sema_rag-E"]["stop"] == "single_round"
    assert made["t1", "sema_rag"]["stop"] in ("sufficient", "early_exit", "stagnation", "budget")
    assert {item["arm"] for item in items(tmp_path)} == set(ARMS), "mirage is asked in Chinese only"
    assert {item["preset"] for item in items(tmp_path)} == {report["preset"]} == {"product"}
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


def test_other_bounds_are_arms_and_those_that_are_the_same_are_asked_once(
    call: Call, data: Path, tmp_path: Path
) -> None:
    arms = ("sema_rag", "sema_rag m1", "sema_rag m3", "sema_rag T1", "sema_rag T4", "sema_rag unread")
    more = ("--arms", ",".join(arms), "--preset", "faithful", "--per-query", "2", "--out", str(tmp_path))
    report = run(call, data, *more)
    assert report["preset"] == "faithful, k 2"
    made = {(item["id"], item["arm"]): item["attempt"] for item in items(tmp_path) if not item["withheld"]}
    for question in QUESTIONS:
        key = question["id"]
        assert made[key, "sema_rag m3"] == made[key, "sema_rag"], "seconds and all"
        assert made[key, "sema_rag T1"]["rounds"] == made[key, "sema_rag T1"]["retrievals"] == 1
        assert made[key, "sema_rag m1"]["retrievals"] <= made[key, "sema_rag m1"]["rounds"] <= 2
        assert made[key, "sema_rag T4"]["retrievals"] <= 10
        assert made[key, "sema_rag unread"]["retrievals"] == 0
        assert made[key, "sema_rag unread"]["said"] is None
    rows = {(row["style"], row["arm"]): row["metrics"] for row in report["rows"]}
    stops = [value for name, value in rows["standard", "sema_rag T1"].items() if name.startswith("stop ")]
    assert sum(stops) == pytest.approx(1, abs=1e-3)


def test_chinese_questions_are_asked_over_the_chinese_graph(call: Call, data: Path, tmp_path: Path) -> None:
    report = run(
        call, data, "--sets", "tiny,explaincpe", "--arms", "question_only,mirage", "--out", str(tmp_path)
    )
    made = {(item["id"], item["arm"]): item["attempt"] for item in items(tmp_path)}
    assert made["z1", "mirage"]["chosen"] == "B", "the graph joins the disease and its test"
    assert made["z1", "mirage"]["gate"] != "handed_over"
    assert made["z2", "mirage"]["gate"] == "handed_over", "nothing of it is in the graph"
    assert ("t1", "question_only") in made
    assert ("t1", "mirage") not in made
    counts = {(row["dataset"], row["arm"]): row["n"] for row in report["rows"] if row["style"] == "standard"}
    assert counts["explaincpe", "mirage"] == 2


def examinee(request: dict[str, Any], number: int) -> Reply:
    """Answers B to everything; with sources it cites the first of their sentences. Of SEMA-RAG's roles it
    understands nothing."""
    text = "\n".join(message["content"] for message in request["messages"])
    cited = re.findall(r"\[(\d+\.\d+)\]", text)
    if step_of(request) == "exam_ask":
        return say(
            queries=["Does dolexan help?", "What prevents attacks of gout?", "Who has attacks of gout?"]
        )
    if step_of(request) == "answer":
        written = {"text": "So says the first source.", "cites": cited[:1]}
        return say(sufficient=True, paragraphs=[{"sentences": [written]}])
    fields = {"answer_choice": "B", "reasoning": "By the first source.", "cites": cited[:1]}
    fields["insufficient"] = not cited  # type: ignore[assignment]
    named = {name: value for name, value in fields.items() if f'"{name}"' in text}
    return Chat(json.dumps(named if "answer_choice" in named else {}))


def test_with_a_model(call: Call, data: Path, tmp_path: Path) -> None:
    with ModelServer(examinee) as server:
        arms = ("--arms", "question_only,cot,single_rag,fixed3,sema_rag,cometa")
        report = run(call, data, *arms, "--out", str(tmp_path), **server.settings())
    made = {(item["id"], item["arm"]): item["attempt"] for item in items(tmp_path) if not item["withheld"]}
    assert {made[question["id"], arm]["by"] for question in QUESTIONS for arm in ARMS[:4]} == {"model"}
    assert made["t1", "cometa"]["said"] == "B"
    assert made["t2", "cometa"]["said"] == "B"
    assert made["t3", "cometa"]["said"] is None, "a model is not asked where nothing fits, and then forced"
    assert made["t3", "cometa"]["forced_calls"] > 0
    assert made["t3", "single_rag"]["said"] == "B", "one retrieval has no gate"
    rows = {(row["style"], row["arm"]): row["metrics"] for row in report["rows"]}
    assert rows["standard", "question_only"]["calls"] == 1
    assert rows["standard", "question_only"]["tokens"] > 0
    fixed = made["t1", "fixed3"]
    assert (fixed["retrievals"], fixed["steps"]) == (6, 3 + 6 + 1), (
        "a query that names an option is not asked"
    )
    assert made["t2", "fixed3"]["retrievals"] == 9
    assert made["t1", "sema_rag"]["steps"] < made["t1", "sema_rag"]["calls"], "repairs are counted apart"
    searching = ("rewrite", "interpret", "explore", "exam_ask", "answer")
    prompts = {step: [one.text for one in server.asked if step_of(one.body) == step] for step in searching}
    assert prompts["exam_ask"]
    assert prompts["answer"]
    assert not [text for texts in prompts.values() for text in texts if "salbutamol" in text]
    carried = [one.text for one in server.asked if step_of(one.body) == "exam_carried"]
    assert "So says the first source." in carried[0]
    assert "women" not in carried[0], "passages are not carried"


def test_tables_and_plot(call: Call, data: Path, tmp_path: Path) -> None:
    arms = "question_only,cot,sema_rag,sema_rag-E,sema_rag-A"
    words = ("--sets", "tiny", "--arms", arms, "--limit", "1", "--preset", "faithful", "--out", str(tmp_path))
    done = call("eval", "exam", "--data", str(data), *words, COLUMNS="200")
    assert done.code == 0, done.err
    measured, _, differences = done.out.partition("differences in forced_accuracy")
    assert "preset faithful" in measured
    compared = [re.findall(r"[a-z_]+(?:-[EA])?", line) for line in differences.splitlines() if "tiny" in line]
    assert compared
    assert all("sema_rag" in words for words in compared), "pairs of two others are left to --json"
    if importlib.util.find_spec("matplotlib"):
        assert (tmp_path / "exam.png").stat().st_size


def test_unknown_arms_and_sets_are_told(call: Call, data: Path) -> None:
    says_sorry(call("eval", "exam", "--data", str(data), "--arms", "magic"), 2, "--arms", "single_rag")
    says_sorry(call("eval", "exam", "--data", str(data), "--sets", "nowhere"), 2, "nowhere")
