"""The review put together: routes of the table, each with its handler and its check, and no others."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import Depends, FastAPI
from starlette.middleware import Middleware
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.staticfiles import StaticFiles

from bot.review.access import ROUTES
from bot.review.doors import signing_in
from bot.review.doors.oidc import open_provider
from bot.review.pages import conversation, listing, reviewing
from bot.review.protecting import LARGEST, STATIC, Protection, site_of
from bot.review.refusing import REFUSALS
from bot.review.searches import Searches
from bot.review.showing import FOLDER, Templates
from bot.review.visits import Desk, guard
from config.review import Review
from storage.history.review import ReviewRoom

PAGES = (
    signing_in.HANDLERS,
    listing.HANDLERS,
    conversation.HANDLERS,
    reviewing.HANDLERS,
)
_DOOR = 600  # seconds that somebody may take to sign in


def create_app(room: ReviewRoom, settings: Review, port: int) -> FastAPI:
    """The application. Raises NoAddress, and KeyError where the table and the handlers differ."""
    site = site_of(settings, port)
    door: dict[str, Any] = {
        "secret_key": secrets.token_hex(32),  # of this process: who was at the door begins again
        "session_cookie": site.cookie("carecite-door"),
        "https_only": site.secure,
        "max_age": _DOOR,
        "same_site": "lax",
    }
    app = FastAPI(
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False},
        redirect_slashes=False,
        middleware=[
            Middleware(Protection, site=site),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(site.hosts), www_redirect=False),
            Middleware(RequestBodyLimitMiddleware, max_body_size=LARGEST),
            Middleware(SessionMiddleware, **door),
        ],
        exception_handlers=REFUSALS,
    )
    provider = open_provider(settings, site.address)
    app.state.desk = Desk(room, site, Templates(), Searches(), provider)
    handlers = {name: handler for page in PAGES for name, handler in page.items()}
    for route in ROUTES:
        app.add_api_route(
            route.path,
            handlers.pop(route.name),
            methods=[route.method],
            name=route.name,
            dependencies=[Depends(guard(route))],
            response_model=None,
        )
    if handlers:
        raise KeyError(f"Not in the table of routes: {', '.join(handlers)}")
    app.mount(STATIC, StaticFiles(directory=FOLDER / "static"), name="static")
    return app
