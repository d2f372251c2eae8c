"""What leaves the house: for a purpose, as text in a spreadsheet, of the workspaces that somebody may see."""

from __future__ import annotations

import csv
import io
import json

import pytest

from storage.history.chat import Chat, Place, Workspace
from storage.history.review import Judgement, ReviewRoom
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.web.answers import kept
from tests.integration.web.conftest import EnterAs

FORMULA = '=HYPERLINK("https://evil.example","x")'


@pytest.fixture
async def answered(chat: Chat, slack: Workspace, telegram: Workspace, room: ReviewRoom, staff: Staff) -> None:
    await answer(chat, slack, "r1", **kept("r1") | {"question": FORMULA})
    await answer(chat, slack, "r2", **kept("r2"), language="fr")
    await answer(chat, telegram, "there", sender="77", place=Place("77"))
    await room.reviews.submit(as_(staff.ann, "review"), "r1", Judgement("unsafe", "major", "+Call", "@ben"))


@pytest.mark.usefixtures("answered")
async def test_a_spreadsheet(enter_as: EnterAs, room: ReviewRoom, staff: Staff):
    browser = await enter_as("lead")
    await browser.get("/export?language=fr")
    assert 'value="fr"' in browser.page
    response = await browser.post("/export", purpose=" case  round ", format="csv")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.headers["content-disposition"].startswith('attachment; filename="carecite-20')
    assert response.headers["cache-control"] == "no-store"
    rows = list(csv.DictReader(io.StringIO(response.text, newline="")))
    assert [row["run_id"] for row in rows] == ["r1", "r2"]
    assert (rows[0]["question"], rows[0]["corrected"], rows[0]["notes"]) == (f"'{FORMULA}", "'+Call", "'@ben")
    [entry] = await room.audit.read(as_(staff.auditor, "audit"), action="export")
    assert (entry.reason, entry.actor) == ("case round", f"account:{staff.lead.id}")


@pytest.mark.usefixtures("answered")
async def test_json_lines_with_filters(enter_as: EnterAs):
    browser = await enter_as("lead")
    response = await browser.post("/export", purpose="case round", format="jsonl", language="fr")
    [row] = [json.loads(line) for line in response.text.splitlines()]
    assert (row["run_id"], len(row["answer"]["citations"])) == ("r2", 2)
    response = await browser.post("/export", purpose="case round", language="de")
    assert (response.status_code, len(list(csv.reader(io.StringIO(response.text))))) == (200, 1)


@pytest.mark.usefixtures("answered")
async def test_without_a_purpose(enter_as: EnterAs, room: ReviewRoom, staff: Staff):
    browser = await enter_as("lead")
    for purpose in ("", " . "):
        assert (await browser.post("/export", purpose=purpose)).status_code == 422
    assert (await browser.post("/export", purpose="case round", format="xlsx")).status_code == 422
    assert await room.audit.read(as_(staff.auditor, "audit"), action="export") == []
