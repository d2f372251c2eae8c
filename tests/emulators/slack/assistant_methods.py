"""The sign of work, titles, prompts, and sessions of agents. Both kinds of status share one place."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tests.emulators.slack import limits
from tests.emulators.slack.chat_methods import Method, Reply
from tests.emulators.slack.replies import Arguments, Refused, channel_of, insist, required
from tests.emulators.slack.state import Status, Workspace

if TYPE_CHECKING:
    from tests.emulators.slack.server import SlackServer

_STATES = ("active", "processing", "suspended", "closed")
_LOADING = 10


def set_status(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    channel = channel_of(workspace, arguments, "channel_id")
    (thread,) = required(arguments, "thread_ts")
    status, loading = arguments.get("status"), arguments.get("loading_messages") or []
    if not isinstance(status, str) or len(loading) > _LOADING:
        raise Refused("invalid_arguments")
    channel.statuses.setdefault(thread, []).append(Status(status, time.monotonic(), loading))
    return {}


def set_title(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    channel = channel_of(workspace, arguments, "channel_id")
    thread, title = required(arguments, "thread_ts", "title")
    channel.titles[thread] = title
    return {}


def set_prompts(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    """With a thread, nothing is shown in an app of the agent experience, and nothing is said about it."""
    channel = channel_of(workspace, arguments, "channel_id")
    prompts = arguments.get("prompts") or []
    insist(limits.check_prompts(prompts))
    if not arguments.get("thread_ts"):
        channel.prompts = prompts
    return {}


def set_session(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    channel = channel_of(workspace, arguments, "channel_id")
    thread, state = required(arguments, "thread_ts", "status")
    title = arguments.get("title")
    if state not in _STATES or (title and limits.length_of(title) > limits.TITLE):
        raise Refused("invalid_arguments")
    if title and thread not in channel.sessions:
        channel.titles[thread] = title
    channel.sessions[thread] = state
    text = "processing" if state == "processing" else ""
    channel.statuses.setdefault(thread, []).append(Status(text, time.monotonic()))
    return {"status": "ok", "agent_status": state, "title": channel.titles.get(thread)}


def rename_session(server: SlackServer, workspace: Workspace, arguments: Arguments) -> Reply:
    channel = channel_of(workspace, arguments, "channel_id")
    thread, title = required(arguments, "thread_ts", "title")
    if thread not in channel.sessions:
        raise Refused("session_not_found")
    if limits.length_of(title) > limits.TITLE:
        raise Refused("invalid_arguments")
    channel.titles[thread] = title
    return {"title": title}


METHODS: dict[str, Method] = {
    "assistant.threads.setStatus": set_status,
    "assistant.threads.setTitle": set_title,
    "assistant.threads.setSuggestedPrompts": set_prompts,
    "agents.sessions.setStatus": set_session,
    "agents.sessions.rename": rename_session,
}
