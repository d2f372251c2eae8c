"""The control plane: what tests call as coroutine methods, another process calls over HTTP.

POST /control/VERB with the arguments as a JSON object; GET /control/state;
GET /control/transcript?channel=ID.
A wrong call is a 400 with the reason.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import web

Verb = Callable[..., Awaitable[Any]]


def verbs_of(*owners: object) -> dict[str, Verb]:
    """Public coroutine methods by name."""
    found: dict[str, Verb] = {}
    for owner in owners:
        for name, method in inspect.getmembers(owner, inspect.iscoroutinefunction):
            if not name.startswith("_"):
                found[name] = method
    return found


def plain(value: Any) -> Any:
    """As JSON can carry it; bytes become text, and None where a value has no plain form."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [one.name for one in dataclasses.fields(value) if not one.name.startswith("_")]
        return {name: plain(getattr(value, name)) for name in fields}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str | int | float | bool | None) else None


def add_control(
    app: web.Application,
    verbs: Mapping[str, Verb],
    state: Callable[[], Any],
    transcript: Callable[[str], str],
) -> None:
    async def act(request: web.Request) -> web.Response:
        verb = verbs.get(request.match_info["verb"])
        if verb is None:
            return web.Response(status=404, text=f"verbs: {', '.join(sorted(verbs))}\n")
        body = await request.read()
        try:
            arguments = json.loads(body) if body else {}
            inspect.signature(verb).bind(**arguments)
            return web.json_response(plain(await verb(**arguments)))
        except (TypeError, ValueError, LookupError) as error:
            return web.Response(status=400, text=f"{type(error).__name__}: {error}")

    async def tell(_: web.Request) -> web.Response:
        return web.json_response(plain(state()))

    async def render(request: web.Request) -> web.Response:
        try:
            return web.Response(text=transcript(request.query["channel"]))
        except LookupError as error:
            return web.Response(status=404, text=f"{error}\n")

    app.router.add_get("/control/state", tell)
    app.router.add_get("/control/transcript", render)
    app.router.add_post("/control/{verb}", act)
