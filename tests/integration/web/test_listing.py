"""The list: filters in the address, words never, pages by place, and nobody's words taken for markup."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from bot.review.pages import listing
from storage.history.chat import Chat, Place, Workspace
from storage.history.review import MARKS, OPERATOR, Grant, ReviewRoom
from tests.integration.chat.conftest import message
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.web.answers import ESCAPED, MARKER, kept
from tests.integration.web.conftest import Browser, EnterAs


def runs(page: str) -> list[str]:
    return re.findall(r'href="/cases/([\w-]+)"', page)


@pytest.fixture
async def talk(chat: Chat, slack: Workspace, telegram: Workspace) -> None:
    await answer(chat, slack, "plain", masked="Chest pain after stairs, [name]")
    await answer(chat, slack, "flag", triage="urgent", language="fr", ran="cometa", masked="Douleur")
    await answer(chat, slack, "short", abstained=True, answer={"degraded": [{"code": "x"}]})
    await answer(chat, telegram, "there", sender="77", place=Place("77"))


@pytest.mark.usefixtures("talk")
async def test_filters(enter_as: EnterAs, chat: Chat, slack: Workspace, room: ReviewRoom, staff: Staff):
    browser = await enter_as("lead")
    assert await chat.feedback.give(message(slack, "k"), "plain", helpful=False)
    await room.reviews.assign(as_(staff.lead, "assign"), "short", staff.lead.id)
    today, tomorrow = datetime.now(UTC).date(), datetime.now(UTC).date() + timedelta(days=1)
    for query, expected in {
        "": ["short", "flag", "plain"],
        "platform=telegram": [],
        "method=cometa": ["flag"],
        "language=fr": ["flag"],
        "triage=urgent": ["flag"],
        "feedback=unhelpful": ["plain"],
        "abstained=yes&degraded=yes": ["short"],
        "abstained=no&triage=none": ["plain"],
        "assigned=me": ["short"],
        "assigned=nobody": ["flag", "plain"],
        "verdict=unsafe": [],
        f"since={today}&until={today}": ["short", "flag", "plain"],
        f"since={tomorrow}": [],
        "platform=&method=&since=": ["short", "flag", "plain"],
    }.items():
        assert runs((await browser.get(f"/cases?{query}")).text) == expected, query
    for query in ("platform=fax", "since=yesterday", "language=%3Cb%3E", "workspace=-1"):
        response = await browser.get(f"/cases?{query}")
        assert response.status_code == 422
        assert "yesterday" not in response.text


@pytest.mark.usefixtures("talk")
async def test_words_are_in_no_address(enter_as: EnterAs, room: ReviewRoom, staff: Staff):
    browser = await enter_as("ann")
    response = await browser.post("/search", words="  chest   pain ", method="literature")
    address = response.headers["location"]
    assert "chest" not in address
    assert "method=literature" in address
    page = (await browser.get(address)).text
    assert runs(page) == ["plain"]
    assert "<mark>Chest</mark> <mark>pain</mark> after" in page
    assert 'value="chest pain"' in page
    await browser.get(address)
    again = await browser.post("/search", words="chest pain", method="literature")
    assert again.headers["location"] == address
    await browser.get(address)
    entries = await room.audit.read(as_(staff.auditor, "audit"), action="search")
    assert len(entries) == 1
    other = await enter_as("ben")
    page = (await other.get(address)).text
    assert "chest" not in page
    assert "not kept any more" in page
    response = await browser.post("/search", words="", verdict="")
    assert response.headers["location"] == "/cases"
    assert (await browser.post("/search", words="x" * 201)).status_code == 422


@pytest.mark.usefixtures("talk")
async def test_looking_at_the_list_is_in_the_audit(enter_as: EnterAs, room: ReviewRoom, staff: Staff):
    browser = await enter_as("ann")
    for path in ("/cases", "/cases", "/cases?method=cometa"):
        await browser.get(path)
    entries = await room.audit.read(as_(staff.auditor, "audit"), action="list")
    assert [entry.subject for entry in entries] == ["method=cometa", None]


async def test_pages(enter_as: EnterAs, chat: Chat, slack: Workspace, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(listing, "AT_ONCE", 2)
    for n in range(5):
        await answer(chat, slack, f"run{n}")
    browser, seen, path = await enter_as("ann"), list[str](), "/cases?platform=slack"
    for _ in range(3):
        page = (await browser.get(path)).text
        seen += runs(page)
        found = re.search(r'rel="next" href="([^"]+)"', page)
        path = found[1].replace("&amp;", "&") if found else ""
    assert (seen, path) == ([f"run{n}" for n in reversed(range(5))], "")


async def test_words_of_others_stay_text(
    enter_as: EnterAs, chat: Chat, slack: Workspace, room: ReviewRoom, staff: Staff
):
    """In questions, answers, excerpts around found words, and names of colleagues."""
    account = await room.accounts.add_oidc(OPERATOR, MARKER, "https://idp.example", "evil")
    await room.accounts.grant(OPERATOR, account, *Grant("reviewer", slack.id))
    marked = f"{MARKS[0]}{MARKS[1]} {MARKS[0]}"
    await answer(chat, slack, "r1", **kept("r1", masked=f"socks {marked} {MARKER}"))
    await room.reviews.assign(as_(staff.lead, "assign"), "r1", account)
    browser: Browser = await enter_as("evil")
    for path in ("/cases", (await browser.post("/search", words="socks")).headers["location"]):
        page = (await browser.get(path)).text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert page.count(f"with {ESCAPED}") == 1
        assert not re.search(f"[{''.join(MARKS)}]", page)
        assert page.count("<mark>") == page.count("</mark>")
