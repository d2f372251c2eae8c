"""Chromium for tests: a page on a small screen, in the dark, and what it complains of."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.integration.web.conftest import Local

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
    """What the browser complains of: what the policy refuses, errors of scripts, words that ran as such."""
    return []


@pytest.fixture
async def page(chromium: Any, site: str, faults: list[str]) -> AsyncIterator[Any]:
    context = await chromium.new_context(viewport=SMALL, color_scheme="dark", base_url=site)
    context.set_default_timeout(20_000)
    page = await context.new_page()

    async def close(dialog: Any) -> None:
        faults.append(f"a dialog: {dialog.message}")
        await dialog.dismiss()

    page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", close)
    yield page
    await context.close()


async def sign_in(page: Any, local: Local, *, at: str = "/cases", heading: str = "Answers") -> None:
    await page.goto(at)
    await page.get_by_label("Login").fill(local.login)
    await page.get_by_label("Password").fill(local.password)
    await page.get_by_label("Code").fill(local.code())
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("heading", name=heading, level=1).wait_for()


_TOO_WIDE = """() => {
  document.querySelectorAll("details").forEach(one => { one.open = true });
  const width = window.innerWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll("body *")].filter(one =>
    one.getBoundingClientRect().right > width + 1 && !one.parentElement.closest(".scroll")
  ).map(one => one.outerHTML.slice(0, 80));
}"""


_UNNAMED = """() => {
  const ids = [...document.querySelectorAll("[id]")].map(one => one.id);
  const fields = [...document.querySelectorAll("input:not([type=hidden]), select, textarea")];
  const bare = one => !one.labels.length && !one.getAttribute("aria-label");
  const empty = one => !(one.getAttribute("aria-label") || one.textContent).trim();
  return [
    ...ids.filter((id, n) => ids.indexOf(id) !== n).map(id => "twice: " + id),
    ...fields.filter(bare).map(one => "without a label: " + one.name),
    ...[...document.querySelectorAll("a, button")].filter(empty)
      .map(one => "without words: " + one.outerHTML),
    ...[...document.querySelectorAll("svg:not([aria-hidden])")]
      .filter(one => !one.querySelector("title"))
      .map(one => "a picture without words: " + one.outerHTML.slice(0, 80)),
  ];
}"""


async def unnamed(page: Any) -> list[str]:
    """What a screen reader has no name for, and ids that are there twice."""
    found: list[str] = await page.evaluate(_UNNAMED)
    return found


async def too_wide(page: Any) -> list[str]:
    """What is wider than the screen, once everything is folded out."""
    found: list[str] = await page.evaluate(_TOO_WIDE)
    return found
