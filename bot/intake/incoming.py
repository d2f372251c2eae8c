"""What people do, as every platform tells it. A receiver makes these, and only of what is for us: nothing of
other bots, of our own, or of groups where nobody spoke to us.

`offset` is Telegram's next update; it is stored together with whatever becomes of this one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bot.render.look import Choice
from storage.history.chat import Message, Post

Obstacle = Literal["forwarded", "media"]


@dataclass(frozen=True, slots=True)
class Said:
    """A message; its text without our name and without markup. `forwarded`: somebody else's words. `media`:
    there is something that is not read, and the text (a caption) may be empty."""

    message: Message
    obstacle: Obstacle | None = None
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Commanded:
    """`name` without its slash, in small letters; what follows it is the text. `about` is the message that it
    replies to."""

    message: Message
    name: str
    about: Message | None = None
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Clicked:
    """A button of ours, whose `data` this is. `about` is the message below which the button stands, as it
    reads now, where the platform still has it: a question that is not kept."""

    message: Message
    data: str
    about: Message | None = None
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Edited:
    """New words of a message. `unheard` is the message as it reads now, where the platform may tell of the
    edit first, or of the edit alone."""

    message: Message
    offset: int | None = None
    unheard: Message | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    """We were put into a shared place, where we hear all, or only what is for us."""

    message: Message
    hears_all: bool
    offset: int | None = None


Incoming = Said | Commanded | Clicked | Edited | Joined


@dataclass(frozen=True, slots=True)
class Reaction:
    """What the receiver may do at once, and need not: a short word to a click, for this person alone, with
    `choices` below it where the platform can show them so; posts of ours to take back."""

    word: str = field(default="", repr=False)
    choices: tuple[Choice, ...] = ()
    posts: tuple[Post, ...] = ()
