"""Pages with as much on them as they take: few statements, and no page over 300 kB (issue 8)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.review.access import ROUTES
from config import Settings
from config.review import Review
from storage.database import create_engine
from storage.history.chat import open_chat
from storage.history.review import OPERATOR, Grant, open_review
from tests.generated_history import COMMON, fill_audit, fill_history
from tests.integration.conftest import NewDatabase
from tests.integration.plans import noted
from tests.integration.web.conftest import Browser, free_port, serving

MOST, LARGEST = 12, 300_000  # statements, bytes
LONG = 'a "quoted" & <marked> answer ' * 40


@pytest.fixture
async def full(new_database: NewDatabase, tmp_path: Path) -> AsyncIterator[tuple[Browser, Any]]:
    """Somebody with all roles, in a history of 6,000 conversations, and the engine behind it."""
    url = new_database("history")
    await asyncio.to_thread(fill_audit, url, 300)
    await asyncio.to_thread(fill_history, url, 6_000)
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE cases SET masked = %s || masked", [LONG])
        connection.execute("UPDATE cases SET state = 'open', cause = 'feedback' WHERE state = 'submitted'")
        connection.execute("UPDATE cases SET state = 'disputed' WHERE verdict <> 'correct'")
    engine = create_engine(url)
    room = open_review(await open_chat(engine, Settings(home=tmp_path)))
    account = await room.accounts.add_oidc(OPERATOR, "all", "https://idp.example", "all")
    for role in ("lead", "admin", "auditor"):
        await room.accounts.grant(OPERATOR, account, *Grant(role, None))
    token = await room.sessions.sign_in_oidc("https://idp.example", "all")
    assert token
    async with serving(room, Review(port=free_port(), plain_http=True)) as address:
        browser = Browser(address, cookies={"carecite-plain": token}, timeout=60)
        yield browser, engine
        await browser.http.aclose()
    await engine.dispose()


async def test_every_page(full: tuple[Browser, Any]) -> None:
    browser, engine = full
    await browser.get("/cases")
    found = (await browser.post("/search", words=COMMON)).headers["location"]
    inside = [route for route in ROUTES if route.method == "GET" and route.needs != "nobody"]
    paths = [route.path.format(run_id="r777") for route in inside]
    for path in (*paths, found, "/queue?whose=unassigned", "/figures?days=90", "/audit?action=view"):
        with noted(engine) as sent:
            response = await browser.get(path)
        assert response.status_code in (200, 303), path
        assert len(sent) <= MOST, (path, [statement for statement, _ in sent])
        assert len(response.content) <= LARGEST, path
    full_lanes = (await browser.get("/queue")).text
    assert full_lanes.count("more wait") == 3
    assert len(full_lanes) > 60_000


async def test_whoever_leaves_an_export_leaves_no_connection(full: tuple[Browser, Any]) -> None:
    browser, engine = full
    await browser.get("/export")
    form = {"csrf": browser.token, "purpose": "case round", "format": "jsonl"}
    headers = {"Origin": browser.origin}
    async with browser.http.stream("POST", "/export", data=form, headers=headers) as response:
        assert response.status_code == 200
        assert await anext(response.aiter_bytes())
    for _ in range(500):
        if engine.pool.checkedout() == 0:
            break
        await asyncio.sleep(0.02)
    assert engine.pool.checkedout() == 0
    with psycopg.connect(engine.url.set(drivername="postgresql").render_as_string(False)) as connection:
        [rows] = connection.execute("SELECT rows FROM exports").fetchone() or [0]
    assert 0 < rows < 6_000, "the rest was not read"
