"""Modals and home tabs. A trigger opens one modal, within three seconds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tests.emulators.slack import limits
from tests.emulators.slack.chat_methods import Method, Reply
from tests.emulators.slack.replies import Arguments, Refused, insist, required
from tests.emulators.slack.state import View, Workspace

if TYPE_CHECKING:
    from tests.emulators.slack.server import SlackServer

_TRIGGER = 3.0


def shown(workspace: Workspace, view: View) -> dict[str, Any]:
    """A view as the API and interactions show it."""
    return view.content | {
        "id": view.id,
        "team_id": workspace.id,
        "hash": view.hash,
        "state": {"values": {}},
        "bot_id": workspace.bot_id,
        "app_id": "A1",
        "root_view_id": view.id,
        "previous_view_id": None,
    }


def _content(arguments: Arguments, kind: str) -> dict[str, Any]:
    (content,) = required(arguments, "view")
    if not isinstance(content, dict) or content.get("type") != kind:
        raise Refused("invalid_arguments", (f"[ERROR] must be a {kind} [json-pointer:/view/type]",))
    insist(limits.check_view(content))
    return content


def open_view(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    (trigger,) = required(arguments, "trigger_id")
    content = _content(arguments, "modal")
    user, at, used = server.triggers.get(trigger, (None, 0.0, False))
    if user is None:
        raise Refused("invalid_trigger_id")
    if used:
        raise Refused("exchanged_trigger_id")
    if time.monotonic() - at > _TRIGGER:
        raise Refused("expired_trigger_id")
    server.triggers[trigger] = user, at, True
    view = View(f"V{len(workspace.views) + 1}", user, content, server.clock.stamp())
    workspace.views[view.id] = view
    return {"view": shown(workspace, view)}


def update_view(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    (wanted,) = required(arguments, "view_id")
    view = workspace.views.get(wanted)
    if view is None or view.closed:
        raise Refused("not_found")
    if arguments.get("hash") not in (None, view.hash):
        raise Refused("hash_conflict")
    view.content, view.hash = _content(arguments, "modal"), server.clock.stamp()
    return {"view": shown(workspace, view)}


def publish_home(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    (user,) = required(arguments, "user_id")
    if user not in workspace.people:
        raise Refused("invalid_arguments")
    known = workspace.homes.get(user)
    if known and arguments.get("hash") not in (None, known.hash):
        raise Refused("hash_conflict")
    view = View(f"VH{user}", user, _content(arguments, "home"), server.clock.stamp())
    workspace.homes[user] = view
    return {"view": shown(workspace, view)}


METHODS: dict[str, Method] = {
    "views.open": open_view,
    "views.push": open_view,
    "views.update": update_view,
    "views.publish": publish_home,
}
