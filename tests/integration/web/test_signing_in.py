"""Signing in with a local account, staying signed in, and being signed out."""

from __future__ import annotations

import re

import psycopg
import pytest

from bot.review.errors import NoAddress
from config.review import Review
from storage.history.chat import Workspace
from storage.history.review import Grant, ReviewRoom
from tests.integration.review.conftest import Staff, as_
from tests.integration.web.conftest import Browser, Local, NewLocal, free_port, serving

COOKIE = "carecite-plain"


@pytest.fixture
async def ann(new_local: NewLocal, slack: Workspace) -> Local:
    return await new_local("ann", Grant("reviewer", slack.id))


async def test_a_local_account_signs_in_and_out(browser: Browser, ann: Local):
    assert (await browser.get("/cases")).headers["location"] == "/sign-in"
    response = await ann.sign_in(browser)
    assert (response.status_code, response.headers["location"]) == (303, "/cases")
    assert (await browser.get("/cases")).status_code == 200
    token = browser.http.cookies[COOKIE]
    assert (await browser.post("/sign-out")).headers["location"] == "/sign-in"
    assert COOKIE not in browser.http.cookies
    browser.http.cookies.set(COOKIE, token)
    assert (await browser.get("/cases")).headers["location"] == "/sign-in", "the session itself is over"


@pytest.mark.parametrize(
    "changed", [{"login": "nobody"}, {"password": "not the right words"}, {"code": "000000"}, {"code": ""}]
)
async def test_what_was_wrong_is_not_told(browser: Browser, ann: Local, changed: dict[str, str]):
    response = await ann.sign_in(browser, **changed)
    assert response.status_code == 401
    assert COOKIE not in response.cookies
    [words] = re.findall(r'role="alert"[^>]*>([^<]*)<', response.text)
    assert words == "Login, password or code is wrong. A code is good once."


async def test_failures_are_throttled(browser: Browser, ann: Local, room: ReviewRoom, staff: Staff):
    for _ in range(5):
        assert (await ann.sign_in(browser, password="not the right words")).status_code == 401
    assert (await ann.sign_in(browser)).status_code == 429
    entries = await room.audit.read(as_(staff.auditor, "audit"), action="sign in")
    assert [entry.subject for entry in entries].count("throttled") == 1
    assert sum(entry.refused for entry in entries) == 6


async def test_a_login_begins_a_new_session(browser: Browser, ann: Local, room: ReviewRoom, staff: Staff):
    """A token that somebody planted, even one of a session, is not the one of who signs in."""
    planted = await room.sessions.sign_in_oidc("https://idp.example", "ben")
    assert planted
    browser.http.cookies.set(COOKIE, planted)
    entered = await ann.sign_in(browser)
    assert entered.cookies[COOKIE] != planted
    assert await room.sessions.find(planted) is None
    session = await room.sessions.find(entered.cookies[COOKIE])
    assert session
    assert session.account.login == "ann"


async def test_sessions_end(browser: Browser, ann: Local, url: str):
    await ann.sign_in(browser)
    for column, age in (("seen_at", "15 minutes"), ("ends_at", "1 second")):
        with psycopg.connect(url) as connection:
            connection.execute(f"UPDATE staff_sessions SET {column} = {column} - interval '14 minutes'")
        if column == "seen_at":
            assert (await browser.get("/cases")).status_code == 200
        with psycopg.connect(url) as connection:
            connection.execute(f"UPDATE staff_sessions SET {column} = now() - interval '{age}'")
        assert (await browser.get("/cases")).headers["location"] == "/sign-in"
        with psycopg.connect(url) as connection:
            connection.execute("UPDATE staff_sessions SET seen_at = now(), ends_at = now() + interval '1h'")


async def test_cookies_behind_https(room: ReviewRoom, ann: Local):
    """uvicorn is behind a proxy then; what it says to the browser counts."""
    settings = Review(port=free_port(), url="https://review.example")
    async with serving(room, settings) as address:
        browser = Browser(address, headers={"Host": "review.example"})
        response = await browser.get("/sign-in")
        [door] = response.headers.get_list("set-cookie")
        form = {"login": "ann", "password": "four words and a comma", "code": ann.code()}
        sent = {"Origin": "https://review.example", "Cookie": door.partition(";")[0]}
        entered = await browser.http.post("/sign-in", data=form | {"csrf": browser.token}, headers=sent)
        await browser.http.aclose()
    assert entered.status_code == 303
    for cookie, name in (
        (door, "__Host-carecite-door="),
        (entered.headers["set-cookie"], "__Host-carecite="),
    ):
        assert name in cookie
        parts = {part.strip().lower() for part in cookie.split(";")[1:]}
        assert {"httponly", "secure", "samesite=lax", "path=/"} <= parts
        assert not [part for part in parts if part.startswith("domain")]
    assert "max-age" in response.headers["strict-transport-security"]


async def test_plain_http_is_for_loopback_alone(room: ReviewRoom):
    with pytest.raises(NoAddress):
        async with serving(room, Review(port=free_port())):
            pass
    with pytest.raises(ValueError, match="plain_http"):
        Review(plain_http=True, host="0.0.0.0")
    with pytest.raises(ValueError, match="https"):
        Review(url="http://review.example")


async def test_another_host_is_refused(browser: Browser, ann: Local):
    """A page elsewhere whose name leads to loopback (DNS rebinding) reads nothing."""
    assert (await browser.get("/sign-in", headers={"Host": "evil.example"})).status_code == 400


async def test_the_page_that_was_wanted_comes_after_signing_in(browser: Browser, ann: Local):
    await browser.get("/cases/r1")
    assert (await ann.sign_in(browser)).headers["location"] == "/cases/r1"
    await browser.post("/sign-out")
    await browser.get("/elsewhere")
    assert (await ann.sign_in(browser)).headers["location"] == "/"
