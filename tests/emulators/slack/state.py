"""What a Slack of a few workspaces holds: people, channels, messages, streams, views, files. Plain data."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

Blocks = list[dict[str, Any]]


@dataclass(slots=True)
class Version:
    """What a message said before an edit."""

    text: str
    blocks: Blocks
    at: float


@dataclass(slots=True)
class Stream:
    """`state` is open, closed or expired; `appends` counts calls of chat.appendStream."""

    started: float
    recipient: str | None
    state: str = "open"
    appends: int = 0
    tasks: Blocks = field(default_factory=list)  # chunks that are no text


@dataclass(slots=True)
class Message:
    """`at` is on the emulator's clock; `author` a user id, which for a bot is its bot user's."""

    ts: str
    channel: str
    author: str
    text: str
    at: float
    blocks: Blocks = field(default_factory=list)
    bot_id: str | None = None
    thread_ts: str | None = None
    metadata: dict[str, Any] | None = None
    files: list[str] = field(default_factory=list)
    reactions: dict[str, list[str]] = field(default_factory=dict)
    edits: list[Version] = field(default_factory=list)
    stream: Stream | None = None
    ephemeral_to: str | None = None
    deleted: bool = False
    subtype: str | None = None
    unfurl: bool = True

    @property
    def thread(self) -> str:
        return self.thread_ts or self.ts


@dataclass(slots=True)
class Status:
    """The sign of work in a thread; an empty text is a cleared one."""

    text: str
    at: float
    loading: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Channel:
    """`kind` is channel, group, im or mpim. Statuses, titles and sessions are by thread."""

    id: str
    kind: str
    name: str
    members: set[str] = field(default_factory=set)
    messages: list[Message] = field(default_factory=list)
    statuses: dict[str, list[Status]] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    prompts: list[dict[str, Any]] = field(default_factory=list)

    @property
    def private(self) -> bool:
        return self.kind == "im"

    def find(self, ts: object) -> Message | None:
        return next((one for one in self.messages if one.ts == ts and not one.deleted), None)

    def status(self, thread: str) -> str:
        """What a thread shows now; it lapses two minutes after it was set."""
        last = self.statuses.get(thread, [])[-1:]
        return last[0].text if last and time.monotonic() - last[0].at < 120 else ""


@dataclass(slots=True)
class Person:
    id: str
    name: str
    locale: str = "en-US"
    bot: bool = False


@dataclass(slots=True)
class View:
    """A modal or home tab; `closed` once it was submitted or closed, `errors` after a refused submission."""

    id: str
    user: str
    content: dict[str, Any]
    hash: str
    closed: bool = False
    errors: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class File:
    id: str
    name: str
    content: bytes = b""
    title: str = ""
    channel: str | None = None
    deleted: bool = False


@dataclass(slots=True)
class Workspace:
    """`token` is the bot's; `installed` ends with an uninstall."""

    id: str
    name: str
    token: str
    bot_user: str
    bot_id: str
    installed: bool = True
    people: dict[str, Person] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    homes: dict[str, View] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)

    def messages(self) -> list[Message]:
        """All that was said, in the order of time."""
        return sorted(
            (one for channel in self.channels.values() for one in channel.messages), key=lambda one: one.ts
        )

    def direct(self, user: str) -> Channel:
        """The conversation of a person with the bot, made when it is first asked for."""
        for channel in self.channels.values():
            if channel.kind == "im" and user in channel.members:
                return channel
        channel = Channel(f"D{user[1:]}", "im", self.people[user].name, {user, self.bot_user})
        self.channels[channel.id] = channel
        return channel


@dataclass(slots=True)
class Clock:
    """Timestamps as Slack makes them: seconds and a number, unique and ascending."""

    _last: float = 0.0

    def stamp(self) -> str:
        self._last = max(time.time(), self._last + 1e-6)
        return f"{self._last:.6f}"
