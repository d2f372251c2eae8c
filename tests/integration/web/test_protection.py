"""What every response says to the browser, and what nothing says to a log."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

from bot.logs import _Formatter
from bot.review.access import ROUTES
from bot.review.pages import listing
from bot.review.protecting import POLICY
from bot.review.showing import FOLDER
from storage.history.chat import Chat, Workspace
from storage.history.review import ReviewRoom
from tests.integration.review.conftest import Staff, answer
from tests.integration.web.answers import kept
from tests.integration.web.conftest import EnterAs

PAGES = sorted((FOLDER / "templates").glob("*.html"))


async def test_every_response_is_strict(
    enter_as: EnterAs, chat: Chat, slack: Workspace, monkeypatch: pytest.MonkeyPatch
):
    """Pages, refusals, redirects and faults alike."""
    await answer(chat, slack, "r1", **kept("r1"))
    browser = await enter_as("ann")
    paths = [route.path.format(run_id="r1") for route in ROUTES if route.method == "GET"]
    replies = [await browser.get(path) for path in (*paths, "/nowhere", "/docs", "/openapi.json")]
    replies += [await browser.get("/static/review.css"), await browser.get("/static/../app.py")]
    replies += [await browser.post("/cases/r1/reveal", reason="x y z"), await browser.post("/cases")]
    monkeypatch.setattr(listing, "AT_ONCE", "no number")
    replies.append(await browser.get("/cases"))
    assert {reply.status_code for reply in replies} == {200, 303, 403, 404, 405, 500}
    for reply in replies:
        assert reply.headers["content-security-policy"] == POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
        if "static" not in str(reply.url):
            assert reply.headers["cache-control"] == "no-store"
        assert "Traceback" not in reply.text
    assert "unsafe" not in POLICY


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_templates_have_nothing_inline(page: Path):
    """Nor do they trust anybody's words, or load from elsewhere."""
    text = page.read_text("utf-8")
    assert not re.search(r"\s(?:style|on\w+)=|<style|javascript:|\|\s*safe|https?://|hx-on", text)
    assert not re.search(r"<script(?! src=\"/static/)", text)
    for form in re.findall(r"<form[^>]*method=\"post\".*?</form>", text, re.DOTALL):
        assert 'name="csrf"' in form


async def test_logs_have_nobodys_words(
    enter_as: EnterAs, chat: Chat, slack: Workspace, caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    """At the lowest level, with a fault on top, as `set_up_logs` writes them."""
    caplog.set_level(logging.DEBUG)
    for name in ("uvicorn", "uvicorn.error", "fastapi", "sqlalchemy.engine"):
        caplog.set_level(logging.DEBUG, name)
    await answer(chat, slack, "r1", **kept("r1", words="palpitation"))
    browser = await enter_as("lead")
    address = (await browser.post("/search", words="palpitation")).headers["location"]
    assert "palpitation" in (await browser.get(address)).text
    await browser.get("/cases/r1")
    await browser.post("/cases/r1/review", verdict="correct", note="palpitation")
    await browser.post("/cases/r1/reveal", reason="palpitation")
    monkeypatch.setattr(listing.Asked, "filters", lambda *_: {"palpitation": 1}["missing palpitation"])
    assert (await browser.get(address)).status_code == 500
    shown = _Formatter([])
    records = [one for one in caplog.records if not one.name.startswith("sqlalchemy")]  # capped at WARNING
    assert any("Exception in ASGI" in one.getMessage() for one in records)
    assert not [one.name for one in records if "palpitation" in shown.format(one)]


@pytest.mark.parametrize("path", ["/cases/%00", "/cases/a%00b", "/cases/" + "x" * 5000, "/cases/é"])
async def test_what_is_no_id_is_not_found(enter_as: EnterAs, path: str):
    assert (await (await enter_as("ann")).get(path)).status_code == 404


async def test_letters_that_a_database_does_not_take(enter_as: EnterAs, room: ReviewRoom, staff: Staff):
    browser = await enter_as("ann")
    odd = "a\x00b\x1b\u202e"
    assert (
        await browser.get((await browser.post("/search", words=odd)).headers["location"])
    ).status_code == 200
    await browser.get("/sign-in")
    response = await browser.post("/sign-in", login=odd, password=odd, code=odd)
    assert response.status_code == 401
