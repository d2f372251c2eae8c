"""What `ask` keeps, and what it does not."""

from __future__ import annotations

import asyncio
from uuid import UUID

import psycopg
import pytest

from storage.database import create_engine
from storage.history import History
from tests.program import FRANCE, Call, Program

STROKE = "What are the warning signs of a stroke?"


async def read_run(url: str, run_id: str) -> dict[str, object] | None:
    engine = create_engine(url, pool_size=1)
    try:
        return await History(engine).read_run(run_id)
    finally:
        await engine.dispose()


def test_a_run_reads_back_as_it_was_printed(carecite: Program, call: Call) -> None:
    printed = call("ask", "--json", STROKE).json()
    UUID(printed["run_id"])
    assert asyncio.run(read_run(carecite.address.url("carecite_history"), printed["run_id"])) == printed
    cited = f"SELECT array_agg(quote ORDER BY n) FROM citations WHERE run_id = '{printed['run_id']}'"
    assert carecite.query("history", cited) == [citation["quote"] for citation in printed["citations"]]


def test_no_history_keeps_nothing(carecite: Program, call: Call) -> None:
    before = carecite.query("history", "SELECT count(*) FROM runs")
    assert call("ask", "--no-history", FRANCE).code == 0
    assert call("ask", "--no-history", "I want to kill myself").code == 0
    assert carecite.query("history", "SELECT count(*) FROM runs") == before
    assert call("ask", "I want to kill myself").code == 0
    assert carecite.query("history", "SELECT count(*) FROM runs") == before + 1


@pytest.fixture(params=["gone", "read-only", "without tables", "newer"])
def broken_history(request: pytest.FixtureRequest, carecite: Program) -> str:
    """The address of a history that cannot be written."""
    if request.param == "gone":
        return "postgresql://carecite:secret-password@127.0.0.1:9/history"
    url = carecite.copy_database("history", "test_broken")
    statement = {
        "read-only": "ALTER DATABASE test_broken SET default_transaction_read_only = on",
        "without tables": "DROP TABLE runs CASCADE",
        "newer": "UPDATE alembic_version_history SET version_num = '9999'",
    }[request.param]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)
    return url


def test_a_history_that_fails_costs_no_answer(call: Call, broken_history: str) -> None:
    outcome = call("ask", "--json", FRANCE, CARECITE_HISTORY_URL=broken_history)
    assert outcome.code == 0
    answer = outcome.json()
    assert answer["answer"]["abstained"]
    assert [warning["code"] for warning in answer["warnings"]] == ["history_failed"]
    assert "could not be kept" in outcome.err
    assert "doctor" in outcome.err
    assert "secret-password" not in outcome.out + outcome.err
