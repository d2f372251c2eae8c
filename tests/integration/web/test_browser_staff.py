"""The ways of an auditor and an administrator in Chromium, and every page on a small screen."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from bot.review.access import ROUTES
from storage.errors import NotThere
from storage.history.chat import Chat, Workspace
from storage.history.review import OPERATOR, Filters, Grant, Judgement, ReviewRoom
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.web.answers import CHAINS, LEVELS, MARKER, ROUNDS, kept
from tests.integration.web.chromium import sign_in, too_wide, unnamed
from tests.integration.web.conftest import NewLocal


async def test_an_auditors_way(
    page: Any,
    new_local: NewLocal,
    chat: Chat,
    slack: Workspace,
    room: ReviewRoom,
    staff: Staff,
    url: str,
    faults: list[str],
):
    await answer(chat, slack, "r1")
    await room.reading.read(as_(staff.ann), "r1")
    await room.reading.reveal(as_(staff.lead, "reveal"), "r1", "call back")
    await sign_in(page, await new_local("olga", Grant("auditor", None)), at="/", heading="Audit")
    assert await page.get_by_role("link", name="Answers").count() == 0
    assert await page.get_by_role("cell", name="call back").is_visible()
    await page.get_by_role("link", name="reveal", exact=True).click()
    assert await page.get_by_role("row").count() == 2  # the heading, and one row
    await page.get_by_role("link", name="Show all").click()
    await page.get_by_role("link", name="ann", exact=True).click()
    assert f"who=account%3A{staff.ann.id}" in page.url
    await page.get_by_role("button", name="Verify the chain").click()
    await page.get_by_role("heading", name="The audit is as it was written").wait_for()
    assert await too_wide(page) == []
    with psycopg.connect(url) as connection:
        connection.execute("ALTER TABLE audit DISABLE TRIGGER USER")
        connection.execute("DELETE FROM audit WHERE action = 'reveal'")
    await page.get_by_role("link", name="To the audit").click()
    await page.get_by_role("button", name="Verify the chain").click()
    await page.get_by_text("The first row that is missing").wait_for()
    assert faults == []


async def test_an_administrators_way(
    page: Any,
    new_local: NewLocal,
    chat: Chat,
    slack: Workspace,
    room: ReviewRoom,
    staff: Staff,
    faults: list[str],
):
    for n in range(3):
        await answer(chat, slack, f"r{n}", sender="U2" if n else "U1")
    await sign_in(page, await new_local("adam", Grant("admin", slack.id)))
    await page.get_by_role("link", name="Open the answer").first.click()
    await page.get_by_role("link", name="Hold this conversation").click()
    await page.get_by_label("Reason, without").fill("a letter came")
    await page.get_by_role("button", name="Hold", exact=True).click()
    await page.get_by_text("Hold 1: workspace").wait_for()
    assert await too_wide(page) == []
    await page.goto("/cases/r2")
    await page.get_by_role("link", name="erase").click()
    assert await page.get_by_label("person", exact=True).is_disabled()
    await page.get_by_role("link", name="Retention").click()
    await page.get_by_label("Reason for lifting hold 1").fill("it is over")
    await page.get_by_role("button", name="Lift it").click()
    await page.goto("/cases/r2/erase")
    assert await too_wide(page) == []
    await page.get_by_label("person", exact=True).check()
    await page.get_by_label("Because").select_option("they asked")
    await page.get_by_label("To confirm").fill("person")
    await page.get_by_role("button", name="Erase").click()
    await page.get_by_text("2 messages, 2 answers, 1 people").wait_for()
    assert await too_wide(page) == []
    with pytest.raises(NotThere):
        await room.reading.read(as_(staff.chief), "r1")
    assert (await room.audit.verify(OPERATOR)).intact
    assert faults == []


@pytest.fixture
async def marked(chat: Chat, slack: Workspace, room: ReviewRoom, staff: Staff) -> None:
    """Words that would do harm, and long ones, wherever people type."""
    words = f"{MARKER} {'long' * 80}"
    reports: dict[str, Any] = {
        "mirage": CHAINS,
        "literature": {"levels": LEVELS},
        "sema-rag": {"rounds": ROUNDS},
    }
    for method, report in reports.items():
        fields = kept(method, method=method, words=words, report=report)
        await answer(chat, slack, method, **fields, triage="urgent")
    lead = as_(staff.chief, "review")
    await room.reviews.submit(lead, "literature", Judgement("unsafe", "major", words, words))
    await room.reviews.take(lead, "mirage")
    await room.reading.reveal(as_(staff.lead, "reveal"), "mirage", words)
    await room.holds.place(as_(staff.chief, "manage"), slack.id, words)


@pytest.mark.usefixtures("marked")
async def test_every_page_fits_and_nothing_is_taken_for_markup(
    page: Any, new_local: NewLocal, room: ReviewRoom, slack: Workspace, faults: list[str]
):
    """All pages that are read, for somebody with all roles, whose name is markup, too."""
    roles = [Grant("lead", slack.id), Grant("admin", slack.id), Grant("auditor", None)]
    somebody = await new_local("all", *roles, name=MARKER)
    await page.goto("/sign-in")
    assert await too_wide(page) == []
    await sign_in(page, somebody)
    actor = as_(await _account(room, somebody.account))
    await room.saved.save(actor, f"{MARKER} {'w' * 40}", Filters(method="mirage"))
    inside = [one for one in ROUTES if one.method == "GET" and one.needs != "nobody"]
    paths = [
        route.path.format(run_id=run_id)
        for route in inside
        for run_id in ("mirage", "literature", "sema-rag")
        if run_id == "mirage" or "{run_id}" in route.path
    ]
    for path in (*paths, "/cases?method=mirage", "/queue?whose=mine", "/audit?action=reveal", "/nowhere"):
        response = await page.goto(path)
        assert response.status == (404 if path == "/nowhere" else 200), path
        assert await too_wide(page) == [], path
        assert await unnamed(page) == [], path
        assert await page.get_by_role("heading", level=1).count() == 1, path
        assert await page.locator("main img, main script").count() == 0, path
        assert len(await response.body()) < 300_000, path
    await page.goto("/cases")
    assert await page.get_by_role("link", name=MARKER).is_visible()
    assert [fault for fault in faults if "404" not in fault] == []


async def _account(room: ReviewRoom, number: int) -> Any:
    return next(one for one in await room.accounts.list(OPERATOR) if one.id == number)


@pytest.mark.usefixtures("marked")
async def test_the_search_for_faults_finds_them(page: Any, new_local: NewLocal, faults: list[str]):
    await page.goto("/sign-in")
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color:red\">red</p>')")
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>')")
    await page.wait_for_timeout(200)
    assert len(faults) >= 2
    assert await too_wide(page) == []
    await page.evaluate("document.querySelector('h1').style.width = '900px'")
    assert await too_wide(page) != []
    await page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<input id=login>')")
    assert [one.split(":")[0] for one in await unnamed(page)] == ["twice", "without a label"]
