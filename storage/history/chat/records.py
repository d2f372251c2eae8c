"""What crosses the border of the chat store. Nothing of a platform and nobody's words are in a `repr`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Platform = Literal["slack", "telegram"]
Consent = Literal["unasked", "given", "withdrawn"]
PartKind = Literal["post", "edit", "file"]
Final = Literal["answered", "abstained", "apologised"]
Scope = Literal["last", "conversation", "everything"]
Over = Literal["person", "workspace", "conversation"]

# Names of parts, each with a number behind it: what says that an answer was wrong, and the edits of its
# messages, which lapse where these are gone.
CORRECTION, WITHDRAWN = "correction", "withdrawn"


def owner_of(person: int) -> str:
    """The `person` of somebody's runs."""
    return f"person:{person}"


@dataclass(frozen=True, slots=True)
class Workspace:
    """A Slack workspace or a Telegram bot; `external_id` is the platform's."""

    id: int
    platform: Platform
    external_id: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """Where to answer: a channel or chat, and a thread or topic in it. `shared` has slower limits."""

    chat: str = field(repr=False)
    thread: str | None = field(default=None, repr=False)
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody sent. `key` is what the platform repeats when it delivers twice: Telegram's update id,
    Slack's channel and ts. `message` is its id in the chat (Slack's ts), by which edits and deletes name it;
    None for a command, a click, or a question asked anew, since one message is one question.
    """

    workspace: int
    key: str = field(repr=False)
    sender: str = field(repr=False)
    place: Place
    text: str = field(default="", repr=False)
    message: str | None = field(default=None, repr=False)
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Person:
    id: int
    consent: Consent
    consent_at: datetime | None
    language: str | None


@dataclass(frozen=True, slots=True)
class Budget:
    """Questions a day (UTC) of a person and of a workspace, and a minute in a conversation, None for any."""

    person: int
    workspace: int
    minute: int | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """`new` is False for a repeated delivery, for which nothing was done. `over`: whose budget is spent."""

    new: bool
    question: int | None = None
    conversation: int | None = None
    person: int | None = None
    over: Over | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One message to send. `name` is unique for what it replies to; an edit changes the post of `target`."""

    name: str
    body: Mapping[str, Any] = field(repr=False)
    kind: PartKind = "post"
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A question that this worker answers. `answer` is set when it was stored before a crash: send that.

    `attempt` counts claims, from 1. `owner` is the `person` of the run.
    """

    question: int
    attempt: int
    revision: int
    workspace: int
    conversation: int
    person: int
    owner: str
    text: str = field(repr=False)
    language: str | None
    answer: dict[str, Any] | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Pending:
    """A question for which somebody waits, or has waited until just now. `message` is the question's, and
    `posted` the time at which we last posted anything in its conversation."""

    workspace: int
    place: Place
    message: str | None = field(repr=False)
    language: str | None
    posted: datetime | None


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of a conversation, and what `ask --json` would have printed, once there is one."""

    question: int
    person: int | None
    text: str = field(repr=False)
    answer: dict[str, Any] | None = field(repr=False)
    asked_at: datetime
    withdrawn_at: datetime | None = None  # the person was told that the answer is wrong
    corrected: str | None = field(default=None, repr=False)  # by a reviewer; counts where it was withdrawn

    @property
    def owner(self) -> str:
        """As `Claim.owner`; somebody who was erased equals nobody."""
        return owner_of(self.person) if self.person is not None else f"nobody:{self.question}"


@dataclass(frozen=True, slots=True)
class Opinion:
    """What somebody thinks of an answer, by its run id; `reason` is a code."""

    answer: str
    helpful: bool
    reason: str | None
    given_at: datetime


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds from one message to the next: in a private chat, in a shared one, and of a whole workspace."""

    private: float
    shared: float
    overall: float = 0.0


@dataclass(frozen=True, slots=True)
class Delivery:
    """A part to send now. `message` is the post to edit, or None: then it is posted anew. `reply_to` is the
    question's message. With `again`, an earlier sender may have died after it had posted: look first, where
    the platform lets you. `age`: seconds since what it replies to was received.
    """

    id: int
    lane: int
    workspace: int
    inbox: int
    name: str
    kind: PartKind
    body: dict[str, Any] = field(repr=False)
    place: Place
    message: str | None = field(repr=False)
    reply_to: str | None = field(repr=False)
    attempt: int
    again: bool
    spacing: float
    age: float = field(default=0.0, compare=False)

    @property
    def lapses(self) -> bool:
        """An edit that is not posted anew where its message is gone."""
        return self.name.startswith(f"{WITHDRAWN} ")


@dataclass(frozen=True, slots=True)
class Post:
    """A message of ours that the platform still shows."""

    place: Place
    message: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Erased:
    """How much went, and what remains: tombstones without content, so that a repeated delivery is not
    answered anew; `running` jobs, which hold ids and end by themselves; `posts` that the platform shows; and
    files of so many `exports`, with whoever asked for them. Backups are not reached.
    """

    tombstones: int = 0  # questions, commands and refused messages
    runs: int = 0
    parts: int = 0
    jobs: int = 0
    people: int = 0
    running: int = 0
    posts: tuple[Post, ...] = ()
    exports: int = 0
