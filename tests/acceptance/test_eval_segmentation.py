"""`carecite eval segmentation` and `eval depth` end to end, with the real encoder, on invented studies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fulltexts import write_fulltexts
from tests.program import Call, says_sorry

PEERS = {
    "langchain": "langchain_experimental.text_splitter",
    "llamaindex": "llama_index.core",
    "chonkie": "chonkie",
}


def test_it_prints_the_object_of_the_plan_and_goes_on(call_alone: Call, tmp_path: Path) -> None:
    data, out = write_fulltexts(tmp_path / "data"), tmp_path / "out"
    words = ("eval", "segmentation", "--data", str(data), "--arms", "seos,fixed", "--out", str(out), "--json")
    done = call_alone(*words, CARECITE_HOME=str(tmp_path / "home"))
    assert done.code == 0, done.err
    rows = done.json()["rows"]
    assert {row["dataset"] for row in rows} == {"fulltext/256", "fulltext/512"}
    assert all(set(row) == {"dataset", "style", "arm", "n", "metrics", "ci"} for row in rows)
    plain = {row["arm"]: row for row in rows if row["style"] == "equal mean, dense, none"}
    assert set(plain) == {"seos", "fixed"}
    assert plain["seos"]["n"] == 6
    assert plain["seos"]["metrics"]["whole"] == 1.0
    assert plain["fixed"]["metrics"]["whole"] <= 1.0
    assert plain["fixed"]["metrics"]["mean_tokens"] == pytest.approx(
        plain["seos"]["metrics"]["mean_tokens"], rel=0.1
    )
    assert {"whole minus seos", "hit@3 minus seos"} <= set(plain["fixed"]["ci"])
    stored = {row["arm"]: row["metrics"] for row in rows if row["style"] == "equal stored, dense, none"}
    assert stored["seos, no overlap"]["stored"] == pytest.approx(stored["fixed"]["stored"], abs=0.01)
    written = (out / "segmentation.jsonl").read_text(encoding="utf-8")
    again = call_alone(*words, CARECITE_HOME=str(tmp_path / "home"))
    assert again.json() == done.json()
    assert (out / "segmentation.jsonl").read_text(encoding="utf-8") == written


@pytest.mark.parametrize("peer", PEERS)
def test_a_peer_is_cut_to_the_same_size(peer: str, call_alone: Call, tmp_path: Path) -> None:
    pytest.importorskip(PEERS[peer], reason="the extra `peers` is not installed")
    data = write_fulltexts(tmp_path / "data")
    done = call_alone(
        "eval", "segmentation", "--data", str(data), "--arms", f"seos,{peer}", "--windows", "own",
        "--groups", "equal mean", "--json", CARECITE_HOME=str(tmp_path / "home"),
    )  # fmt: skip
    assert done.code == 0, done.err
    rows = {row["arm"]: row["metrics"] for row in done.json()["rows"] if "dense, none" in row["style"]}
    assert rows[peer]["stored"] == pytest.approx(1.0, abs=0.01)


def test_a_peer_that_is_not_there_is_said(
    call_alone: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "chonkie", None)
    data = write_fulltexts(tmp_path / "data")
    done = call_alone(
        "eval", "segmentation", "--data", str(data), "--arms", "seos,chonkie", "--windows", "own",
        "--groups", "published", "--limit", "1", CARECITE_HOME=str(tmp_path / "home"),
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "chonkie is left out" in done.err
    assert "pip install" in done.err


def test_depth_is_what_is_read(call: Call, tmp_path: Path) -> None:
    data, out = write_fulltexts(tmp_path / "data"), tmp_path / "out"
    done = call("eval", "depth", "--data", str(data), "--out", str(out), "--json")
    assert done.code == 0, done.err
    rows = {(row["dataset"], row["arm"]): row for row in done.json()["rows"] if row["style"] == "none"}
    body = "evidence in the body alone"
    assert rows[body, "D1"]["metrics"]["hit@5"] == 0.0  # an abstract cannot hold it
    assert rows[body, "D1+D2"]["metrics"]["hit@5"] == 0.0
    assert rows[body, "D1+D2+D3"]["metrics"]["hit@5"] > 0.0
    assert rows["evidence in the abstract", "D1"]["metrics"]["hit@5"] == 1.0
    items = [json.loads(line) for line in (out / "depth.jsonl").read_text().splitlines()]
    assert {item["reranker"] for item in items} == {"none", "lexical"}


def test_bad_choices_are_told(call_alone: Call, tmp_path: Path) -> None:
    says_sorry(call_alone("eval", "segmentation", "--arms", "magic"), 2, "--arms", "seos")
    says_sorry(call_alone("eval", "segmentation", "--data", str(tmp_path)), 2, "passage_questions")
