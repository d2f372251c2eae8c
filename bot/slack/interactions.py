"""Clicks, slash commands and the shortcut on a message: sent once, to one workspace, by one person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.intake import Clicked, Commanded
from bot.slack.door import about_of
from bot.slack.errors import EventUnreadable
from bot.slack.reading import is_direct
from bot.slack.texts import words_of
from storage.history.chat import Chat, Message, Place

Raw = Mapping[str, Any]
_PREFIX = "carecite-"  # for workspaces where another app has the name
_AGAIN = "again"  # asks something once, however often it is clicked


def read_command(body: Raw, workspace: int, me: str, place: Place) -> Commanded:
    """What a slash command says; it is answered in `place`, the person's own chat with us, wherever it was
    typed, since nobody else is to read it. Raises EventUnreadable."""
    try:
        name = str(body["command"]).removeprefix("/").lower().removeprefix(_PREFIX)
        key = f"slash:{body['trigger_id']}"
        text = words_of(str(body.get("text") or ""), me)
        message = Message(workspace, key, str(body["user_id"]), place, text)
    except (KeyError, TypeError):
        raise EventUnreadable from None
    return Commanded(message, name)


async def read_click(body: Raw, chat: Chat, workspace: int) -> Clicked | None:
    """A button below a message of ours. None for one of a home tab or of nothing. Raises EventUnreadable."""
    try:
        action, container = body["actions"][0], body["container"]
        data = action.get("value")
        if container["type"] != "message" or not data:
            return None
        channel, ts, person = (
            str(container["channel_id"]),
            str(container["message_ts"]),
            str(body["user"]["id"]),
        )
        thread = (body.get("message") or {}).get("thread_ts") or container.get("thread_ts")
        place = Place(channel, str(thread) if thread else None, shared=not is_direct(channel))
        moment = "" if data == _AGAIN else f":{action['action_ts']}"
        key = f"click:{channel}:{ts}:{person}:{data}{moment}"
        asked = about_of(action.get("block_id"))
    except (KeyError, IndexError, TypeError, AttributeError):
        raise EventUnreadable from None
    message = Message(workspace, key, person, place)
    about = await _read_about(chat, message, asked) if asked and data == _AGAIN else None
    return Clicked(message, str(data), about)


def whisper_of(body: Raw) -> str | None:
    """Where the whisper below which a click came can be replaced; None for a message that all see."""
    container, address = body.get("container"), body.get("response_url")
    whispered = isinstance(container, Mapping) and container.get("is_ephemeral")
    return str(address) if whispered and address else None


async def _read_about(chat: Chat, clicked: Message, asked: str) -> Message | None:
    """The question as it was edited. Slack's click does not bring it, so it is the one that is kept; somebody
    else's has no words here, and nobody as its sender."""
    found = await chat.conversations.reworded(clicked.workspace, clicked.sender, clicked.place, asked)
    if found is None:
        return None
    sender = clicked.sender if found.own else ""
    return Message(clicked.workspace, "", sender, clicked.place, found.text, asked)
