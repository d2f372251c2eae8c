"""chat.startStream, appendStream and stopStream. A stream ends by itself after its lifetime."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tests.emulators.slack import events, limits
from tests.emulators.slack.chat_methods import Method, Reply, compose, publish
from tests.emulators.slack.replies import (
    Arguments,
    Refused,
    as_json,
    channel_of,
    insist,
    own_message,
    required,
)
from tests.emulators.slack.state import Message, Status, Stream, Workspace

if TYPE_CHECKING:
    from tests.emulators.slack.server import SlackServer


def start(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    channel = channel_of(workspace, arguments)
    required(arguments, "thread_ts")
    user, team = arguments.get("recipient_user_id"), arguments.get("recipient_team_id")
    insist(limits.check_recipient(private=channel.private, user=user, team=team))
    if user and user not in workspace.people:
        raise Refused("user_not_found")
    unknown = dict.fromkeys(("markdown_text", "text", "metadata"))
    message = compose(server, workspace, channel, {**arguments, **unknown})
    message.stream = Stream(time.monotonic(), user)
    _add(message, arguments)
    publish(server, workspace, channel, message)
    return {"channel": channel.id, "ts": message.ts}


def append(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    message, stream = _open_stream(server, workspace, arguments)
    if not arguments.get("markdown_text") and not arguments.get("chunks"):
        raise Refused("no_text")
    _add(message, arguments)
    stream.appends += 1
    return {"channel": message.channel, "ts": message.ts}


def stop(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    message, stream = _open_stream(server, workspace, arguments)
    blocks = arguments.get("blocks") or []
    insist(limits.check_blocks(blocks))
    status = arguments.get("session_status")
    if status is not None and status not in ("active", "processing", "suspended", "closed"):
        raise Refused("invalid_arguments")
    before = as_json(workspace, message)
    _add(message, arguments)
    message.blocks, stream.state = blocks, "closed"
    message.metadata = arguments.get("metadata") or message.metadata
    channel = workspace.channels[message.channel]
    if status:
        channel.sessions[message.thread] = status
    if channel.status(message.thread):
        channel.statuses[message.thread].append(Status("", time.monotonic()))
    if server.echo:
        server.emit(workspace, events.changed(workspace, channel, before, message, server.clock.stamp()))
    return {"channel": channel.id, "ts": message.ts, "message": as_json(workspace, message)}


def _add(message: Message, arguments: Arguments) -> None:
    """The text of one call. What it adds up to has no limit here, since none is documented."""
    text, chunks = arguments.get("markdown_text"), arguments.get("chunks") or []
    insist(limits.check_stream_part(text, chunks))
    message.text += (text or "") + "".join(one["text"] for one in chunks if one["type"] == "markdown_text")
    assert message.stream is not None
    message.stream.tasks += [one for one in chunks if one["type"] != "markdown_text"]


def _open_stream(server: SlackServer, workspace: Workspace, arguments: Arguments) -> tuple[Message, Stream]:
    channel = channel_of(workspace, arguments)
    (ts,) = required(arguments, "ts")
    message = own_message(workspace, channel, ts, "message_not_owned_by_app")
    stream = message.stream
    if stream and stream.state == "open":
        if limits.has_expired(stream.started, time.monotonic(), server.stream_lifetime):
            stream.state = "expired"
        else:
            return message, stream
    raise Refused("message_not_in_streaming_state")


METHODS: dict[str, Method] = {
    "chat.startStream": start,
    "chat.appendStream": append,
    "chat.stopStream": stop,
}
