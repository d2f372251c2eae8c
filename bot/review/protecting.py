"""What every request is checked for before anything else, and what every response says to the browser."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from urllib.parse import urlsplit
from uuid import uuid4

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.review.errors import FormForged, NoAddress
from config.fields import LOOPBACK
from config.review import Review

LARGEST = 2**18  # bytes of a form: two texts of 20,000 characters, escaped
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer, browsers send `Origin: null` with our own forms
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
STATIC = "/static/"
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Site:
    """Where browsers find the review. `__Host-` binds a cookie to this host, https and the path /; the other
    name is for a trial on loopback, where there is no https.
    """

    address: str
    hosts: tuple[str, ...]
    secure: bool
    origins: frozenset[str]

    def cookie(self, name: str) -> str:
        return f"__Host-{name}" if self.secure else f"{name}-plain"


def site_of(settings: Review, port: int) -> Site:
    """Raises NoAddress."""
    if settings.url is not None:
        parts = urlsplit(settings.url)
        origin = f"{parts.scheme}://{parts.netloc}"
        return Site(origin, (parts.hostname or "",), True, frozenset({origin}))
    if not settings.plain_http:
        raise NoAddress
    names = {"[::1]" if name == "::1" else name for name in LOOPBACK}
    address = "[::1]" if settings.host == "::1" else settings.host
    origins = frozenset(f"http://{name}:{port}" for name in names)
    return Site(f"http://{address}:{port}", ("127.0.0.1", "localhost", "[::1]"), False, origins)


def check_origin(request: Request, site: Site) -> None:
    """Every browser says where a form comes from. Raises FormForged."""
    if request.headers.get("origin") not in site.origins:
        raise FormForged


async def check_token(request: Request, expected: str | None) -> None:
    """The token is in the form, or htmx sends it as a header. Raises FormForged."""
    given = request.headers.get("x-csrf-token") or (await request.form()).get("csrf")
    if not expected or not isinstance(given, str):
        raise FormForged
    if not hmac.compare_digest(given.encode(), expected.encode()):
        raise FormForged


def subject_of(request: Request) -> str | None:
    """The id in the path, for the audit, unless it is no id at all."""
    named = request.path_params.get("run_id", "")
    return named if _ID.fullmatch(named) else None


def headers_of(site: Site) -> dict[str, str]:
    """What every response says."""
    return HEADERS | ({"Strict-Transport-Security": "max-age=31536000"} if site.secure else {})


class Protection:
    """Headers of all responses; each request has an id, which is in the audit, too."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._headers = headers_of(site)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id

        async def say(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                headers["X-Request-Id"] = request_id
                if scope["path"].startswith(STATIC):
                    headers["Cache-Control"] = "public, max-age=3600"
            await send(message)

        await self._app(scope, receive, say)
