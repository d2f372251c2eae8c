"""`carecite eval retrieval` end to end, on invented documents, by SQL and through an E-utilities server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import make_url

from tests.emulators.eutils.faults import backend_failed
from tests.emulators.eutils.folder import load_folder
from tests.emulators.eutils.server import EutilsServer
from tests.emulators.model import Chat, ModelServer
from tests.program import Call, Outcome, says_sorry
from tests.retrieval_sets import write_retrieval_sets

ARMS = {"bm25", "dense", "rrf", "carecite", "esearch_raw", "adapt_e", "hybrid"}
NCBI = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"
Rows = dict[tuple[str, str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_retrieval_sets(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def databases(server: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Settings of two databases of their own: the starter library is not wanted here."""
    settings = {"CARECITE_HOME": str(tmp_path_factory.mktemp("home")), "CARECITE_EUTILS_BASE_URL": NCBI}
    with psycopg.connect(server, autocommit=True) as connection:
        for name in ("corpus", "history"):
            connection.execute(f"CREATE DATABASE eval_{name}")
            url = make_url(server).set(database=f"eval_{name}")
            settings[f"CARECITE_{name.upper()}_URL"] = url.render_as_string(hide_password=False)
    return settings


@pytest.fixture
def call(call_alone: Call, databases: dict[str, str]) -> Call:
    """The program on those; NCBI's address is set, and never asked: the guard of sockets would tell."""
    return lambda *words, **settings: call_alone(*words, **databases | settings)


@pytest.fixture
def pubmed(data: Path) -> Iterator[EutilsServer]:
    with EutilsServer(load_folder(data, invent_pmids=True, phrase_minimum=1)) as server:
        yield server


def measured(done: Outcome) -> Rows:
    assert done.code == 0, done.err
    return {(row["dataset"], row["style"], row["arm"]): row for row in done.json()["rows"]}


def items_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "retrieval.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_papers_table_by_sql(call: Call, data: Path, tmp_path: Path) -> None:
    words = ("eval", "retrieval", "--data", str(data), "--out", str(tmp_path / "out"), "--json")
    done = call(*words)
    rows = measured(done)
    assert done.json()["door"] == "corpus"
    assert "4 of 5" not in done.err
    assert "6 of 7 questions have a gold document" in done.err
    of_stories = [(name, "narrative") for name in ("narratives", "pubmedqa")]
    for dataset, style in [("pubmedqa", "standard"), ("bioasq", "standard"), *of_stories]:
        assert {arm for name, kind, arm in rows if (name, kind) == (dataset, style)} == ARMS
        metrics = rows[dataset, style, "hybrid"]["metrics"]
        assert metrics["hit@10"] == 1.0
        assert metrics["zero_hit"] == 0.0
        assert 1 <= metrics["calls"] <= metrics["calls_most"] <= 4
        at_one = rows[dataset, f"{style}, n_min 1", "adapt_e"]["metrics"]
        assert 1 <= at_one["calls"] <= metrics["calls"]
    assert rows["pubmedqa", "standard", "hybrid"]["n"] == 2
    assert {"hit@10 minus dense", "hit@1 minus adapt_e"} <= set(rows["bioasq", "standard", "hybrid"]["ci"])
    story = rows["narratives", "narrative", "esearch_raw"]["metrics"]
    assert (story["empty"], story["zero_hit"], story["calls"]) == (1.0, 1.0, 1.0)


def test_what_patients_wrote_and_other_languages(call: Call, data: Path) -> None:
    words = ("eval", "retrieval", "--data", str(data), "--sets", "healthsearchqa,meqsum,multilingual")
    rows = measured(call(*words, "--json"))
    health = rows["healthsearchqa", "patient", "adapt_e"]
    assert {arm for name, _, arm in rows if name == "healthsearchqa"} == {"esearch_raw", "adapt_e"}
    assert "hit@10" not in health["metrics"]
    assert (health["metrics"]["no_concept"], health["metrics"]["zero_hit"]) == (0.5, 0.0)
    assert rows["meqsum", "patient", "adapt_e"]["metrics"]["zero_hit"] == 0.0
    assert rows["all of patient", "patient", "adapt_e"]["n"] == 3
    assert rows["multilingual", "narrative, zh", "hybrid"]["metrics"]["hit@10"] == 1.0
    german = rows["multilingual", "narrative, de", "adapt_e"]["metrics"]
    assert (german["refused"], german["calls"], german["no_concept"]) == (1.0, 0.0, 0.0)
    told = call(*words).out
    assert (
        "healthsearchqa, adapt_e: 0 of 1 questions found nothing of their subject; 1 without a concept"
        in told
    )
    assert "1 refused in their language" in told


def test_a_server_finds_what_sql_finds(call: Call, data: Path, pubmed: EutilsServer, tmp_path: Path) -> None:
    words = ("eval", "retrieval", "--data", str(data), "--arms", "esearch_raw,adapt_e,hybrid", "--json")
    mine = call(*words, "--out", str(tmp_path / "sql"))
    theirs = call(*words, "--out", str(tmp_path / "server"), CARECITE_EUTILS_BASE_URL=pubmed.base_url)
    assert (mine.json()["door"], theirs.json()["door"]) == ("corpus", "pubmed")
    assert theirs.code == 0, theirs.err
    same = ("qid", "dataset", "arm", "variant", "rank", "found", "holds", "calls", "refused", "degraded")
    here, there = (
        [{name: item[name] for name in same} for item in items_of(tmp_path / door)]
        for door in ("sql", "server")
    )
    assert here == there
    counted = sum(i["calls"] for i in there if i["arm"] in ("esearch_raw", "hybrid") and not i["variant"])
    asked = len(pubmed.searches)
    patients = sum(
        i["calls"] for i in there if i["arm"] == "adapt_e" and i["dataset"] in ("healthsearchqa", "meqsum")
    )
    assert asked <= counted + patients


def test_a_server_that_fails_is_counted(call: Call, data: Path, pubmed: EutilsServer) -> None:
    pubmed.fail("esearch.fcgi", backend_failed(), times=100)
    words = ("eval", "retrieval", "--data", str(data), "--sets", "bioasq", "--arms", "adapt_e", "--json")
    rows = measured(call(*words, CARECITE_EUTILS_BASE_URL=pubmed.base_url))
    assert rows["bioasq", "standard", "adapt_e"]["metrics"]["degraded"] == 1.0


def test_a_run_goes_on_and_keeps_models_apart(call: Call, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("eval", "retrieval", "--data", str(data), "--sets", "narratives", "--out", str(out), "--json")
    done = call(*words)
    first = items_of(out)
    again = call(*words)
    assert again.json() == done.json()
    assert items_of(out) == first
    assert {item["model"] for item in first} == {None}
    with ModelServer([Chat("no concepts at all")]) as model:
        name = model.settings()["CARECITE_LLM_MODEL"]
        asked = call(*words, **model.settings())
    rows = measured(asked)
    assert asked.json()["model"] == name
    assert rows["narratives", "narrative", "hybrid"]["metrics"]["by_rule"] == 1.0  # it wrote nonsense
    new = items_of(out)[len(first) :]
    assert {(item["arm"], item["model"]) for item in new} == {("adapt_e", name), ("hybrid", name)}


def test_bad_choices_are_told(call_alone: Call, tmp_path: Path) -> None:
    says_sorry(call_alone("eval", "retrieval", "--arms", "magic"), 2, "--arms", "hybrid")
    says_sorry(call_alone("eval", "retrieval", "--sets", "magic"), 2, "--sets", "narratives")
    says_sorry(call_alone("eval", "retrieval", "--data", str(tmp_path)), 2, "questions_pubmedqa", "--data")
