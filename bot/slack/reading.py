"""What Slack sends becomes something that somebody did, or nothing for us.

In a direct chat everything is for us; elsewhere a mention, and what people say in threads of ours unless it
begins with a mention of somebody else. Other bots, our own echoes, links that unfold and messages about the
channel are passed over. One post comes as app_mention and as message, with one key; only the message may tell
what is attached.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.intake import Edited, Incoming, Joined, Said
from bot.slack.accounts import Account
from bot.slack.errors import EventUnreadable
from bot.slack.texts import is_for_somebody_else, mentions, words_of
from storage.history.chat import Chat, Message, Place

Raw = Mapping[str, Any]
_POSTS = (None, "file_share", "thread_broadcast", "me_message")
_FRESH = 3600.0  # seconds from a message to an edit that may come before it, our choice


@dataclass(frozen=True, slots=True)
class Deleted:
    """Somebody deleted a message that was for us."""

    message: Message


@dataclass(frozen=True, slots=True)
class Opened:
    """Somebody opened our home tab, or begins a talk with us (`messages`, in a thread of the older kind)."""

    person: str
    channel: str
    tab: str
    thread: str | None = None


@dataclass(frozen=True, slots=True)
class Uninstalled:
    """The app was removed from the workspace."""


Heard = Incoming | Deleted | Opened | Uninstalled


@dataclass(frozen=True, slots=True)
class Reader:
    chat: Chat
    account: Account

    async def read_event(self, event: Raw) -> Heard | None:
        """None where it is nothing for us. Raises EventUnreadable, and tells nothing of what is in it, and
        StorageError."""
        try:
            match event["type"]:
                case "app_mention" | "message":
                    return await self._read_message(event)
                case "member_joined_channel" if event["user"] == self.account.user:
                    place = Place(str(event["channel"]), None, True)
                    key = f"joined:{place.chat}:{event['event_ts']}"
                    sender = str(event.get("inviter") or event["user"])
                    return Joined(Message(self.account.workspace, key, sender, place), hears_all=True)
                case "app_home_opened":
                    return Opened(str(event["user"]), str(event["channel"]), str(event["tab"]))
                case "assistant_thread_started":
                    thread = event["assistant_thread"]
                    person, channel = str(thread["user_id"]), str(thread["channel_id"])
                    return Opened(person, channel, "messages", str(thread["thread_ts"]))
                case "app_uninstalled":
                    return Uninstalled()
        except (KeyError, TypeError, ValueError, AttributeError):
            raise EventUnreadable from None
        return None

    async def _read_message(self, event: Raw) -> Heard | None:
        subtype = event.get("subtype")
        channel = str(event["channel"])
        if subtype == "message_changed":
            return await self._read_change(channel, event)
        if subtype == "message_deleted":
            before = event.get("previous_message")
            sent = self._read_sent(channel, before) if before else None
            return Deleted(sent) if sent and await self._is_for_us(sent.place, before or {}) else None
        if subtype not in _POSTS:
            return None
        sent = self._read_sent(channel, event)
        if sent is None or not await self._is_for_us(sent.place, event):
            return None
        if event["type"] == "app_mention" and not (sent.text or event.get("files")):
            return None  # the message tells whether there is something else
        shared = any(one.get("is_share") for one in event.get("attachments") or [])
        if shared and not sent.text:
            return Said(sent, "forwarded")
        return Said(sent, "media" if shared or event.get("files") else None)

    async def _read_change(self, channel: str, event: Raw) -> Heard | None:
        """A link that unfolds changes no word. The edit of a fresh message may come before it, and may be
        what mentions us, so it stands for the message too."""
        after, before = event["message"], event.get("previous_message") or {}
        sent = self._read_sent(channel, after)
        if sent is None or after.get("text") == before.get("text"):
            return None
        if not (await self._is_for_us(sent.place, after) or await self._is_for_us(sent.place, before)):
            return None
        edit = Message(
            sent.workspace,
            f"{sent.key}:{event['ts']}",
            sent.sender,
            sent.place,
            sent.text,
            sent.message,
        )
        fresh = float(event["ts"]) - float(after["ts"]) < _FRESH
        return Edited(edit, unheard=sent if fresh else None)

    def _read_sent(self, channel: str, raw: Raw) -> Message | None:
        """None where no person wrote it."""
        user, me = raw.get("user"), self.account
        if not user or user in (me.user, "USLACKBOT") or raw.get("bot_id") or raw.get("bot_profile"):
            return None
        if raw.get("subtype") not in _POSTS:
            return None
        ts, direct = str(raw["ts"]), is_direct(channel)
        thread = raw.get("thread_ts") or (None if direct else ts)
        place = Place(channel, None if thread is None else str(thread), shared=not direct)
        text = words_of(str(raw.get("text") or ""), me.user)
        return Message(me.workspace, f"{channel}:{ts}", str(user), place, text, ts)

    async def _is_for_us(self, place: Place, raw: Raw) -> bool:
        text, me = str(raw.get("text") or ""), self.account.user
        if not place.shared or mentions(text, me):
            return True
        if place.thread == raw.get("ts") or is_for_somebody_else(text, me):
            return False
        return await self.chat.conversations.knows(self.account.workspace, place)


def is_direct(channel: str) -> bool:
    """A chat of one person with us."""
    return channel.startswith("D")
