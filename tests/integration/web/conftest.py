"""The review over real HTTP: uvicorn on loopback, a real PostgreSQL, httpx as the browser."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx
import pyotp
import pytest

from bot.review.serving import serve_review
from config.review import Review
from storage.history.review import OPERATOR, Grant, ReviewRoom
from tests.integration.review.conftest import (
    Staff,
    chat,
    engine,
    review_database,
    room,
    settings,
    slack,
    staff,
    telegram,
    url,
)

__all__ = ["chat", "engine", "review_database", "room", "settings", "slack", "staff", "telegram", "url"]

PASSWORD = "four words and a comma"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Browser:
    """Keeps cookies, says where forms come from, and sends the token of the page it saw last."""

    def __init__(self, origin: str, **client: object) -> None:
        self.origin = origin
        self.http = httpx.AsyncClient(base_url=origin, **client)  # type: ignore[arg-type]
        self.page = ""

    async def get(self, path: str, **more: object) -> httpx.Response:
        return self._seen(await self.http.get(path, **more))  # type: ignore[arg-type]

    async def post(self, path: str, *, origin: str | None = "", token: str | None = "", **form: object):
        """`origin` and `token`: other than the right ones, or None for none."""
        fields = {name: value for name, value in form.items() if value is not None}
        if token is not None:
            fields["csrf"] = token or self.token
        given = self.origin if origin == "" else origin
        headers = {} if given is None else {"Origin": given}
        return self._seen(await self.http.post(path, data=fields, headers=headers))

    @property
    def token(self) -> str:
        found = re.search(r'name="csrf" value="([^"]+)"', self.page)
        return found[1] if found else "none"

    def _seen(self, response: httpx.Response) -> httpx.Response:
        if response.status_code < 300 and "text/html" in response.headers.get("content-type", ""):
            self.page = response.text
        return response


class Local:
    """A local account with its authenticator."""

    def __init__(self, account: int, login: str, address: str) -> None:
        self.account = account
        self.login = login
        self._codes = pyotp.parse_uri(address)
        self._step = 0

    def code(self) -> str:
        """The one of now, or, where that was given already, the next: it is good, too, as clocks differ."""
        self._step = max(self._step + 1, int(time.time()) // 30)
        assert isinstance(self._codes, pyotp.TOTP)
        return self._codes.at(self._step * 30)

    async def sign_in(self, browser: Browser, **changed: str) -> httpx.Response:
        await browser.get("/sign-in")
        given = {"login": self.login, "password": PASSWORD, "code": self.code()} | changed
        response = await browser.post("/sign-in", **given)
        if response.status_code == 303:
            assert (await browser.get("/", follow_redirects=True)).status_code == 200
        return response


@asynccontextmanager
async def serving(room: ReviewRoom, settings: Review) -> AsyncIterator[str]:
    """The review while the block lasts; its address on loopback."""
    stop = asyncio.Event()
    task = asyncio.create_task(serve_review(room, settings, stop))
    address = f"http://127.0.0.1:{settings.port}"
    async with httpx.AsyncClient() as http:
        for _ in range(500):
            if task.done():
                await task
            try:
                await http.get(f"{address}/static/review.css")
                break
            except httpx.ConnectError:
                await asyncio.sleep(0.02)
    try:
        yield address
    finally:
        stop.set()
        await task


@pytest.fixture
async def site(room: ReviewRoom) -> AsyncIterator[str]:
    async with serving(room, Review(port=free_port(), plain_http=True)) as address:
        yield address


@pytest.fixture
async def browser(site: str) -> AsyncIterator[Browser]:
    browser = Browser(site)
    yield browser
    await browser.http.aclose()


NewLocal = Callable[..., Awaitable[Local]]


@pytest.fixture
def new_local(room: ReviewRoom) -> NewLocal:
    """new_local("ann", Grant("reviewer", 1), …): a local account with these grants."""

    async def make(login: str, *grants: Grant, name: str | None = None) -> Local:
        account, address = await room.accounts.add_local(OPERATOR, name or login, login, PASSWORD)
        for grant in grants:
            await room.accounts.grant(OPERATOR, account, *grant)
        return Local(account, login, address)

    return make


EnterAs = Callable[..., Awaitable[Browser]]


@pytest.fixture
async def enter_as(site: str, room: ReviewRoom, staff: Staff) -> AsyncIterator[EnterAs]:
    """enter_as("ann"): a browser in which this one of the staff is signed in."""
    opened: list[Browser] = []

    async def enter(name: str) -> Browser:
        token = await room.sessions.sign_in_oidc("https://idp.example", name)
        assert token
        browser = Browser(site, cookies={"carecite-plain": token})
        opened.append(browser)
        await browser.get("/", follow_redirects=True)
        return browser

    yield enter
    for browser in opened:
        await browser.http.aclose()
