"""Who a request comes from, and whether they may open that page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, cast

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from bot.review.access import Route
from bot.review.doors.oidc import Provider
from bot.review.errors import FormForged, SignInNeeded
from bot.review.protecting import Site, check_origin, check_token, subject_of
from bot.review.searches import Searches
from bot.review.showing import Templates
from storage.errors import NotPermitted, NotThere
from storage.history.review import (
    ITSELF,
    ROLES,
    Account,
    Actor,
    Event,
    ReviewRoom,
    Session,
    permit,
)
from storage.history.review.access import Permission

Handler = Callable[..., Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Desk:
    """What all pages work with."""

    room: ReviewRoom
    site: Site
    templates: Templates
    searches: Searches
    provider: Provider | None


@dataclass(frozen=True, slots=True)
class Visit:
    """A request that was let in. `actor` has the permission that the page needs."""

    desk: Desk
    request: Request
    request_id: str
    session: Session | None
    actor: Actor

    @property
    def room(self) -> ReviewRoom:
        return self.desk.room

    @property
    def account(self) -> Account:
        assert self.session is not None
        return self.session.account

    @property
    def token(self) -> str | None:
        return self.request.cookies.get(self.desk.site.cookie("carecite"))

    def may(self, permission: Permission, workspace: int | None = None) -> bool:
        """In this workspace; one that was asked on the command line (None) is of those who see all."""
        reach = self.account.reach(ROLES[permission])
        return reach is None or workspace in reach

    def as_(self, permission: Permission) -> Actor:
        """For a page that shows more to those who may more. Raises NotPermitted."""
        return permit(self.account, permission, self.request_id)

    def show(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        return HTMLResponse(self.desk.templates.render(template, self, **values), status)

    def go(self, path: str) -> Response:
        """On to another page, by GET."""
        return RedirectResponse(path, 303)


def guard(route: Route) -> Callable[[Request], Awaitable[None]]:
    """The check of a route, which leaves the visit in the request.

    Raises SignInNeeded; NotPermitted and FormForged, which are in the audit then; NotThere for what is no id.
    """

    async def check(request: Request) -> None:
        desk: Desk = request.app.state.desk
        request_id: str = request.state.request_id
        token = request.cookies.get(desk.site.cookie("carecite"))
        session = await desk.room.sessions.find(token) if token and route.needs != "nobody" else None
        try:
            if route.method == "POST":
                check_origin(request, desk.site)
            if route.needs == "nobody":
                actor = ITSELF
            elif session is None:
                raise SignInNeeded
            else:
                if route.method == "POST":
                    await check_token(request, session.csrf)
                actor = _permit(session.account, route, request_id)
        except (FormForged, NotPermitted):
            if session is not None:
                event = Event(route.name, "answer", subject_of(request))
                await desk.room.audit.refuse(session.account, event, request_id)
            raise
        request.state.visit = Visit(desk, request, request_id, session, actor)
        if "run_id" in request.path_params and subject_of(request) is None:
            raise NotThere

    return check


def _permit(account: Account, route: Route, request_id: str) -> Actor:
    if route.needs == "anybody":
        return Actor(f"account:{account.id}", "none", frozenset(), account.id, request_id)
    return permit(account, cast(Permission, route.needs), request_id)


def _current(request: Request) -> Visit:
    visit: Visit = request.state.visit
    return visit


Visiting = Annotated[Visit, Depends(_current)]
