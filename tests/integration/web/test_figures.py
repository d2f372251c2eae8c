"""Dashboards: each chart with its table, of what somebody may see, within the policy."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from storage.history.chat import Chat, Place, Workspace
from storage.history.review import Judgement, ReviewRoom
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.web.conftest import EnterAs


async def test_figures(
    enter_as: EnterAs, chat: Chat, slack: Workspace, telegram: Workspace, room: ReviewRoom, staff: Staff
):
    for n in range(3):
        await answer(chat, slack, f"r{n}", ran="cometa" if n else "literature", abstained=n == 2)
    await answer(chat, telegram, "there", sender="77", place=Place("77"))
    await answer(chat, slack, "flag", triage="urgent")
    await room.reviews.submit(as_(staff.ann, "review"), "r1", Judgement("unsafe", "major"))
    await room.reviews.submit(as_(staff.ben, "review"), "r1", Judgement("correct"))
    browser = await enter_as("lead")
    page = (await browser.get("/figures")).text
    today = datetime.now(UTC).date()
    tables = {
        found[0]: re.sub(r"<[^>]+>|\s+", " ", found[1]).split()
        for found in re.findall(r"<caption>(.*?)</caption>(.*?)</table>", page, re.DOTALL)
    }
    assert tables["Answers a day"] == ["Day", "Answers", str(today), "4"]
    assert sorted(tables["Methods that answered"][4:]) == sorted(
        ["literature", "2", "50", "%", "cometa", "2", "50", "%"]
    )
    assert tables["Abstained"][-5:] == [str(today), "1", "4", "25", "%"]
    assert tables["Found unsupported or unsafe"][-5:] == [str(today), "1", "1", "100", "%"]
    assert len(tables) == page.count('class="chart"') == 8
    assert page.count('role="img"') == 5
    assert "1 red flags wait" in page
    assert "style=" not in page
    assert (await browser.get("/figures?days=7")).status_code == 200
    assert (await browser.get("/figures?days=8")).status_code == 422
    [first, *_] = await room.audit.read(as_(staff.auditor, "audit"), action="view", subject=None)
    assert first.kind == "figures"
