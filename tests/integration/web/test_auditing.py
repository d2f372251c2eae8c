"""The audit as an auditor sees it: in pages, by who and what, and verified."""

from __future__ import annotations

import re

import psycopg
import pytest

from bot.review.pages import auditing
from storage.history.chat import Chat, Workspace
from storage.history.review import OPERATOR, ReviewRoom
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.web.answers import ESCAPED, MARKER
from tests.integration.web.conftest import EnterAs


@pytest.fixture
async def looked(chat: Chat, slack: Workspace, room: ReviewRoom, staff: Staff) -> None:
    for n in range(3):
        await answer(chat, slack, f"run{n}")
        await room.reading.read(as_(staff.ann), f"run{n}")
    await room.reading.reveal(as_(staff.lead, "reveal"), "run1", f"call {MARKER}")


def rows(page: str) -> list[str]:
    """Who did what to what."""
    parts = page.split('<th role="rowheader"')[1:]
    return [" ".join(re.sub(r"<[^>]+>", " ", part.split("</tr>")[0]).split()[4:]) for part in parts]


@pytest.mark.usefixtures("looked")
async def test_who_looked_at_what(enter_as: EnterAs, staff: Staff):
    browser = await enter_as("auditor")
    assert (await browser.get("/")).headers["location"] == "/audit"
    page = (await browser.get(f"/audit?who=account:{staff.ann.id}&action=view")).text
    assert len(rows(page)) == 3
    assert all(f"run{n}" in row for n, row in zip((2, 1, 0), rows(page), strict=True))
    page = (await browser.get("/audit?action=reveal")).text
    assert ESCAPED in page
    assert MARKER not in page
    assert "Nothing was found" in (await browser.get("/audit?action=reveal&who=operator")).text
    for wrong in ("who=ann", "action=%3Cb%3E", "before=0"):
        assert (await browser.get(f"/audit?{wrong}")).status_code == 422


@pytest.mark.usefixtures("looked")
async def test_pages(enter_as: EnterAs, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(auditing, "AT_ONCE", 2)
    browser = await enter_as("auditor")
    numbers, path = list[int](), "/audit?action=view"
    while path:
        page = (await browser.get(path)).text
        numbers += [int(found) for found in re.findall(r'scope="row">(\d+)<', page)]
        found = re.search(r'rel="next" href="([^"]+)"', page)
        path = found[1].replace("&amp;", "&") if found else ""
    assert len(numbers) == 3
    assert numbers == sorted(numbers, reverse=True)


@pytest.mark.usefixtures("looked")
async def test_verifying(enter_as: EnterAs, room: ReviewRoom, staff: Staff, url: str):
    browser = await enter_as("auditor")
    await browser.get("/audit")
    page = (await browser.post("/audit/verify")).text
    assert "as it was written" in page
    [head] = re.findall(r"<code>(\d+:[0-9a-f]{64})</code>", page)
    await browser.get("/audit")
    assert "The audit is as it was written" in (await browser.post("/audit/verify", head=head)).text
    await browser.get("/audit")
    assert (await browser.post("/audit/verify", head="somewhere")).status_code == 422
    cut = f"900{head[head.index(':') :]}"
    assert "row that is missing or was changed is 900" in (await browser.post("/audit/verify", head=cut)).text
    with psycopg.connect(url) as connection:
        connection.execute("ALTER TABLE audit DISABLE TRIGGER USER")
        where = "subject_id = 'run1' AND action = 'view'"
        found = connection.execute(
            f"UPDATE audit SET actor = 'operator' WHERE {where} RETURNING id"
        ).fetchone()
    assert found
    await browser.get("/audit")
    page = (await browser.post("/audit/verify")).text
    assert f"was changed is {found[0]}." in page
    assert await room.audit.read(as_(staff.auditor, "audit"), action="verify")


async def test_an_auditor_of_one_workspace(
    enter_as: EnterAs, chat: Chat, slack: Workspace, telegram: Workspace, room: ReviewRoom, staff: Staff
):
    account = await room.accounts.add_oidc(OPERATOR, "near", "https://idp.example", "near")
    await room.accounts.grant(OPERATOR, account, "auditor", slack.id)
    await answer(chat, slack, "ours")
    await answer(chat, telegram, "theirs", sender="77")
    for run_id in ("ours", "theirs"):
        await room.reading.read(as_(staff.chief), run_id)
    page = (await (await enter_as("near")).get("/audit")).text
    assert "ours" in page
    assert "theirs" not in page
