"""Signing in and out. A login always begins a new session; the cookie that was there is good for nothing.

Before that there is no session, so the form's token is in a signed cookie of the door, which ends with it.
"""

from __future__ import annotations

import hmac
import secrets
from typing import Annotated

from fastapi import Form
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from bot.review.errors import FormTooOld, OidcRefused
from bot.review.visits import Handler, Visit, Visiting
from storage.errors import LoginThrottled
from storage.history.review import ITSELF, Event
from storage.text import clean_text

NEXT = "next"  # the page that somebody wanted who had to sign in first


class Credentials(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True)

    login: str = Field("", max_length=200)
    password: str = Field("", max_length=1000, repr=False)
    code: str = Field("", max_length=20, repr=False)
    csrf: str = Field("", max_length=200, repr=False)


async def show_form(visit: Visiting) -> Response:
    return _form(visit)


async def sign_in(visit: Visiting, given: Annotated[Credentials, Form()]) -> Response:
    """The same answer whatever was wrong. Raises FormTooOld."""
    expected = visit.request.session.get("form")
    if not expected or not hmac.compare_digest(given.csrf.encode(), expected.encode()):
        raise FormTooOld
    client = visit.request.client
    try:
        token = await visit.room.sessions.sign_in(
            clean_text(given.login),
            given.password,
            given.code,
            address=client.host if client else "",
            request=visit.request_id,
        )
    except LoginThrottled as error:
        await visit.room.audit.note(ITSELF, Event("sign in", "session", "throttled", refused=True))
        return _form(visit, f"{error} {error.remedy}", 429)
    if token is None:
        return _form(visit, "Login, password or code is wrong. A code is good once.", 401)
    return await _enter(visit, token)


async def go_elsewhere(visit: Visiting) -> Response:
    """Raises OidcRefused."""
    if visit.desk.provider is None:
        raise OidcRefused
    return await visit.desk.provider.begin(visit.request)


async def come_back(visit: Visiting) -> Response:
    """Raises OidcRefused, also for somebody whom nobody added here."""
    if visit.desk.provider is None:
        raise OidcRefused
    try:
        who = await visit.desk.provider.finish(visit.request)
    except OidcRefused:
        await visit.room.audit.note(ITSELF, Event("sign in", "session", "oidc", refused=True))
        raise
    token = await visit.room.sessions.sign_in_oidc(*who, request=visit.request_id)
    if token is None:
        raise OidcRefused
    return await _enter(visit, token)


async def sign_out(visit: Visiting) -> Response:
    if visit.token:
        await visit.room.sessions.end(visit.token, visit.request_id)
    visit.desk.searches.forget(visit.account.id)
    response = visit.go("/sign-in")
    site = visit.desk.site
    response.delete_cookie(
        site.cookie("carecite"), path="/", secure=site.secure, httponly=True, samesite="lax"
    )
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    return response


HANDLERS: dict[str, Handler] = {
    "sign in page": show_form,
    "sign in": sign_in,
    "sign in elsewhere": go_elsewhere,
    "come back": come_back,
    "sign out": sign_out,
}


def _form(visit: Visit, wrong: str | None = None, status: int = 200) -> Response:
    session = visit.request.session
    session["form"] = token = session.get("form") or secrets.token_urlsafe(24)
    provider = visit.desk.provider is not None
    return visit.show("sign_in.html", status, token=token, wrong=wrong, provider=provider)


async def _enter(visit: Visit, token: str) -> Response:
    """With the new session alone; the one of the cookie that came, whoever's it was, is over."""
    if visit.token:
        await visit.room.sessions.end(visit.token, visit.request_id)
    wanted = visit.request.session.get(NEXT, "/")
    visit.request.session.clear()
    response = visit.go(wanted)
    site = visit.desk.site
    response.set_cookie(
        site.cookie("carecite"), token, path="/", secure=site.secure, httponly=True, samesite="lax"
    )
    return response
