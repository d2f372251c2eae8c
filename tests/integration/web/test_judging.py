"""Taking an answer, judging it, a second opinion on what is unsafe, and drafts."""

from __future__ import annotations

import re

import pytest

from storage.history.chat import Chat, Workspace
from storage.history.review import Dossier, ReviewRoom
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.web.answers import kept
from tests.integration.web.conftest import EnterAs


@pytest.fixture
async def flagged(chat: Chat, slack: Workspace) -> None:
    await answer(chat, slack, "r1", **kept("r1"), triage="urgent")


async def dossier(room: ReviewRoom, staff: Staff) -> Dossier:
    return await room.reading.read(as_(staff.chief), "r1")


@pytest.mark.usefixtures("flagged")
async def test_unsafe_needs_a_second_reviewer(enter_as: EnterAs, room: ReviewRoom, staff: Staff):
    ann, ben = await enter_as("ann"), await enter_as("ben")
    form = {"verdict": "unsafe", "severity": "critical", "corrected": "Call first.", "note": "dose"}
    await ann.get("/cases/r1")
    response = await ann.post("/cases/r1/review", **form)
    assert response.headers["location"] == "/cases/r1#review"
    assert (await dossier(room, staff)).state == "submitted"
    await ann.post("/cases/r1/review", **form)
    assert (await dossier(room, staff)).state == "submitted", "twice by one is not a second opinion"
    page = (await ben.get("/cases/r1")).text
    assert "second opinion" in page
    assert "Call first." in page
    assert "second opinion" not in (await ann.get("/cases/r1")).text
    await ben.post("/cases/r1/take")
    await ben.post("/cases/r1/review", verdict="unsafe", severity="critical")
    assert (await dossier(room, staff)).state == "confirmed"


@pytest.mark.usefixtures("flagged")
async def test_who_has_it(enter_as: EnterAs, room: ReviewRoom, staff: Staff):
    ann, ben, lead = [await enter_as(name) for name in ("ann", "ben", "lead")]
    await ann.get("/cases/r1")
    assert (await ann.post("/cases/r1/take")).status_code == 303
    assert (await dossier(room, staff)).assigned_name == "ann"
    assert "/take" not in (await ben.get("/cases/r1")).text
    assert (await ben.post("/cases/r1/take")).status_code == 409
    assert (await ben.post("/cases/r1/give-back")).status_code == 409
    page = (await lead.get("/cases/r1")).text
    names = re.findall(r'<option value="\d+"[^>]*>(\w+)</option>', page)
    assert names == ["ann", "ben", "chief", "lead"]
    assert (await lead.post("/cases/r1/hand-over", account=str(staff.other.id))).status_code == 409
    assert (await lead.post("/cases/r1/hand-over", account="x")).status_code == 422
    assert (await lead.post("/cases/r1/hand-over", account=str(staff.ben.id))).status_code == 303
    assert (await dossier(room, staff)).assigned_name == "ben"
    await ben.get("/cases/r1")
    await ben.post("/cases/r1/give-back")
    assert (await dossier(room, staff)).assigned_to is None


@pytest.mark.usefixtures("flagged")
async def test_drafts(enter_as: EnterAs):
    ann, ben = await enter_as("ann"), await enter_as("ben")
    await ann.get("/cases/r1")
    response = await ann.http.post(
        "/cases/r1/draft",
        data={"corrected": "Half a se", "verdict": ""},
        headers={"Origin": ann.origin, "X-CSRF-Token": ann.token, "HX-Request": "true"},
    )
    assert (response.status_code, response.text.strip()) == (200, "<span>Draft kept.</span>")
    assert "Half a se</textarea>" in (await ann.get("/cases/r1")).text
    assert "Half a se" not in (await ben.get("/cases/r1")).text
    assert (await ann.post("/cases/r1/review", corrected="Half a se")).status_code == 409, "no verdict"
    assert (await ann.post("/cases/r1/review", verdict="fine")).status_code == 422


@pytest.mark.usefixtures("flagged")
async def test_htmx_is_sent_to_the_door_with_the_whole_page(enter_as: EnterAs):
    browser = await enter_as("ann")
    browser.http.cookies.clear()
    headers = {"Origin": browser.origin, "HX-Request": "true"}
    response = await browser.http.post("/cases/r1/draft", data={}, headers=headers)
    assert (response.status_code, response.headers["hx-redirect"]) == (401, "/sign-in")
