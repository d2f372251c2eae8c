"""The nightly job finds answers whose evidence was retracted since, and queues them for review (issue 8)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest

from bot.app import open_history
from bot.jobs import build_queue
from bot.reviewing import open_review_room
from config import load_settings
from storage.history import CitedSource, Run
from storage.history.review import OPERATOR, Actor, Filters, Judgement
from tests.emulators.records import Record, RecordServer
from tests.integration.web.answers import kept
from tests.program import NOWHERE, Call, Program

FIRST, SECOND, SOUND = (Record(f"9000000{n}", f"Socks of kind {n}", f"Sock{n} is warm.") for n in range(3))


@pytest.fixture
def pubmed() -> Iterator[RecordServer]:
    with RecordServer([FIRST, SECOND, SOUND]) as running:
        yield running


@pytest.fixture
def own(carecite: Program, pubmed: RecordServer) -> dict[str, str]:
    """Databases of its own, and PubMed as the test tells it."""
    copies = {
        f"CARECITE_{name.upper()}_URL": carecite.copy_database(name, f"test_overtaken_{name}")
        for name in ("corpus", "history")
    }
    with psycopg.connect(copies["CARECITE_HISTORY_URL"], autocommit=True) as connection:
        connection.execute("DELETE FROM runs")  # other tests' answers cite what this PubMed does not know
        connection.execute("DELETE FROM cited_standings")
    return carecite.settings() | copies | pubmed.settings()


async def store(run_id: str, *records: Record) -> None:
    cited = tuple(
        CitedSource(n, one.pmid, one.pmid, one.title, None, one.abstract, "ok")
        for n, one in enumerate(records, start=1)
    )
    fixed = {"person": "local", "language": "en", "triage": "none", "method": "auto", "abstained": False}
    fields = kept(run_id) | fixed | {"citations": cited}
    async with open_history(load_settings()) as history:
        await history.store_run(Run(run_id=run_id, **fields))


async def run_nightly(own: dict[str, str], told: list[str]) -> None:
    """The job as a worker has it."""
    queue = build_queue(own["CARECITE_HISTORY_URL"], load_settings(), told.append)
    async with queue.open_async():
        await queue.tasks["standing"](timestamp=0)


async def find_queued() -> list[str]:
    async with open_review_room(load_settings()) as room:
        page = await room.listing.find(OPERATOR, Filters(cause="retracted", waiting=True))
    return sorted(case.run_id for case in page.cases)


async def judge_correct(run_id: str) -> None:
    async with open_review_room(load_settings()) as room:
        account = await room.accounts.add_oidc(OPERATOR, "Ward", "https://idp.example", "1")
        await room.accounts.grant(OPERATOR, account, "reviewer", None)
        actor = Actor(f"account:{account}", "reviewer", None, account)
        await room.reviews.submit(actor, run_id, Judgement("correct"))


def test_a_retraction_queues_the_answers_that_rest_on_it(
    call: Call, own: dict[str, str], pubmed: RecordServer
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(NOWHERE)
        for name, value in own.items():
            patch.setenv(name, value)
        asyncio.run(go(call, own, pubmed))


async def go(call: Call, own: dict[str, str], pubmed: RecordServer) -> None:
    told: list[str] = []
    await store("both", FIRST, SECOND)
    await store("sound", SOUND)
    await run_nightly(own, told)
    assert await find_queued() == []
    assert not [line for line in told if "retracted since" in line]

    pubmed.put(replace(FIRST, standing="retracted"))
    age_checks(own)
    await run_nightly(own, told)
    assert await find_queued() == ["both"], told
    assert "1 answers rest on what was retracted since; they are in the queue for review" in told
    listed = await asyncio.to_thread(call, "history", "list", "-w", "cause=retracted", **own)
    assert "both" in listed.out
    assert "open (retracted)" in listed.out
    assert "sound" not in listed.out
    shown = (await asyncio.to_thread(call, "history", "show", "both", **own)).out
    assert "In the queue: open (retracted)." in shown
    assert "Source 1 was ok then and is retracted now." in shown
    assert "Source 2 was" not in shown

    await judge_correct("both")
    age_checks(own)
    await run_nightly(own, told)
    assert await find_queued() == [], "it was reviewed after that retraction"
    pubmed.put(replace(SECOND, standing="retracted"))
    age_checks(own)
    await run_nightly(own, told)
    assert await find_queued() == ["both"], "and before this one"


def age_checks(own: dict[str, str]) -> None:
    """A week goes by for what is cited, and for what the corpus has of it since."""
    for name, table, column in (
        ("HISTORY", "cited_standings", "checked_at"),
        ("CORPUS", "articles", "standing_checked_at"),
    ):
        with psycopg.connect(own[f"CARECITE_{name}_URL"], autocommit=True) as connection:
            connection.execute(f"UPDATE {table} SET {column} = {column} - interval '8 days'")
