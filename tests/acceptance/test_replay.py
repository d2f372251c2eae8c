"""`carecite history show RUN --replay`: the same answer on the same evidence, else what changed."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.app import open_assistant_in, open_history, open_workshop
from bot.keeping import as_run
from bot.replaying import Replay, replay_in
from bot.reviewing import open_review_room
from config import load_settings
from storage.history.review import OPERATOR
from tests.program import FRANCE, NOWHERE, Call, Program

QUESTIONS = [
    "What are the warning signs of a stroke?",
    "Can metformin be taken with kidney failure?",
    "What are the side effects of radiation therapy for lung cancer?",
    FRANCE,
    "I want to kill myself",
    "What treats gout?\nA) Colchicine\nB) Insulin\nC) Penicillin",
]
RUNS = 50


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


async def ask_and_replay(questions: list[str]) -> list[Replay]:
    """Each asked and kept, with PubMed and without in turn; then each kept run once more."""
    settings = load_settings()
    async with open_workshop(settings) as workshop:
        kept = []
        async with (
            open_history(settings) as history,
            open_assistant_in(workshop, settings, history) as assistant,
        ):
            for n, question in enumerate(questions):
                answered = await assistant.answer(question, offline=n % 2 == 0)
                await history.store_run(as_run(answered))
                kept.append(answered.answer.run_id)
        async with open_review_room(settings) as room:
            dossiers = [await room.reading.read(OPERATOR, run_id) for run_id in kept]
        return [await replay_in(workshop, settings, dossier) for dossier in dossiers]


def differing(replay: Replay) -> Iterator[str]:
    """Where the two answers differ, leaf by leaf."""

    def walk(then: Any, now: Any, path: str) -> Iterator[str]:
        if isinstance(then, dict) and isinstance(now, dict):
            for name in sorted({*then, *now}):
                yield from walk(then.get(name), now.get(name), f"{path}/{name}")
        elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
            for at, (one, other) in enumerate(zip(then, now, strict=True)):
                yield from walk(one, other, f"{path}/{at}")
        elif then != now:
            yield f"{path}: {then!r} -> {now!r}"

    parts = set(replay.differs)
    yield from walk(
        *(one.model_dump(mode="json", include=parts) for one in (replay.before, replay.after)), ""
    )


def test_fifty_stored_runs_give_fifty_identical_answers(carecite: Program) -> None:
    """On an unchanged corpus (issue 8)."""
    own = tomllib.loads(Path(__file__).with_name("gate_questions.toml").read_text("utf-8"))
    answered, silent = list(own["answered"]), own["silent"]["questions"]
    questions = [*dict.fromkeys([*QUESTIONS, *silent[:8], *answered])][:RUNS]
    assert len(questions) == RUNS
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(NOWHERE)
        for name, value in carecite.settings().items():
            patch.setenv(name, value)
        replays = asyncio.run(ask_and_replay(questions))
    changed = [(one.before.question, one.causes, *differing(one)) for one in replays if not one.identical]
    assert changed == []
    said = {one.after.answer.text for one in replays}
    assert len(said) > RUNS // 2, "and they are different answers"
