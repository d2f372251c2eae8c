"""Signing in by a provider, which really signs its tokens, and what it must not get away with."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from pydantic import SecretStr

from config.review import Review
from storage.history.chat import Workspace
from storage.history.review import OPERATOR, Grant, ReviewRoom
from tests.emulators.oidc import CLIENT, SECRET, OidcServer
from tests.integration.review.conftest import Staff, as_
from tests.integration.web.conftest import Browser, free_port, serving


@pytest.fixture
def provider() -> Iterator[OidcServer]:
    with OidcServer() as server:
        yield server


@pytest.fixture
async def browser(room: ReviewRoom, provider: OidcServer, slack: Workspace) -> AsyncIterator[Browser]:
    """Its provider's `ann` is a reviewer here."""
    account = await room.accounts.add_oidc(OPERATOR, "Ann", provider.issuer, "ann")
    await room.accounts.grant(OPERATOR, account, *Grant("reviewer", slack.id))
    settings = Review(
        port=free_port(),
        plain_http=True,
        oidc_url=provider.issuer,
        oidc_client_id=CLIENT,
        oidc_client_secret=SecretStr(SECRET),
    )
    async with serving(room, settings) as address:
        browser = Browser(address)
        yield browser
        await browser.http.aclose()


async def at_the_provider(browser: Browser) -> str:
    """Through the provider's page; the address by which the browser comes back."""
    assert "/sign-in/oidc" in (await browser.get("/sign-in")).text
    away = (await browser.get("/sign-in/oidc")).headers["location"]
    async with httpx.AsyncClient() as other:
        return str((await other.get(away)).headers["location"])


async def test_somebody_known_is_let_in(browser: Browser, provider: OidcServer):
    back = await at_the_provider(browser)
    response = await browser.get(back)
    assert (response.status_code, response.headers["location"]) == (303, "/")
    assert "Ann" in (await browser.get("/cases")).text
    [asked] = provider.asked
    assert asked["redirect_uri"] == f"{browser.origin}/sign-in/oidc/back"
    assert asked["scope"] == "openid"
    assert (await browser.get(back)).status_code == 403, "a code and a state are good once"


async def test_a_stranger_is_refused_and_noted(
    browser: Browser, provider: OidcServer, room: ReviewRoom, staff: Staff
):
    provider.subject = "somebody else"
    response = await browser.get(await at_the_provider(browser))
    assert response.status_code == 403
    assert "carecite-plain" not in response.cookies
    [entry] = await room.audit.read(as_(staff.auditor, "audit"), action="sign in")
    assert entry.refused


@pytest.mark.parametrize(
    "spoilt",
    [
        {"iss": "https://evil.example"},
        {"aud": "another client"},
        {"aud": ["another client"], "azp": CLIENT},
        {"nonce": "of another sign-in"},
        {"exp": int(time.time()) - 3600},
        {"sub": None},
    ],
    ids=lambda spoilt: "+".join(spoilt),
)
async def test_tokens_that_are_not_ours(
    browser: Browser, provider: OidcServer, spoilt: dict[str, Any], room: ReviewRoom, staff: Staff
):
    provider.spoil = spoilt
    assert (await browser.get(await at_the_provider(browser))).status_code == 403
    entries = await room.audit.read(as_(staff.auditor, "audit"), action="sign in")
    assert [entry.refused for entry in entries] == [True]


async def test_a_token_that_somebody_else_signed(browser: Browser, provider: OidcServer):
    provider.stranger = True
    assert (await browser.get(await at_the_provider(browser))).status_code == 403


async def test_a_code_of_another_browser(browser: Browser):
    """Login CSRF: whoever is sent to somebody else's way back has no state for it."""
    back = await at_the_provider(browser)
    async with httpx.AsyncClient() as victim:
        assert (await victim.get(back)).status_code == 403
    state = parse_qs(urlsplit(back).query)["state"][0]
    assert (await browser.get(f"/sign-in/oidc/back?code=guessed&state={state}")).status_code == 403
    assert (await browser.get("/sign-in/oidc/back?error=access_denied")).status_code == 403


async def test_a_provider_that_is_down(browser: Browser, provider: OidcServer):
    provider.discovery = dict  # type: ignore[method-assign]
    assert (await browser.get("/sign-in/oidc")).status_code == 403
