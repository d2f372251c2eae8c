"""chat.* but for streams, and reactions."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.emulators.slack import events, limits
from tests.emulators.slack.replies import (
    Arguments,
    Refused,
    as_json,
    channel_of,
    insist,
    own_message,
    required,
)
from tests.emulators.slack.state import Channel, Message, Status, Version, Workspace

if TYPE_CHECKING:
    from tests.emulators.slack.server import SlackServer

Reply = dict[str, Any]
Method = Callable[["SlackServer", Workspace, Arguments], Reply]


def post_message(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    channel = channel_of(workspace, arguments)
    message = compose(server, workspace, channel, arguments)
    insist(
        limits.check_post(arguments.get("text"), message.blocks, markdown_text=arguments.get("markdown_text"))
    )
    publish(server, workspace, channel, message)
    return {"channel": channel.id, "ts": message.ts, "message": as_json(workspace, message)}


def compose(server: SlackServer, workspace: Workspace, channel: Channel, arguments: Arguments) -> Message:
    """A message of the bot, not yet there."""
    parent = arguments.get("thread_ts")
    if parent and channel.find(parent) is None:
        raise Refused("thread_not_found")
    text = str(arguments.get("markdown_text") or arguments.get("text") or "")
    blocks = arguments.get("blocks") or []
    if not isinstance(blocks, list):
        raise Refused("invalid_blocks_format")
    metadata = arguments.get("metadata")
    if metadata is not None and not (isinstance(metadata, dict) and metadata.get("event_type")):
        raise Refused("invalid_metadata_format")
    return Message(
        server.clock.stamp(),
        channel.id,
        workspace.bot_user,
        text[: limits.POST_TEXT],
        time.monotonic(),
        blocks,
        workspace.bot_id,
        parent,
        metadata,
        unfurl=arguments.get("unfurl_links") not in (False, "false", "0"),
    )


def publish(server: SlackServer, workspace: Workspace, channel: Channel, message: Message) -> None:
    """It is there: the thread's status goes, and the bot hears itself."""
    channel.messages.append(message)
    if channel.status(message.thread):
        channel.statuses[message.thread].append(Status("", time.monotonic()))
    if server.echo:
        server.emit(workspace, events.posted(workspace, channel, message))


def post_ephemeral(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    channel = channel_of(workspace, arguments)
    (user,) = required(arguments, "user")
    if user not in channel.members:
        raise Refused("user_not_in_channel")
    message = compose(server, workspace, channel, arguments)
    insist(
        limits.check_post(arguments.get("text"), message.blocks, markdown_text=arguments.get("markdown_text"))
    )
    message.ephemeral_to = user
    channel.messages.append(message)
    return {"message_ts": message.ts}


def update(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    """Blocks that are not given stay, as in Slack: a text alone then changes nothing that is seen."""
    channel = channel_of(workspace, arguments)
    (ts,) = required(arguments, "ts")
    message = own_message(workspace, channel, ts, "cant_update_message")
    if message.stream and message.stream.state == "open":
        raise Refused("streaming_state_conflict")
    blocks = message.blocks if arguments.get("blocks") is None else arguments["blocks"]
    text, marked = arguments.get("text"), arguments.get("markdown_text")
    insist(limits.check_update(text, blocks, markdown_text=marked))
    before = as_json(workspace, message)
    message.edits.append(Version(message.text, message.blocks, time.monotonic()))
    message.text = str(marked or text or "")
    message.blocks = [] if marked else blocks
    message.metadata = arguments.get("metadata") or message.metadata
    if server.echo:
        server.emit(workspace, events.changed(workspace, channel, before, message, server.clock.stamp()))
    return {
        "channel": channel.id,
        "ts": message.ts,
        "text": message.text,
        "message": as_json(workspace, message),
    }


def delete(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    channel = channel_of(workspace, arguments)
    (ts,) = required(arguments, "ts")
    message = own_message(workspace, channel, ts, "cant_delete_message")
    message.deleted = True
    if server.echo:
        server.emit(workspace, events.deleted(workspace, channel, message, server.clock.stamp()))
    return {"channel": channel.id, "ts": message.ts}


def permalink(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    channel = channel_of(workspace, arguments)
    (ts,) = required(arguments, "message_ts")
    if channel.find(ts) is None:
        raise Refused("message_not_found")
    link = f"https://{workspace.name}.slack.com/archives/{channel.id}/p{str(ts).replace('.', '')}"
    return {"channel": channel.id, "permalink": link}


def react(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    message, name = _reaction(workspace, arguments)
    people = message.reactions.setdefault(name, [])
    if workspace.bot_user in people:
        raise Refused("already_reacted")
    people.append(workspace.bot_user)
    return {}


def unreact(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    message, name = _reaction(workspace, arguments)
    if workspace.bot_user not in message.reactions.get(name, []):
        raise Refused("no_reaction")
    message.reactions[name].remove(workspace.bot_user)
    return {}


def _reaction(workspace: Workspace, arguments: Arguments) -> tuple[Message, str]:
    channel = channel_of(workspace, arguments)
    ts, name = required(arguments, "timestamp", "name")
    message = channel.find(ts)
    if message is None:
        raise Refused("message_not_found")
    return message, str(name)


METHODS: dict[str, Method] = {
    "chat.postMessage": post_message,
    "chat.postEphemeral": post_ephemeral,
    "chat.update": update,
    "chat.delete": delete,
    "chat.getPermalink": permalink,
    "reactions.add": react,
    "reactions.remove": unreact,
}
