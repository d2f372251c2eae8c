"""`carecite history show RUN --replay`: the same answer on the same evidence, else what changed."""

from __future__ import annotations

import psycopg
import pytest

from tests.program import FRANCE, Call, Program

QUESTIONS = [
    "What are the warning signs of a stroke?",
    "Can metformin be taken with kidney failure?",
    "What are the side effects of radiation therapy for lung cancer?",
    FRANCE,
    "I want to kill myself",
    "What treats gout?\nA) Colchicine\nB) Insulin\nC) Penicillin",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_answer(call: Call, question: str) -> None:
    printed = call("ask", "--json", question).json()
    again = call("history", "show", printed["run_id"], "--replay", "--json").json()
    assert (again["identical"], again["differs"], again["causes"]) == (True, [], [])
    assert again["before"]["answer"] == again["after"]["answer"] == printed["answer"]
    assert again["after"]["run_id"] != printed["run_id"]


def test_nothing_of_a_replay_is_kept(call: Call, carecite: Program) -> None:
    run_id = call("ask", "--json", "--method", "literature", QUESTIONS[0]).json()["run_id"]
    before = carecite.query("history", "SELECT count(*) FROM runs")
    shown = call("history", "show", run_id, "--replay")
    assert "The same answer" in shown.out
    assert carecite.query("history", "SELECT count(*) FROM runs") == before


def test_a_source_that_is_gone_is_named(call: Call, carecite: Program) -> None:
    printed = call("ask", "--json", QUESTIONS[0]).json()
    history = carecite.copy_database("history", "test_replay_history")
    corpus = carecite.copy_database("corpus", "test_replay_corpus")
    [cited, *_] = carecite.query(
        "history", f"SELECT array_agg(doc_id ORDER BY n) FROM citations WHERE run_id = '{printed['run_id']}'"
    )
    with psycopg.connect(corpus, autocommit=True) as connection:
        connection.execute("DELETE FROM articles WHERE doc_id = %s", (cited,))
    settings = {"CARECITE_HISTORY_URL": history, "CARECITE_CORPUS_URL": corpus}
    again = call("history", "show", printed["run_id"], "--replay", "--json", **settings).json()
    assert not again["identical"]
    assert {"answer", "citations"} <= set(again["differs"])
    assert any("no longer in the corpus" in cause for cause in again["causes"])
    told = call("history", "show", printed["run_id"], "--replay", **settings).out
    assert "It came out otherwise" in told
    assert "--- then" in told
