"""Payloads of the Events API, of interactions and of slash commands."""

from __future__ import annotations

import itertools
import time
from typing import Any

from tests.emulators.slack.replies import as_json
from tests.emulators.slack.state import Channel, Message, Workspace

APP = "A1"
VERIFICATION = "verification-4711"
_TYPES = {"channel": "channel", "group": "group", "im": "im", "mpim": "mpim"}
_numbers = itertools.count(1)


def callback(workspace: Workspace, event: dict[str, Any]) -> dict[str, Any]:
    """The outer envelope; each has an event_id of its own."""
    return {
        "token": VERIFICATION,
        "team_id": workspace.id,
        "context_team_id": workspace.id,
        "api_app_id": APP,
        "event": event,
        "type": "event_callback",
        "event_id": f"Ev{next(_numbers):08d}",
        "event_time": int(time.time()),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": workspace.id,
                "user_id": workspace.bot_user,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
        "event_context": f"4-{next(_numbers)}",
    }


def posted(workspace: Workspace, channel: Channel, message: Message, ts: str | None = None) -> dict[str, Any]:
    """A message was posted."""
    where = {"channel": channel.id, "channel_type": _TYPES[channel.kind], "event_ts": ts or message.ts}
    return as_json(workspace, message) | where | _parent(channel, message)


def _parent(channel: Channel, message: Message) -> dict[str, Any]:
    parent = channel.find(message.thread_ts) if message.thread_ts else None
    return {"parent_user_id": parent.author} if parent else {}


def mentioned(workspace: Workspace, channel: Channel, message: Message) -> dict[str, Any]:
    """The same post as app_mention."""
    event = posted(workspace, channel, message) | {"type": "app_mention"}
    event.pop("channel_type")
    return event


def changed(
    workspace: Workspace, channel: Channel, before: dict[str, Any], after: Message, ts: str
) -> dict[str, Any]:
    """A message was edited, or its links were unfolded."""
    return {
        "type": "message",
        "subtype": "message_changed",
        "message": as_json(workspace, after),
        "previous_message": before,
        "channel": channel.id,
        "hidden": True,
        "ts": ts,
        "event_ts": ts,
        "channel_type": _TYPES[channel.kind],
    }


def deleted(workspace: Workspace, channel: Channel, message: Message, ts: str) -> dict[str, Any]:
    return {
        "type": "message",
        "subtype": "message_deleted",
        "previous_message": as_json(workspace, message),
        "deleted_ts": message.ts,
        "channel": channel.id,
        "hidden": True,
        "ts": ts,
        "event_ts": ts,
        "channel_type": _TYPES[channel.kind],
    }


def interaction(workspace: Workspace, user: str, kind: str, **more: Any) -> dict[str, Any]:
    """A click, a shortcut or a submitted view."""
    return {
        "type": kind,
        "team": {"id": workspace.id, "domain": workspace.name},
        "user": {"id": user, "username": user, "name": user, "team_id": workspace.id},
        "api_app_id": APP,
        "token": VERIFICATION,
        "enterprise": None,
        "is_enterprise_install": False,
    } | more


def slash(
    workspace: Workspace, user: str, channel: Channel, command: str, text: str, **more: Any
) -> dict[str, Any]:
    return {
        "token": VERIFICATION,
        "team_id": workspace.id,
        "team_domain": workspace.name,
        "channel_id": channel.id,
        "channel_name": channel.name,
        "user_id": user,
        "user_name": user,
        "command": command,
        "text": text,
        "api_app_id": APP,
        "is_enterprise_install": "false",
    } | more
