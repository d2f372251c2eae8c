"""A reviewer's way in Chromium, by mouse, by keyboard, without scripts; on a small screen and in the dark."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from typing import Any

import pytest

from storage.history.chat import Chat, Workspace
from storage.history.review import Grant, ReviewRoom
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.web.answers import CHAINS, kept
from tests.integration.web.conftest import PASSWORD, Local, NewLocal

CHROMIUM = shutil.which("chromium")
SMALL = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
async def chromium() -> AsyncIterator[Any]:
    if CHROMIUM is None:
        if os.environ.get("CARECITE_TEST_BROWSER") == "required":
            pytest.fail("chromium is not installed")
        pytest.skip("chromium is not installed")
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        await browser.close()


@pytest.fixture
async def faults() -> list[str]:
    """What the browser complains of: what the policy refuses, and errors of scripts."""
    return []


@pytest.fixture
async def page(chromium: Any, site: str, faults: list[str]) -> AsyncIterator[Any]:
    context = await chromium.new_context(viewport=SMALL, color_scheme="dark", base_url=site)
    context.set_default_timeout(20_000)
    page = await context.new_page()
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    await context.close()


@pytest.fixture
async def ann(new_local: NewLocal, slack: Workspace) -> Local:
    return await new_local("ann", Grant("lead", slack.id), name="Ann")


@pytest.fixture
async def answered(chat: Chat, slack: Workspace) -> None:
    await answer(chat, slack, "r1", **kept("r1", method="mirage", report=CHAINS), triage="urgent")
    await answer(chat, slack, "r2", masked="Something else")


async def sign_in(page: Any, ann: Local) -> None:
    await page.goto("/cases")
    await page.get_by_label("Login").fill("ann")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_label("Code").fill(ann.code())
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("heading", name="Answers").wait_for()


async def fits(page: Any) -> bool:
    """Nothing is wider than the screen."""
    return bool(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.mark.usefixtures("answered")
async def test_a_reviewers_way(page: Any, ann: Local, room: ReviewRoom, staff: Staff, faults: list[str]):
    await sign_in(page, ann)
    assert await fits(page)
    await page.get_by_label("Words in questions").fill("socks warm")
    await page.get_by_role("button", name="Search").click()
    await page.locator("mark").first.wait_for()
    assert "socks" not in page.url
    assert await page.get_by_role("row").count() == 2  # the heading, and one answer
    await page.get_by_role("link", name="Open the answer").click()
    await page.get_by_role("link", name="Evidence 2 of sentence 2").click()
    assert page.url.endswith("/cases/r1#c2")
    assert await page.locator("#c2").is_visible()
    assert await fits(page)
    await page.get_by_role("link", name="sentence 2", exact=True).click()
    assert page.url.endswith("#s2")
    await page.get_by_label("unsafe").check()
    await page.get_by_label("Severity").select_option("critical")
    await page.get_by_label("Corrected answer").fill("Call first.")
    await page.get_by_label("Note").click()  # leaving the field is a change, after which the draft is kept
    await page.get_by_text("Draft kept.").wait_for()
    await page.get_by_role("button", name="Submit").click()
    await page.locator(".facts .unsafe").wait_for()
    dossier = await room.reading.read(as_(staff.chief), "r1")
    [review] = dossier.reviews
    assert (review.draft, review.verdict, review.corrected) == (False, "unsafe", "Call first.")
    await page.get_by_label("Reason").fill("call back, wrong dose")
    await page.get_by_role("button", name="Reveal").click()
    await page.get_by_text("Id on the platform: U1").wait_for()
    assert faults == []


@pytest.mark.usefixtures("answered")
async def test_by_keyboard_alone(page: Any, ann: Local, room: ReviewRoom, staff: Staff):
    await page.goto("/cases")
    await page.get_by_label("Login").focus()
    await page.keyboard.type("ann")
    await page.keyboard.press("Tab")
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press("Tab")
    await page.keyboard.type(ann.code())
    await page.keyboard.press("Enter")
    await page.get_by_role("heading", name="Answers").wait_for()
    await page.keyboard.press("Tab")
    assert await focused(page) == "To the content"
    await page.keyboard.press("Enter")
    while "Open the answer" not in await focused(page):
        await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.get_by_role("heading", name="Conversation").wait_for()
    while await focused(page) != "correct":
        await page.keyboard.press("Tab")
    await page.keyboard.press("Space")
    while await focused(page) != "Submit":
        await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.locator(".facts .correct").wait_for()
    assert (await room.reading.read(as_(staff.chief), "r1")).verdict == "correct"


async def focused(page: Any) -> str:
    """The name of what has the focus; a thing without a visible sign of it would not do."""
    look = """() => {
      const at = document.activeElement, style = getComputedStyle(at);
      if (at.tabIndex >= 0 && style.outlineStyle === "none") return "no sign of focus";
      return at.getAttribute("aria-label") || at.value || at.textContent.trim();
    }"""
    return str(await page.evaluate(look))


@pytest.mark.usefixtures("answered")
async def test_without_scripts(chromium: Any, site: str, ann: Local, room: ReviewRoom, staff: Staff):
    context = await chromium.new_context(base_url=site, java_script_enabled=False)
    page = await context.new_page()
    await sign_in(page, ann)
    await page.get_by_role("link", name="Open the answer").last.click()
    await page.get_by_label("Corrected answer").fill("Half a se")
    await page.get_by_role("button", name="Keep as a draft").click()
    assert await page.get_by_label("Corrected answer").input_value() == "Half a se"
    await page.get_by_label("Reason").fill("call back, wrong dose")
    await page.get_by_role("button", name="Reveal").click()
    await page.get_by_text("Id on the platform: U1").wait_for()
    await context.close()
