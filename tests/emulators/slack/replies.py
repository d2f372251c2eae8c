"""How the Web API says no, and the shapes it says yes in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.emulators.slack.limits import Refusal
from tests.emulators.slack.state import Channel, Message, Workspace

Arguments = Mapping[str, Any]


class Refused(Exception):
    """A reply with `ok: false`."""

    def __init__(self, error: str, messages: tuple[str, ...] = (), **more: Any) -> None:
        self.error, self.messages, self.more = error, messages, more
        super().__init__(error)


def insist(refusal: Refusal | None) -> None:
    """Raise a refusal, if it is one."""
    if refusal is not None:
        raise Refused(refusal.error, refusal.messages)


def required(arguments: Arguments, *names: str) -> list[Any]:
    """The values of arguments that must be there."""
    missing = [name for name in names if arguments.get(name) in (None, "")]
    if missing:
        raise Refused(
            "invalid_arguments", tuple(f"[ERROR] missing required field: {name}" for name in missing)
        )
    return [arguments[name] for name in names]


def channel_of(workspace: Workspace, arguments: Arguments, name: str = "channel") -> Channel:
    """The channel that an argument names, or the direct conversation with a person; the bot must be in it."""
    (wanted,) = required(arguments, name)
    if wanted in workspace.people:
        return workspace.direct(wanted)
    channel = workspace.channels.get(str(wanted))
    if channel is None:
        raise Refused("channel_not_found")
    if workspace.bot_user not in channel.members:
        raise Refused("not_in_channel")
    return channel


def own_message(workspace: Workspace, channel: Channel, ts: object, refusal: str) -> Message:
    """A message of the bot's own."""
    message = channel.find(ts)
    if message is None:
        raise Refused("message_not_found")
    if message.bot_id != workspace.bot_id or message.ephemeral_to:
        raise Refused(refusal)
    return message


def as_json(workspace: Workspace, message: Message) -> dict[str, Any]:
    """A message as the API and events show it."""
    shown: dict[str, Any] = {
        "type": "message",
        "user": message.author,
        "text": message.text,
        "ts": message.ts,
        "team": workspace.id,
    }
    if message.bot_id:
        shown |= {"bot_id": message.bot_id, "app_id": "A1" if message.bot_id == workspace.bot_id else "A2"}
    optional = {
        "thread_ts": message.thread_ts,
        "blocks": message.blocks or None,
        "metadata": message.metadata,
        "subtype": message.subtype,
        "files": [{"id": one, "name": workspace.files[one].name} for one in message.files] or None,
        "edited": {"user": message.author, "ts": message.ts} if message.edits else None,
    }
    return shown | {name: value for name, value in optional.items() if value is not None}
