"""What waits: in which order, whose, and how long; and filters that somebody keeps."""

from __future__ import annotations

import re

import psycopg
import pytest

from storage.history.chat import Chat, Place, Workspace
from storage.history.review import Judgement, ReviewRoom
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.web.answers import ESCAPED, MARKER
from tests.integration.web.conftest import EnterAs


def lanes(page: str) -> dict[str, list[str]]:
    parts = re.findall(r'<h2 id="(\w+)">(.*?)</section>', page, re.DOTALL)
    return {name: re.findall(r'<th [^>]*><a href="/cases/([\w-]+)"', part) for name, part in parts}


@pytest.fixture
async def waiting(
    chat: Chat, slack: Workspace, telegram: Workspace, room: ReviewRoom, staff: Staff, url: str
) -> None:
    for run_id in ("flag1", "flag2", "flag3"):
        await answer(chat, slack, run_id, triage="urgent")
    await answer(chat, telegram, "elsewhere", triage="urgent", sender="77", place=Place("77"))
    for run_id in ("asked", "unsafe", "done", "new"):
        await answer(chat, slack, run_id)
    await room.reviews.take(as_(staff.ann, "review"), "flag2")
    await room.reviews.take(as_(staff.ben, "review"), "asked")
    await room.reviews.submit(as_(staff.ben, "review"), "unsafe", Judgement("unsafe", "major"))
    await room.reviews.submit(as_(staff.ben, "review"), "done", Judgement("correct"))
    with psycopg.connect(url) as connection:
        connection.execute(
            "UPDATE cases SET asked_at = asked_at - interval '50 h', queued_at = now() - interval '50 h'"
            " WHERE run_id = 'flag3'"
        )


@pytest.mark.usefixtures("waiting")
async def test_the_queue(enter_as: EnterAs, room: ReviewRoom, staff: Staff):
    ann = await enter_as("ann")
    page = (await ann.get("/queue")).text
    assert lanes(page) == {
        "flags": ["flag3", "flag1", "flag2"],
        "second": ["unsafe"],
        "rest": ["asked"],
    }
    assert re.search(r'href="/cases/flag3"[^>]*><time[^>]*>2 days</time>', page)
    mine = lanes((await ann.get("/queue?whose=mine")).text)
    assert mine == {"flags": ["flag2"], "second": ["unsafe"], "rest": []}
    free = lanes((await ann.get("/queue?whose=unassigned")).text)
    assert free == {"flags": ["flag3", "flag1"], "second": ["unsafe"], "rest": []}
    assert (await ann.get("/queue?whose=theirs")).status_code == 422
    response = await ann.post("/cases/flag3/take")
    assert response.headers["location"] == "/cases/flag3#review"
    page = (await ann.get("/queue?whose=mine")).text
    assert lanes(page)["flags"] == ["flag3", "flag2"]
    assert page.count(">Give back<") == 2
    await ann.post("/cases/flag3/give-back")
    assert lanes((await ann.get("/queue?whose=mine")).text)["flags"] == ["flag2"]
    entries = await room.audit.read(as_(staff.auditor, "audit"), subject=("queue", "mine"))
    assert [(entry.action, entry.actor) for entry in entries] == [("view", f"account:{staff.ann.id}")]


async def test_filters_are_kept(enter_as: EnterAs, chat: Chat, slack: Workspace):
    await answer(chat, slack, "r1", language="fr")
    ann, ben = await enter_as("ann"), await enter_as("ben")
    kept = {"method": "literature", "language": "fr", "since": "2026-01-01", "until": "2026-01-31"}
    kept |= {"abstained": "no", "assigned": "me"}
    response = await ann.post("/filters", name=f"French {MARKER}", words="chest pain", **kept)
    address = response.headers["location"]
    assert "chest" not in address
    page = (await ann.get("/cases")).text
    assert MARKER not in page
    found = page.split('id="saved"')[1].split('href="')[1].split('"')[0]
    assert found.replace("&amp;", "&") == address
    for field, value in kept.items():
        assert f"{field}={value}" in address
    assert ESCAPED[:20] in page
    assert 'id="saved"' not in (await ben.get("/cases")).text
    [number] = re.findall(r'name="saved" value="(\d+)"', page)
    await ben.post("/filters/drop", saved=number)
    assert 'id="saved"' in (await ann.get("/cases")).text, "nobody drops another's"
    await ann.post("/filters/drop", saved=number)
    assert 'id="saved"' not in (await ann.get("/cases")).text
    assert 'action="/filters"' not in (await ann.get("/cases")).text
    assert 'name="language" value="fr"' in (await ann.get("/cases?language=fr")).text
