"""Arguments of a Bot API call: query, form, multipart or JSON, with structures decoded; and replies."""

from __future__ import annotations

import json
from typing import Any

from aiohttp import web
from aiohttp.web_request import FileField

from tests.emulators.telegram.refusals import Refusal, Refused
from tests.emulators.telegram.state import Chat, State

_STRUCTURES = {
    *("entities", "caption_entities", "reply_markup", "reply_parameters", "link_preview_options"),
    *("allowed_updates", "commands", "scope", "rich_message", "message_ids", "reaction", "menu_button"),
}


async def read_arguments(request: web.Request) -> dict[str, Any]:
    """By name; an uploaded file is a pair of name and bytes."""
    arguments: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        try:
            body = json.loads(await request.text() or "{}")
        except ValueError:
            raise Refused("Bad Request: can't parse JSON object") from None
        arguments |= body if isinstance(body, dict) else {}
    elif request.method == "POST":
        for name, value in (await request.post()).items():
            is_file = isinstance(value, FileField)
            arguments[name] = (value.filename, value.file.read()) if is_file else value  # type: ignore[union-attr]
    for name in _STRUCTURES & arguments.keys():
        if isinstance(arguments[name], str) and arguments[name]:
            try:
                arguments[name] = json.loads(arguments[name])
            except ValueError:
                raise Refused(f"Bad Request: can't parse {name} JSON object") from None
    return arguments


def yes(result: Any) -> web.Response:
    return web.json_response({"ok": True, "result": result})


def no(refusal: Refusal) -> web.Response:
    """With the status that the code says, and Retry-After beside its parameter."""
    reply: dict[str, Any] = {"ok": False, "error_code": refusal.code, "description": refusal.description}
    headers = {}
    if refusal.retry_after is not None:
        reply["parameters"] = {"retry_after": refusal.retry_after}
        headers["Retry-After"] = str(refusal.retry_after)
    if refusal.migrate_to is not None:
        reply["parameters"] = {"migrate_to_chat_id": refusal.migrate_to}
    return web.json_response(reply, status=refusal.code, headers=headers)


def too_many(seconds: int) -> Refusal:
    return Refusal(f"Too Many Requests: retry after {seconds}", 429, retry_after=seconds)


def is_true(value: object) -> bool:
    """A flag, as libraries send it."""
    return value in (True, "true", "True", "1", 1)


def whole(arguments: dict[str, Any], name: str, default: int = 0) -> int:
    try:
        return int(arguments.get(name) or default)
    except (TypeError, ValueError):
        raise Refused(f"Bad Request: {name} must be an integer") from None


def chat_of(state: State, arguments: dict[str, Any]) -> Chat:
    """The chat that is named, if the bot may write there."""
    wanted = arguments.get("chat_id")
    if wanted in (None, ""):
        raise Refused("Bad Request: chat_id is empty")
    chat = state.chats.get(whole(arguments, "chat_id"))
    if chat is None:
        known = whole(arguments, "chat_id") in state.users
        silent = Refusal("Forbidden: bot can't initiate conversation with a user", 403)
        raise Refused(silent if known else Refusal("Bad Request: chat not found"))
    if chat.migrated_to is not None:
        upgraded = "Bad Request: group chat was upgraded to a supergroup chat"
        raise Refused(Refusal(upgraded, migrate_to=chat.migrated_to))
    if chat.barred:
        raise Refused(Refusal(f"Forbidden: {chat.barred}", 403))
    return chat
