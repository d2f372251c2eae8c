"""A platform as chaos and burst see it: people who ask, and what they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from reasoning.notices import notice
from storage.history.chat import Chat, Platform
from tests.emulators.chat.ledger import Throttle

LONG = 120.0  # seconds: a limit against hanging, no more
WAITING = tuple(
    notice(code, "en")
    for code in (
        "chat_placeholder",
        "chat_progress_searching",
        "chat_progress_reading",
        "chat_progress_slow",
    )
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question on a platform: who asked it and its message there."""

    person: int
    message: int | str


class Stage(Protocol):
    """One person is one conversation."""

    platform: Platform

    @property
    def settings(self) -> dict[str, str]:
        """What leads carecite to it."""
        ...

    async def welcome(self, people: Iterable[int]) -> None:
        """They agree, as people do."""
        ...

    async def welcome_quietly(self, chat: Chat, people: Iterable[int]) -> None:
        """They have agreed before."""
        ...

    async def deliver(self, copies: int) -> None:
        """Hand out so often whatever comes from now on."""
        ...

    async def ask(self, person: int, text: str) -> Asked: ...

    async def edit(self, asked: Asked, text: str) -> None: ...

    async def push_broken(self, person: int) -> None: ...

    async def settle(self, seconds: float = LONG) -> bool:
        """Whether all deliveries were confirmed."""
        ...

    def answers(self, asked: Asked) -> list[str]:
        """What replies to it and is more than a sign that somebody works."""
        ...

    def replies(self, person: int) -> list[int | str]:
        """The messages that were replied to in a conversation, in the order of the replies."""
        ...

    def arrivals(self) -> int:
        """How often a message of a person was handed over, again after a late acknowledgement too."""
        ...

    def accept_seconds(self) -> list[float]:
        """Of each delivery, from its being there to its confirmation."""
        ...

    def sign_seconds(self, asked: Asked) -> float | None:
        """From the question to the first reply."""
        ...

    async def throttle(self, times: int, apart: int) -> None:
        """Refuse so many of the coming posts for a second, each after so many that are taken."""
        ...

    def ignored(self) -> Sequence[Throttle]:
        """The 429s that were not waited for."""
        ...

    def throttled(self) -> int:
        """How many 429s were given."""
        ...
