"""Arguments of a Web API call: from the query, a form or JSON, with structures decoded."""

from __future__ import annotations

import json
from typing import Any

from aiohttp import web

from tests.emulators.slack.replies import Refused

_STRUCTURES = {"blocks", "attachments", "chunks", "view", "prompts", "metadata", "loading_messages", "files"}


async def read_arguments(request: web.Request) -> dict[str, Any]:
    """By name; raises Refused where the body is not what its type says."""
    arguments: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        try:
            body = json.loads(await request.text() or "{}")
        except ValueError:
            raise Refused("invalid_json") from None
        if not isinstance(body, dict):
            raise Refused("json_not_object")
        arguments |= body
    elif request.method == "POST":
        arguments |= dict(await request.post())
    for name in _STRUCTURES & arguments.keys():
        if isinstance(arguments[name], str) and arguments[name]:
            try:
                arguments[name] = json.loads(arguments[name])
            except ValueError:
                raise Refused(f"invalid_{name}_format" if name == "blocks" else "invalid_arguments") from None
    return arguments


def token_of(request: web.Request, arguments: dict[str, Any]) -> str | None:
    """From the header or the arguments."""
    header = request.headers.get("Authorization", "")
    return header.removeprefix("Bearer ") if header.startswith("Bearer ") else arguments.get("token")
