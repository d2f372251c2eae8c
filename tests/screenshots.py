"""Pictures of the review for the README: a small history of its own, the real server, Chromium.

    make screenshots

They go to docs/screenshots, at most 120 kB each.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from config.review import Review
from config.settings import Settings
from storage.database import create_engine
from storage.history.chat import open_chat
from storage.history.review import OPERATOR, Account, Grant, ReviewRoom, open_review, permit
from storage.postgres import create_database, ensure_server
from storage.schema import upgrade
from tests.example_history import ANSWERS, write_month
from tests.integration.embedded import FAST, new_home
from tests.integration.web.conftest import PASSWORD, Local, free_port, serving

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
LARGEST = 120_000  # bytes
WIDE, SMALL = {"width": 1000, "height": 720}, {"width": 360, "height": 720}
STROKE = f"/cases/example{ANSWERS - 2}"


class Shot(NamedTuple):
    """`at` is scrolled to the top of the picture."""

    name: str
    path: str
    size: dict[str, int] = WIDE
    scheme: str = "light"
    at: str | None = None


SHOTS = (
    Shot("list", "/cases"),
    Shot("conversation", STROKE),
    Shot("evidence", STROKE, at="#evidence"),
    Shot("queue", "/queue"),
    Shot("figures", "/figures"),
    Shot("audit", "/audit"),
    Shot("small", "/queue", SMALL),
    Shot("dark", STROKE, scheme="dark"),
)


async def take(folder: Path) -> list[Path]:
    """The files that were written."""
    from playwright.async_api import async_playwright

    async with _site() as (address, somebody), async_playwright() as playwright:
        path = shutil.which("chromium")
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        context = await browser.new_context(base_url=address, viewport=WIDE)
        page = await context.new_page()
        await page.goto("/sign-in")
        taken = [await _save(page, folder, "login")]
        await page.get_by_label("Login").fill(somebody.login)
        await page.get_by_label("Password").fill(somebody.password)
        await page.get_by_label("Code").fill(somebody.code())
        await page.get_by_role("button", name="Sign in").click()
        await page.get_by_role("heading", name="Answers").wait_for()
        for shot in SHOTS:
            await page.set_viewport_size(shot.size)
            await page.emulate_media(color_scheme=shot.scheme)
            await page.goto(shot.path)
            if shot.at:
                await page.locator(shot.at).evaluate("one => one.scrollIntoView()")
            taken.append(await _save(page, folder, shot.name))
        await browser.close()
    return taken


async def _save(page: Any, folder: Path, name: str) -> Path:
    path = folder / f"{name}.png"
    await page.screenshot(path=path)
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name} has {path.stat().st_size:,} bytes")
    return path


@asynccontextmanager
async def _site() -> AsyncIterator[tuple[str, Local]]:
    """Its address, and somebody who sees all of it."""
    with new_home() as home, ensure_server(home, options=FAST, linger=0.2) as server:
        create_database(server, "examples")
        url = server.url("examples")
        upgrade(url, "history")
        engine = create_engine(url)
        try:
            chat = await open_chat(engine, Settings(home=home))
            room = open_review(chat)
            workspace = await chat.workspaces.install("slack", "T0EXAMPLE", {"bot_token": "xoxb-example"})
            lead = await _add(room, "Lead", "lead", "admin", "auditor")
            second = await _add(room, "Ward 3", "reviewer")
            accounts = await room.accounts.list(OPERATOR)
            await write_month(chat, room, workspace, (_of(accounts, second), _of(accounts, lead)), url)
            reason = "call back, the answer was urgent"
            actor = permit(_of(accounts, lead), "reveal")
            await room.reading.reveal(actor, f"example{ANSWERS - 2}", reason)
            async with serving(room, Review(port=free_port(), plain_http=True)) as address:
                yield address, lead
        finally:
            await engine.dispose()


async def _add(room: ReviewRoom, name: str, *roles: Any) -> Local:
    login = name.lower().replace(" ", "")
    account, address = await room.accounts.add_local(OPERATOR, name, login, PASSWORD)
    for role in roles:
        await room.accounts.grant(OPERATOR, account, *Grant(role, None))
    return Local(account, login, address)


def _of(accounts: list[Account], local: Local) -> Account:
    return next(one for one in accounts if one.id == local.account)


def main() -> None:
    if shutil.which("chromium") is None:
        sys.exit("chromium is not installed: apt-get install chromium")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in asyncio.run(take(FOLDER)):
        sys.stdout.write(f"{path.relative_to(FOLDER.parents[1])}: {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
