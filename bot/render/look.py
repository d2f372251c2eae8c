"""What intake and the worker need of a platform's look: bodies of parts, which its sender sends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reasoning.types import Answer, Level
from storage.history.chat import Part

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """A button; `data` (64 bytes at most, never text of anybody) comes back with the click."""

    data: str
    label: str


class Look(Protocol):
    """Each list is one reply in order, within the platform's limits; never empty where something is said."""

    def reply(self, text: str, level: Level = "none", choices: Sequence[Choice] = ()) -> list[Body]:
        """A fixed reply, a notice or a word of progress; the choices stand below the last message."""
        ...

    def answer(self, answer: Answer) -> list[Body]:
        """Raises TextChanged."""
        ...

    def withdraw(self, answer: Answer, mark: str) -> list[Body]:
        """What each message of an answer becomes once it was found wrong: the mark, its text struck out."""
        ...

    def file(self, name: str, content: str) -> Body:
        """A text file."""
        ...


def parts_of(name: str, bodies: Sequence[Body], target: str | None = None) -> list[Part]:
    """The parts of one reply; where `target` is given, the first one takes the place of that part."""
    parts = [Part(f"{name} {n}", body) for n, body in enumerate(bodies, start=1)]
    if target and parts:
        parts[0] = Part(parts[0].name, parts[0].body, "edit", target)
    return parts
