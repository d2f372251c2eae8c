"""How the web says no: a page in plain words with the status that fits, without what was sent."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from bot.review.doors.signing_in import NEXT
from bot.review.errors import SignInNeeded, WebError
from bot.review.protecting import headers_of, subject_of
from bot.review.visits import Desk, Visit
from config.errors import CareciteError
from storage.errors import (
    AccountRefused,
    NotPermitted,
    NotThere,
    OnHold,
    ReasonMissing,
    ReviewRefused,
    StorageError,
)
from storage.history.review import Event

_STATUS: tuple[tuple[type[StorageError], int], ...] = (
    (NotPermitted, 403),
    (NotThere, 404),
    (ReasonMissing, 422),
    (ReviewRefused, 409),
    (AccountRefused, 409),
    (OnHold, 409),
    (StorageError, 503),
)
_PLAIN = {
    400: ("This request cannot be read.", "Open the page again."),
    404: ("There is no such page.", "Begin at the list."),
    405: ("There is no such page.", "Begin at the list."),
    413: ("This is too long.", "Shorten it."),
    422: ("A field has a value that it cannot have.", "Go back and choose another."),
}
_FAULT = ("Something did not work.", "Try again; tell an administrator the number below if it stays so.")


async def _refuse(request: Request, error: Exception) -> Response:
    """An error of ours. Raises nothing: what is not there is in the audit before it is told."""
    assert isinstance(error, CareciteError)
    if isinstance(error, SignInNeeded):
        return _to_the_door(request)
    if isinstance(error, NotThere):
        await _note(request)
    status = error.status if isinstance(error, WebError) else _status_of(error)
    remedy = "Ask an administrator, if it should be there." if isinstance(error, NotThere) else error.remedy
    return _page(request, status, str(error), remedy)


def _status_of(error: CareciteError) -> int:
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 503)


async def _note(request: Request) -> None:
    visit: Visit | None = getattr(request.state, "visit", None)
    if visit is not None and visit.session is not None:
        name = request.scope["route"].name
        event = Event(name, "answer", subject_of(request))
        await visit.room.audit.refuse(visit.account, event, visit.request_id)


def _to_the_door(request: Request) -> Response:
    """Whoever wanted a page gets it after signing in; htmx is sent there with the whole page."""
    if "hx-request" in request.headers:
        return Response(status_code=401, headers={"HX-Redirect": "/sign-in"})
    if request.method == "GET" and request.url.path.startswith("/cases"):
        query = f"?{request.url.query}" if request.url.query else ""
        request.session[NEXT] = f"{request.url.path}{query}"[:1000]
    return RedirectResponse("/sign-in", 303)


async def _refuse_plainly(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 422
    return _page(request, status, *_PLAIN.get(status, _FAULT))


async def _admit_a_fault(request: Request, error: Exception) -> Response:
    """Outside of all middleware, so that this response needs its headers said."""
    response = _page(request, 500, *_FAULT)
    response.headers.update(headers_of(request.app.state.desk.site))
    return response


def _page(request: Request, status: int, message: str, remedy: str) -> HTMLResponse:
    desk: Desk = request.app.state.desk
    visit: Visit | None = getattr(request.state, "visit", None)
    request_id = getattr(request.state, "request_id", "")
    values = {"status": status, "message": message, "remedy": remedy, "request_id": request_id}
    return HTMLResponse(desk.templates.render("refused.html", visit, **values), status)


REFUSALS: dict[int | type[Exception], Callable[[Request, Any], Coroutine[Any, Any, Response]]] = {
    CareciteError: _refuse,
    RequestValidationError: _refuse_plainly,
    HTTPException: _refuse_plainly,
    Exception: _admit_a_fault,
}
