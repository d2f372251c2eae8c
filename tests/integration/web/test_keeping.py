"""An administrator's pages: how long is kept, legal holds, and erasure with what it will take."""

from __future__ import annotations

import re

import pytest

from storage.errors import NotThere
from storage.history.chat import Chat, Workspace
from storage.history.review import OPERATOR, ReviewRoom
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.web.conftest import Browser, EnterAs


@pytest.fixture
async def admin(
    enter_as: EnterAs, chat: Chat, slack: Workspace, telegram: Workspace, room: ReviewRoom, staff: Staff
) -> Browser:
    account = await room.accounts.add_oidc(OPERATOR, "admin", "https://idp.example", "admin")
    await room.accounts.grant(OPERATOR, account, "admin", slack.id)
    for n in range(3):
        await answer(chat, slack, f"run{n}", sender="U2" if n else "U1")
    await answer(chat, telegram, "there", sender="77")
    return await enter_as("admin")


async def test_how_long_is_kept(admin: Browser, room: ReviewRoom, staff: Staff, slack: Workspace):
    page = (await admin.get("/retention")).text
    assert re.findall(r'name="days" [^>]*value="(\d+)"', page) == ["180"]
    response = await admin.post("/retention/days", workspace=str(slack.id), days="90")
    assert response.headers["location"] == "/retention"
    assert [one.days for one in await room.holds.kept(as_(staff.chief, "manage"))] == [90, 180]
    await admin.post("/retention/days", workspace=str(slack.id), days="")
    assert [one.days for one in await room.holds.kept(as_(staff.chief, "manage"))] == [180, 180]
    assert (await admin.post("/retention/days", workspace=str(slack.id), days="0")).status_code == 422
    assert (await admin.post("/retention/days", workspace="2", days="9")).status_code == 404


async def test_a_hold_stops_erasure_until_it_is_lifted(admin: Browser, room: ReviewRoom, staff: Staff):
    page = (await admin.get("/cases/run0")).text
    [link] = re.findall(r'href="(/retention\?[^"]+)#reason"', page)
    page = (await admin.get(link.replace("&amp;", "&"))).text
    [conversation] = re.findall(r'id="conversation"[^>]*value="(\d+)"', page)
    form = {"workspace": "1", "conversation": conversation}
    assert (await admin.post("/holds", **form, reason=" ")).status_code == 422
    assert (await admin.post("/holds", workspace="2", reason="a letter")).status_code == 404
    assert (await admin.post("/holds", **form, reason="a letter came")).status_code == 303
    page = (await admin.get("/cases/run0/erase")).text
    assert page.count("a legal hold keeps it") == 3
    erasure = {"extent": "person", "because": "they asked", "confirm": "person"}
    assert (await admin.post("/cases/run0/erase", **erasure)).status_code == 409
    await admin.get("/retention")
    assert (await admin.post("/holds/lift", hold="1", reason="it is over")).status_code == 303
    assert ", lifted <time" in (await admin.get("/retention")).text
    assert (await admin.post("/holds/lift", hold="1", reason="it is over")).status_code == 404
    await admin.get("/cases/run0/erase")
    assert (await admin.post("/cases/run0/erase", **erasure)).status_code == 200
    entries = await room.audit.read(as_(staff.auditor, "audit"))
    reasons = {entry.action: entry.reason for entry in entries if entry.reason}
    assert reasons == {"hold": "a letter came", "lift hold": "it is over", "erase person": "they asked"}


async def test_erasing_tells_what_will_go_and_what_went(admin: Browser, room: ReviewRoom, staff: Staff):
    rows = room.exports.stream(as_(staff.lead, "export"), _all(), "case round", "csv")
    assert len([row async for row in rows]) == 3
    page = (await admin.get("/cases/run1/erase")).text
    found = re.findall(r"</label>\s*(\d+) messages, (\d+) people, (\d+) conv\w+; copies in (\d+)", page)
    assert found == [("1", "1", "1", "1"), ("3", "2", "1", "1"), ("2", "1", "1", "1")]
    form = {"extent": "person", "because": "they asked"}
    assert (await admin.post("/cases/run1/erase", **form, confirm="answer")).status_code == 422
    assert (await admin.post("/cases/run1/erase", **form | {"because": "Ann Example"})).status_code == 422
    assert (await room.reading.read(as_(staff.chief), "run1")).run_id == "run1", "nothing went"
    page = (await admin.post("/cases/run1/erase", **form, confirm=" Person ")).text
    assert "2 messages, 2 answers, 1 people" in page
    assert "It is in 1 exports" in page
    for run_id in ("run1", "run2"):
        with pytest.raises(NotThere):
            await room.reading.read(as_(staff.chief), run_id)
    assert (await room.audit.verify(OPERATOR)).intact


@pytest.mark.parametrize("run_id", ["there", "nowhere"])
async def test_what_is_out_of_reach_stays(admin: Browser, room: ReviewRoom, staff: Staff, run_id: str):
    assert (await admin.get(f"/cases/{run_id}/erase")).status_code == 404
    form = {"extent": "answer", "because": "a trial", "confirm": "answer"}
    assert (await admin.post(f"/cases/{run_id}/erase", **form)).status_code == 404
    assert (await room.reading.read(as_(staff.chief), "there")).run_id == "there"


def _all():
    from storage.history.review import Filters

    return Filters()
