"""Runs with snapshots of what they cited: stored whole or not at all, and read back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from storage.database import create_engine
from storage.errors import DatabaseDamaged
from storage.history import CitedSource, History, Run
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import counted, query

CITED = CitedSource(
    n=1, doc_id="1", pmid="1", title="Socks", url="https://example.org", quote="Socks warm.", standing="ok"
)
RUN = Run(
    run_id="r1",
    person="local",
    question="Do socks keep feet warm?",
    language="en",
    triage="none",
    method="literature",
    ran="literature",
    abstained=False,
    answer={"run_id": "r1", "answer": {"text": "Socks warm. [1]", "sentences": []}, "n": 1.5, "none": None},
    trace=[{"span_id": 0, "stage": "retrieve"}],
    citations=(CITED, replace(CITED, n=2, pmid=None, url=None)),
)


@pytest.fixture(scope="module")
def history_url(new_database: NewDatabase) -> str:
    return new_database("history")


@pytest.fixture
def url(history_url: str) -> str:
    query(history_url, "TRUNCATE runs CASCADE")
    return history_url


@pytest.fixture
async def engine(url: str) -> AsyncIterator[AsyncEngine]:
    engine = create_engine(url)
    yield engine
    await engine.dispose()


async def test_stored_and_read_back(engine: AsyncEngine, url: str) -> None:
    history = History(engine)
    assert await history.read_run("r1") is None
    await history.store_run(RUN)
    await history.store_run(replace(RUN, run_id="r2", citations=()))
    assert await history.read_run("r1") == RUN.answer
    assert await history.count_runs() == 2
    assert query(url, "SELECT n, doc_id, pmid, title, url, quote, standing FROM citations ORDER BY n") == [
        (1, "1", "1", "Socks", "https://example.org", "Socks warm.", "ok"),
        (2, "1", None, "Socks", None, "Socks warm.", "ok"),
    ]
    assert query(url, "SELECT question, trace, expires_at - asked_at > '179 days' FROM runs LIMIT 1") == [
        (RUN.question, RUN.trace, True)
    ]


@pytest.mark.parametrize("citations", [0, 1, 40])
async def test_statements_of_a_run(engine: AsyncEngine, citations: int) -> None:
    """For what has expired, for the run, for all it cites, and for its case: one each, in one transaction."""
    history = History(engine)
    await history.count_runs()
    cited = [replace(CITED, n=n) for n in range(citations)]
    with counted(engine) as sent:
        await history.store_run(replace(RUN, citations=cited))
    assert [statement.split()[0] for statement in sent] == [
        *("BEGIN", "WITH", "INSERT"),
        *["INSERT"] * bool(citations),
        "INSERT",
    ]
    with counted(engine) as sent:
        await history.read_run("r1")
        await history.count_runs()
    assert [statement.split()[0] for statement in sent if statement != "BEGIN"] == ["SELECT", "SELECT"]


async def test_expired_runs_go(engine: AsyncEngine, url: str) -> None:
    history = History(engine)
    for run_id in ("old", "kept"):
        await history.store_run(replace(RUN, run_id=run_id))
    query(url, "UPDATE runs SET expires_at = now() - interval '1 second' WHERE run_id = 'old'")
    query(url, "UPDATE runs SET expires_at = NULL WHERE run_id = 'kept'")
    await history.store_run(replace(RUN, run_id="new"))
    assert query(url, "SELECT run_id FROM runs ORDER BY 1") == [("kept",), ("new",)]
    assert query(url, "SELECT DISTINCT run_id FROM citations ORDER BY 1") == [("kept",), ("new",)]


async def test_whole_or_not_at_all(engine: AsyncEngine, url: str) -> None:
    """A citation that cannot be stored takes its run along; a run is never overwritten."""
    history = History(engine)
    with pytest.raises(IntegrityError):
        await history.store_run(replace(RUN, citations=(CITED, CITED)))
    assert await history.count_runs() == 0
    await history.store_run(RUN)
    with pytest.raises(IntegrityError):
        await history.store_run(replace(RUN, answer={}))
    assert await history.read_run("r1") == RUN.answer
    query(url, "DELETE FROM runs")
    assert query(url, "SELECT count(*) FROM citations") == [(0,)]


async def test_damaged_words(engine: AsyncEngine, url: str) -> None:
    """A NUL or half a surrogate pair, in columns and in JSON, as a chat may deliver them (case F20)."""
    bad, clean = "a\x00b \ud83d", "a b \ufffd"
    history = History(engine)
    run = replace(
        RUN, question=bad, answer={bad: [bad]}, trace=[{"x": bad}], citations=(replace(CITED, quote=bad),)
    )
    await history.store_run(run)
    assert await history.read_run("r1") == {clean: [clean]}
    assert query(url, "SELECT question, quote FROM runs JOIN citations USING (run_id)") == [(clean, clean)]


async def test_a_missing_table(new_database: NewDatabase) -> None:
    url = new_database("history")
    query(url, "DROP TABLE citations")
    engine = create_engine(url)
    with pytest.raises(DatabaseDamaged, match="citations"):
        await History(engine).store_run(RUN)
    assert await History(engine).count_runs() == 0
    await engine.dispose()


async def test_a_models_reply_is_found_again_and_goes_with_its_run(engine: AsyncEngine, url: str) -> None:
    history, reply = History(engine), {"content": '{"a": "\\u0000"}', "finish_reason": "stop"}
    assert await history.find_reply("k1") is None
    await history.store_run(replace(RUN, replies={"k1": reply}))
    await history.store_run(replace(RUN, run_id="r2", replies={"k1": reply, "k2": {"content": "later"}}))
    assert await history.find_reply("k1") == reply
    query(url, "DELETE FROM runs WHERE run_id = 'r2'")
    assert await history.find_reply("k2") is None
    assert await history.find_reply("k1") == reply
    query(url, "UPDATE runs SET expires_at = now() - interval '1 day'")
    assert await history.find_reply("k1") is None
