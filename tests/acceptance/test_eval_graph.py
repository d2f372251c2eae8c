"""`carecite eval graph` on tiny graphs of its own: by rules, with a scripted model, judged, and going on."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.dialogues import write_dialogues
from tests.emulators.model import Chat, ModelServer, Reply, words_of
from tests.program import Call, says_sorry

ARMS = ("overlap", "bm25", "dense", "mindmap", "mirage", "no_decomposer", "no_synthesis", "neither")
ALONE, GIVEN = "question alone", "given entities"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dialogues(tmp_path_factory.mktemp("dialogues"))


def items(folder: Path, name: str = "graph") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines()]


def run(call: Call, data: Path, *words: str, **settings: str) -> Any:
    done = call("eval", "graph", "--data", str(data), *words, "--json", **settings)
    assert done.code == 0, done.err
    return done.json()


def test_by_rules(call: Call, data: Path, tmp_path: Path) -> None:
    report = run(call, data, "--out", str(tmp_path))
    assert report["eval"] == "graph"
    assert report["model"] is None
    assert report["judged"] == []
    rows = {(row["dataset"], row["style"], row["arm"]): row for row in report["rows"]}
    for graph in ("emckg", "chatdoctor_full"):
        for style in (ALONE, GIVEN):
            for arm in ARMS:
                row = rows[graph, style, arm]
                assert row["n"] == 5, "a question without an entity of the graph does not count"
                assert row["metrics"]["calls"] == 0
                low, high = row["ci"]["hit@1"]
                assert low <= row["metrics"]["hit@1"] <= high
        for name in [f"N_q {n}" for n in range(1, 7)] + [f"N_r {n}" for n in range(1, 7)]:
            assert rows[graph, f"{GIVEN}, {name}", "mirage"]["n"] == 5
    given = rows["emckg", GIVEN, "mirage"]
    assert given["metrics"]["ceiling"] == given["metrics"]["linked"] == given["metrics"]["hit@10"] == 1
    assert given["metrics"]["hit@1"] >= rows["emckg", GIVEN, "overlap"]["metrics"]["hit@1"]
    assert "hit@1 minus overlap" in given["ci"]
    assert rows["emckg", ALONE, "mirage"]["metrics"]["linked"] == 0.8, "a tight band links to nothing"
    ranks = {(item["style"], item["id"], item["arm"]): item["rank"] for item in items(tmp_path)}
    assert ranks[GIVEN, "g2", "overlap"] == 1
    assert ranks[GIVEN, "g4", "overlap"] == 2, "a tie, broken by name"
    assert ranks[GIVEN, "g3", "mirage"] == 1, "a disease that the question names is a candidate"
    assert ranks[ALONE, "g4", "mirage"] is None
    alone = {item["id"] for item in items(tmp_path) if item["handed_over"] and item["style"] == GIVEN}
    assert "g4" in alone, "with one entity the product asks literature"
    dialogues = rows["cmcqa", ALONE, "mirage"]
    assert dialogues["n"] == 3
    assert dialogues["metrics"]["linked"] == pytest.approx(2 / 3, abs=1e-4)
    assert dialogues["metrics"]["with_path"] == pytest.approx(1 / 3, abs=1e-4)
    assert dialogues["metrics"]["handed_over"] == pytest.approx(2 / 3, abs=1e-4)
    plots = importlib.util.find_spec("matplotlib") is not None
    assert (tmp_path / "graph.png").exists() == plots
    assert (tmp_path / "graph_sweep.png").exists() == plots


def test_what_is_asked_of_the_method_is_told(call: Call, data: Path) -> None:
    done = call("eval", "graph", "--data", str(data), "--graphs", "emckg", "--arms", "overlap,mirage")
    assert done.code == 0, done.err
    assert "differences in hit@1" in done.out
    assert "differences in hit@10" in done.out
    assert "against overlap: not met" in " ".join(done.err.split()), "five questions show nothing"


def test_measured_graphs_stay_out_of_answers(call: Call, data: Path) -> None:
    run(call, data, "--graphs", "emckg", "--arms", "overlap", "--sweep", "0")
    done = call("graph", "show", "Tension headache", "--json")
    assert "emckg" not in done.out


def test_a_run_goes_on(call: Call, data: Path, tmp_path: Path) -> None:
    words = ("--graphs", "emckg,cmcqa", "--arms", "overlap,mirage", "--sweep", "2", "--out", str(tmp_path))
    run(call, data, *words, "--limit", "2")
    first = (tmp_path / "graph.jsonl").read_text("utf-8")
    report = run(call, data, *words)
    whole = (tmp_path / "graph.jsonl").read_text("utf-8")
    assert whole.startswith(first)
    assert len(items(tmp_path)) == 2 * 2 * 5 + 2 * 12
    assert run(call, data, *words)["rows"] == report["rows"]
    assert (tmp_path / "graph.jsonl").read_text("utf-8") == whole
    assert len(items(tmp_path, "graph_dialogues")) == 3


def scripted(request: dict[str, Any], number: int) -> Reply:
    """A model that takes the first concept alone, finishes with the first fact, and prefers Asthma."""
    step, text = request["response_format"]["json_schema"]["name"], words_of(request)
    if step == "decompose":
        name = re.findall(r"^- (.+?) \(", text.split("Concepts that the graph has:")[1], re.MULTILINE)[0]
        part = {"text": f"What can {name} be a sign of?", "entities": [name]}
        return Chat(json.dumps({"entities": [name], "decompose": False, "subquestions": [part]}))
    if step == "chain":
        empty = {"reasoning": "", "do": "search", "entity1": "", "entity2": "", "answer": "", "facts": []}
        asked = text.split("Concepts to begin with:")[1]
        if re.search(r"^\[1\]", asked, re.MULTILINE):
            told = {"do": "finish", "answer": "The graph lists a disease for this.", "facts": [1]}
            return Chat(json.dumps(empty | told))
        return Chat(json.dumps(empty | {"entity1": asked.split("\n")[0].split(",")[0].strip()}))
    if step == "graph_judge":
        first = text.rindex("Asthma") < text.index("second answer") if "Asthma" in text else False
        return Chat(json.dumps({"reason": "It comes first.", "better": "first" if first else "second"}))
    return Chat("{}")


def test_with_a_model(call: Call, data: Path, tmp_path: Path) -> None:
    words = ("--graphs", "emckg", "--sweep", "0", "--llm", "--llm-limit", "2", "--out", str(tmp_path))
    with ModelServer(scripted) as server:
        report = run(call, data, *words, **server.settings())
        asked = len(server.asked)
        assert run(call, data, *words, **server.settings())["rows"] == report["rows"]
        assert len(server.asked) == asked, "what was asked is on disk"
    rows = {(row["style"], row["arm"]): row for row in report["rows"]}
    assert rows[GIVEN, "mirage, model"]["n"] == 2
    assert rows[GIVEN, "mirage, model"]["metrics"]["calls"] > 0
    assert rows[GIVEN, "mirage, model"]["metrics"]["by_rule"] == 0
    assert rows[GIVEN, "mirage"]["metrics"]["calls"] == 0, "the rules ask no model"
    assert not [arm for _, arm in rows if arm == "overlap, model"], "no model takes part in it"
    assert {item["model"] for item in items(tmp_path)} == {None, report["model"]}


def test_with_a_slow_model(call: Call, data: Path) -> None:
    words = ("--graphs", "emckg", "--arms", "mirage", "--sweep", "0", "--llm", "--llm-limit", "2")
    words += ("--entities", "given")
    with ModelServer(scripted) as server:
        report = run(call, data, *words, "--parts", "1", "--searches", "2", **server.settings())
        told = "\n".join(words_of(asked.body) for asked in server.asked)
    assert set(re.findall(r"at most (\d+) sub-questions", told)) == {"1"}
    assert max(re.findall(r"Searches left: (\d+)", told)) == "2"
    rows = {(row["style"], row["arm"]): row for row in report["rows"]}
    narrow = rows[GIVEN, "mirage, model N_q 1, N_r 2"]
    assert {style.split(",")[0] for style, _ in rows} == {GIVEN}
    assert "hit@1 minus mirage" in narrow["metrics"], "beside the rules on the same questions"


def first_always(request: dict[str, Any], number: int) -> Reply:
    return Chat(json.dumps({"reason": "It is first.", "better": "first"}))


def test_a_judge_that_always_takes_the_first_place_decides_nothing(
    call: Call, data: Path, tmp_path: Path
) -> None:
    words = ("--graphs", "emckg", "--arms", "overlap", "--sweep", "0", "--judge", "mirage,neither")
    with ModelServer(first_always) as server:
        (row,) = run(call, data, *words, "--out", str(tmp_path), **server.settings())["judged"]
        assert len(server.asked) == 2 * 3 * 5, "both orders, three seeds, five questions"
        texts = [asked.text for asked in server.asked]
    assert row["metrics"] == {"win": 0, "tie": 1, "lose": 0, "agreement": 0}
    assert all("It may be" in text for text in texts), "the reference is shown"
    orders = [item["winners"] for item in items(tmp_path, "graph_judged")]
    assert ["one", "other"] in orders, "positions are shuffled"
    assert ["other", "one"] in orders


def named_wins(request: dict[str, Any], number: int) -> Reply:
    """Prefers the answer that is a bare list, wherever it stands."""
    text = words_of(request)
    bare = text.index("This could be a sign of")
    place = "first" if bare < text.index("the second answer") else "second"
    return Chat(json.dumps({"reason": "A list.", "better": place}))


def test_a_judge_that_knows_what_it_wants_is_followed(call: Call, data: Path) -> None:
    words = ("--graphs", "emckg", "--arms", "overlap", "--sweep", "0", "--judge", "overlap,neither")
    with ModelServer(named_wins) as server:
        (row,) = run(call, data, *words, "--llm-limit", "2", **server.settings())["judged"]
    assert (row["n"], row["failed"]) == (6, 0)
    assert row["metrics"] == {"win": 1, "tie": 0, "lose": 0, "agreement": 1}


def test_bad_choices_are_told(call: Call, data: Path, tmp_path: Path) -> None:
    said = ("eval", "graph", "--data", str(data))
    says_sorry(call(*said, "--arms", "magic"), 2, "--arms", "mindmap")
    says_sorry(call(*said, "--graphs", "nowhere"), 2, "--graphs", "emckg")
    says_sorry(call(*said, "--llm"), 2, "CARECITE_LLM_BASE_URL")
    says_sorry(call(*said, "--judge", "mirage,neither"), 2, "CARECITE_LLM_BASE_URL")
    with ModelServer(first_always) as server:
        says_sorry(call(*said, "--judge", "mirage", **server.settings()), 2, "two arms")
    says_sorry(call("eval", "graph", "--data", str(tmp_path)), 2, "genmedgpt5k")


@pytest.mark.shared_data
def test_a_few_questions_of_the_shared_data(shared: Path, call: Call) -> None:
    words = ("--graphs", "emckg", "--arms", "overlap,mirage", "--limit", "30", "--sweep", "0")
    report = run(call, shared / "data", *words)
    rows = {(row["style"], row["arm"]): row["metrics"] for row in report["rows"]}
    given = rows[GIVEN, "mirage"]
    assert given["hit@10"] >= rows[GIVEN, "overlap"]["hit@10"]
    assert given["hit@1"] > rows[GIVEN, "overlap"]["hit@1"]
    assert given["hit@10"] <= given["ceiling"]
    assert rows[ALONE, "mirage"]["linked"] > 0.9
