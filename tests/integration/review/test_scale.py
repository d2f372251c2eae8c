"""Many conversations: what reviewers do reads by an index, in few statements, and never a whole table."""

from __future__ import annotations

import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from config import Settings
from storage.database import create_engine
from storage.history.chat import open_chat
from storage.history.review import OPERATOR, Actor, Filters, Judgement, ReviewRoom, open_review
from tests.generated_history import COMMON, RARE, fill_audit, fill_history
from tests.integration.conftest import NewDatabase
from tests.integration.plans import explain, noted
from tests.integration.storage.documents import query

CONVERSATIONS = 100_000
MOST = 12  # statements a page (issue 8)
BIG = {"cases", "runs", "inbox", "people", "conversations", "lanes", "citations", "feedback", "audit"}
NOW = datetime.now(UTC)
REVIEWER = Actor("account:1", "reviewer", frozenset({2, 3}), 1)
ALL = Actor("account:2", "lead", None, 2)


@dataclass(frozen=True)
class Many:
    url: str
    engine: AsyncEngine
    room: ReviewRoom


@pytest.fixture(scope="module")
async def many(new_database: NewDatabase, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Many]:
    url = new_database("history")
    fill_audit(url, CONVERSATIONS)
    fill_history(url, CONVERSATIONS)
    engine = create_engine(url)
    chat = await open_chat(engine, Settings(home=tmp_path_factory.mktemp("home")))
    yield Many(url, engine, open_review(chat))
    await engine.dispose()


def whole_tables(plan: list[dict[str, Any]]) -> list[str]:
    """Big tables that are read from end to end."""
    return [
        node["Relation Name"]
        for node in plan
        if node["Node Type"] == "Seq Scan" and node["Relation Name"] in BIG
    ]


async def check(many: Many, work: Callable[[], Awaitable[Any]], most: int = MOST) -> Any:
    with noted(many.engine) as sent:
        done = await work()
    assert 1 <= len(sent) <= most
    for statement, params in sent:
        assert whole_tables(explain(many.url, statement, params)) == [], statement
    return done


FILTERS = [
    Filters(),
    Filters(platform="telegram"),
    Filters(workspace=3),
    Filters(method="mirage"),
    Filters(language="zh", abstained=True),
    Filters(triage="emergency"),
    Filters(flagged=True, waiting=True),
    Filters(flagged=False, degraded=False),
    Filters(feedback="unhelpful", method="cometa"),
    Filters(degraded=True),
    Filters(verdict="unsafe"),
    Filters(verdict="unsupported", language="de"),
    Filters(second=True),
    Filters(queued=True),
    Filters(waiting=True, red_flag=True, assigned=False),
    Filters(waiting=True, red_flag=False, assigned_to=1),
    Filters(state="assigned"),
    Filters(assigned_to=1),
    Filters(assigned=True),
    Filters(since=NOW - timedelta(days=7), until=NOW - timedelta(days=6)),
    Filters(words=COMMON),
    Filters(words=RARE),
    Filters(words=f'"{RARE} fever"', language="en"),
    Filters(words="腹痛", feedback="helpful"),
    Filters(words="nowhere or -pain rash"),
]


def name_of(filters: Filters) -> str:
    return (
        " ".join(f"{name}={value}" for name, value in filters.given().items() if "=" not in str(value))
        or "all"
    )


@pytest.mark.parametrize("filters", FILTERS, ids=name_of)
@pytest.mark.parametrize("actor", [ALL, REVIEWER], ids=["everywhere", "two workspaces"])
@pytest.mark.parametrize("oldest_first", [False, True], ids=["newest", "oldest"])
async def test_lists_and_searches(many: Many, filters: Filters, actor: Actor, oldest_first: bool) -> None:
    """The first page and the one after it."""
    find = partial(many.room.listing.find, actor, filters, limit=10, oldest_first=oldest_first)
    page = await check(many, find)
    if page.after:
        following = await check(many, partial(find, after=page.after))
        assert following.cases
        assert not {case.run_id for case in page.cases} & {case.run_id for case in following.cases}


async def test_the_searches_find_what_is_there(many: Many) -> None:
    page = await many.room.listing.find(ALL, Filters(words=RARE), limit=500)
    [(expected,)] = query(many.url, f"SELECT count(*) FROM cases WHERE masked LIKE '%{RARE}%'")
    assert len(page.cases) == expected == CONVERSATIONS // 1000


async def test_a_conversation(many: Many) -> None:
    dossier = await check(many, lambda: many.room.reading.read(ALL, "r777"))
    assert len(dossier.opened.citations) == 2


async def test_judging(many: Many) -> None:
    judgement = Judgement("unsafe", "major", "Call.")
    await check(many, lambda: many.room.reviews.assign(ALL, "r778", None))
    await check(many, lambda: many.room.reviews.keep_draft(ALL, "r778", judgement))
    await check(many, lambda: many.room.reviews.submit(ALL, "r778", judgement))


async def test_figures_of_a_month(many: Many) -> None:
    overview = await check(
        many, lambda: many.room.figures.read(ALL, NOW - timedelta(days=10), NOW + timedelta(hours=1))
    )
    assert overview.answers == pytest.approx(CONVERSATIONS / 18, rel=0.1)
    assert overview.days[1].median_seconds == pytest.approx(9, abs=2)
    assert 0 < overview.agreed < overview.twice
    assert sum(overview.methods.values()) == overview.answers


async def test_an_export(many: Many) -> None:
    async def export() -> int:
        rows = many.room.exports.stream(ALL, Filters(verdict="unsafe"), "case round", "jsonl")
        return len([row async for row in rows])

    with noted(many.engine) as sent:
        count = await export()
    assert count > 50
    for statement, params in sent:
        if statement.strip().startswith("SELECT c.run_id"):
            assert "cases" not in whole_tables(explain(many.url, statement, params))


async def test_erasing_a_person(many: Many) -> None:
    erased = await check(many, lambda: many.room.erasing.erase(OPERATOR, "r901", "person"), most=40)
    assert (erased.runs, erased.people) == (5, 1)


async def test_the_audit_is_verified_in_flat_memory(new_database: NewDatabase, tmp_path: Any) -> None:
    peaks = []
    for rows in (5_000, 40_000):
        url = new_database("history")
        fill_audit(url, rows)
        engine = create_engine(url)
        room = open_review(await open_chat(engine, Settings(home=tmp_path)))
        await room.audit.verify(OPERATOR)
        tracemalloc.start()
        found = await room.audit.verify(OPERATOR)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        await engine.dispose()
        assert (found.rows, found.broken) == (rows + 1, None)
    assert peaks[1] < 1.3 * peaks[0]


def test_the_search_for_whole_tables_finds_them(many: Many) -> None:
    assert whole_tables(explain(many.url, "SELECT 1 FROM cases WHERE masked = 'x'", None)) == ["cases"]
