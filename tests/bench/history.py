"""The review on 100,000 conversations, and an audit of 1,000,000 rows (issue 8)."""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from config import Settings
from storage.database import create_engine
from storage.history.chat import open_chat
from storage.history.review import OPERATOR, Actor, Filters, open_review
from storage.postgres import create_database, ensure_server
from storage.schema import upgrade
from tests.bench.report import Aim, Row
from tests.bench.timing import Taken, percentile
from tests.generated_history import COMMON, RARE, fill_audit, fill_history
from tests.integration.embedded import new_home

CONVERSATIONS, AUDITED, WARM = 100_000, 1_000_000, 10_000
TURNS = 20
_SOME = Actor("account:1", "reviewer", frozenset({2, 3}), 1)
_LISTS = (
    Filters(),
    Filters(platform="slack", language="de"),
    Filters(flagged=True, waiting=True),
    Filters(verdict="unsafe"),
    Filters(feedback="unhelpful", method="cometa"),
)
_SEARCHES = (
    Filters(words=COMMON),
    Filters(words=RARE),
    Filters(words=f'"{RARE} fever" or rash', language="en"),
)


async def measure_history() -> list[Row]:
    with new_home() as home, ensure_server(home, linger=0.2) as address:
        create_database(address, "bench_history")
        url = address.url("bench_history")
        upgrade(url, "history")
        fill_history(url, CONVERSATIONS)
        rows = await _measure_pages(url)
        create_database(address, "bench_audit")
        url = address.url("bench_audit")
        upgrade(url, "history")
        return rows + await _measure_audit(url)


async def _measure_pages(url: str) -> list[Row]:
    engine = create_engine(url)
    with tempfile.TemporaryDirectory() as home:
        room = open_review(await open_chat(engine, Settings(home=Path(home))))
        find, read, erase = room.listing.find, room.reading.read, room.erasing.erase
        lists, searches = (
            [partial(find, actor, filters) for filters in kind for actor in (OPERATOR, _SOME)]
            for kind in (_LISTS, _SEARCHES)
        )
        views = [partial(read, OPERATOR, f"r{number}") for number in range(1, 11)]
        people = [partial(erase, OPERATOR, f"r{number}", "person") for number in range(1000, 1000 + TURNS)]
        measured = [
            ("list p95", 200, await _time(lists, TURNS)),
            ("search p95", 200, await _time(searches, TURNS)),
            ("conversation p95", 100, await _time(views, TURNS)),
            ("erasure of a person p95", 1000, await _time(people, 1)),
        ]
    await engine.dispose()
    return [
        Row("history", name, 1000 * percentile(taken, 0.95), "ms", Aim("<=", most), _taken(taken))
        for name, most, taken in measured
    ]


async def _measure_audit(url: str) -> list[Row]:
    """The memory that a process had at most, after few rows and after all of them."""
    engine, peaks = create_engine(url), []
    with tempfile.TemporaryDirectory() as home:
        room = open_review(await open_chat(engine, Settings(home=Path(home))))
        fill_audit(url, WARM)
        await room.audit.verify(OPERATOR)
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        fill_audit(url, AUDITED - WARM)
        began = time.perf_counter()
        found = await room.audit.verify(OPERATOR)
        seconds = time.perf_counter() - began
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    await engine.dispose()
    return [
        Row("audit", "rows not as written", 0 if found.intact else 1, "", Aim("<=", 0)),
        Row("audit", f"seconds for {found.rows:,} rows", seconds, ""),
        Row("audit", "memory after all by after few", peaks[1] / peaks[0], "", Aim("<=", 1.1)),
    ]


async def _time(ways: Sequence[Callable[[], Awaitable[Any]]], turns: int) -> list[float]:
    """Seconds of each, `turns` times in a row of all."""
    taken = []
    for _ in range(turns):
        for work in ways:
            began = time.perf_counter()
            await work()
            taken.append(time.perf_counter() - began)
    return taken


def _taken(seconds: list[float]) -> Taken:
    return Taken(1000 * percentile(seconds, 0.5), 1000 * percentile(seconds, 0.95), 0.0)
