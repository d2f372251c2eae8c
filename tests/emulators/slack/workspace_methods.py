"""auth.*, users.*, conversations.*, files.*, and the installation of the app."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.emulators.slack import limits
from tests.emulators.slack.chat_methods import Method, Reply, compose, publish
from tests.emulators.slack.replies import Arguments, Refused, as_json, channel_of, insist, required
from tests.emulators.slack.state import Channel, File, Message, Person, Workspace

if TYPE_CHECKING:
    from tests.emulators.slack.server import SlackServer


def test(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    return {
        "url": f"https://{workspace.name}.slack.com/",
        "team": workspace.name,
        "team_id": workspace.id,
        "user": "carecite",
        "user_id": workspace.bot_user,
        "bot_id": workspace.bot_id,
        "is_enterprise_install": False,
    }


def uninstall(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    server.uninstalled(workspace)
    return {"revoked": True}


def _user(workspace: Workspace, person: Person) -> dict[str, Any]:
    names = {"real_name": person.name, "display_name": person.name, "team": workspace.id}
    return {
        "id": person.id,
        "team_id": workspace.id,
        "name": person.name,
        "is_bot": person.bot,
        "deleted": False,
        "locale": person.locale,
        "tz": "Etc/UTC",
        "profile": names,
    }


def user_info(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    (wanted,) = required(arguments, "user")
    if wanted not in workspace.people:
        raise Refused("user_not_found")
    shown = _user(workspace, workspace.people[wanted])
    if arguments.get("include_locale") not in (True, "true", "1"):
        shown.pop("locale")
    return {"user": shown}


def user_list(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    return {"members": [_user(workspace, person) for person in workspace.people.values()]}


def team_info(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    return {"team": {"id": workspace.id, "name": workspace.name, "domain": workspace.name}}


def _channel(workspace: Workspace, channel: Channel) -> dict[str, Any]:
    return {
        "id": channel.id,
        "name": channel.name,
        "is_channel": channel.kind == "channel",
        "is_group": channel.kind == "group",
        "is_im": channel.kind == "im",
        "is_mpim": channel.kind == "mpim",
        "is_private": channel.kind != "channel",
        "is_member": workspace.bot_user in channel.members,
    }


def channel_info(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    return {"channel": _channel(workspace, channel_of(workspace, arguments))}


def channel_list(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    return {"channels": [_channel(workspace, channel) for channel in workspace.channels.values()]}


def channel_open(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    (users,) = required(arguments, "users")
    wanted = [one.strip() for one in users.split(",")] if isinstance(users, str) else list(users)
    if len(wanted) != 1 or wanted[0] not in workspace.people:
        raise Refused("user_not_found")
    return {"channel": _channel(workspace, workspace.direct(wanted[0]))}


def replies(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    """A thread, oldest first; what begins it comes whatever `oldest` is."""
    channel = channel_of(workspace, arguments)
    (ts,) = required(arguments, "ts")
    found = [one for one in channel.messages if one.thread == ts and not (one.deleted or one.ephemeral_to)]
    if not found:
        raise Refused("thread_not_found")
    head, rest = found[:1], [one for one in found[1:] if one.ts > _oldest(arguments)]
    return _page(workspace, [*head, *rest], arguments)


def history(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    """A channel without its threads, newest first."""
    channel = channel_of(workspace, arguments)
    found = [
        one
        for one in reversed(channel.messages)
        if one.thread == one.ts and one.ts > _oldest(arguments) and not (one.deleted or one.ephemeral_to)
    ]
    return _page(workspace, found, arguments)


def _oldest(arguments: Arguments) -> str:
    return str(arguments.get("oldest") or "")


def _page(workspace: Workspace, found: list[Message], arguments: Arguments) -> Reply:
    """Metadata is shown where it is asked for."""
    limit = int(arguments.get("limit") or 100)
    shown = [as_json(workspace, one) for one in found[:limit]]
    if arguments.get("include_all_metadata") not in (True, "true", "True", "1"):
        for one in shown:
            one.pop("metadata", None)
    return {"messages": shown, "has_more": len(found) > limit}


def delete_file(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    """Where it was posted, nothing of it stays."""
    (wanted,) = required(arguments, "file")
    file = workspace.files.get(str(wanted))
    if file is None or file.deleted:
        raise Refused("file_not_found")
    file.content, file.deleted = b"", True
    for channel in workspace.channels.values():
        for message in channel.messages:
            message.files = [one for one in message.files if one != wanted]
            message.deleted = message.deleted or not (message.files or message.text or message.blocks)
    return {}


def upload_url(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    name, length = required(arguments, "filename", "length")
    if int(length) <= 0:
        raise Refused("invalid_arguments")
    file = File(f"F{len(workspace.files) + 1}", str(name))
    workspace.files[file.id] = file
    return {"upload_url": f"{server.address}/upload/{workspace.id}/{file.id}", "file_id": file.id}


def complete_upload(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    (files,) = required(arguments, "files")
    found = [workspace.files.get(one["id"]) for one in files]
    if any(one is None or not one.content for one in found):
        raise Refused("file_not_found")
    kept = [one for one in found if one is not None]
    for file, told in zip(kept, files, strict=True):
        file.title = told.get("title") or file.name
    where = arguments.get("channel_id") or arguments.get("channels")
    if where:
        channel = channel_of(workspace, {"channel": where})
        text = arguments.get("initial_comment") or ""
        message = compose(server, workspace, channel, {"thread_ts": arguments.get("thread_ts"), "text": text})
        insist(limits.check_post(text or "file"))
        message.files, message.subtype = [file.id for file in kept], "file_share"
        for file in kept:
            file.channel = channel.id
        publish(server, workspace, channel, message)
    return {"files": [{"id": file.id, "name": file.name, "title": file.title} for file in kept]}


METHODS: dict[str, Method] = {
    "auth.test": test,
    "auth.revoke": uninstall,
    "apps.uninstall": uninstall,
    "users.info": user_info,
    "users.list": user_list,
    "team.info": team_info,
    "conversations.info": channel_info,
    "conversations.list": channel_list,
    "conversations.open": channel_open,
    "conversations.history": history,
    "conversations.replies": replies,
    "files.delete": delete_file,
    "files.getUploadURLExternal": upload_url,
    "files.completeUploadExternal": complete_upload,
}
