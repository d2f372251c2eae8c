"""What a sender needs of a platform.

DoorError
├── Later     (retryable)
└── Refused
"""

from __future__ import annotations

from typing import Protocol

from config.errors import CareciteError
from storage.history.chat import Delivery, Pace, Platform, Post

LONGEST_WAIT = 60.0  # seconds between two tries where the platform names none, our choice


class DoorError(CareciteError):
    """The platform did not take a message."""


class Later(DoorError):
    """The platform takes it later."""

    retryable = True
    remedy = "It is sent again by itself."

    def __init__(self, seconds: float, code: str, *, everywhere: bool = False) -> None:
        super().__init__(f"Code {code}.")
        self.seconds, self.code, self.everywhere = seconds, code, everywhere


class Refused(DoorError):
    """The platform will never take it."""

    remedy = "There is nothing to do: the person has left, or blocked the bot."

    def __init__(self, code: str) -> None:
        super().__init__(f"Code {code}.")
        self.code = code


def wait_after(attempt: int) -> float:
    """Seconds until the next try of what failed so often, where the platform names none."""
    return float(min(2.0**attempt, LONGEST_WAIT))


class Door(Protocol):
    """`pace` is what the platform allows. `workspace` is the only one that it can send for; None: all of its
    platform. Codes name no message, place or person."""

    platform: Platform
    pace: Pace
    workspace: int | None

    async def send(self, delivery: Delivery) -> str | None:
        """Post, edit or upload it; the id of a new post, None after an edit. Raises Later and Refused."""
        ...

    async def take_back(self, post: Post) -> None:
        """Delete a post of ours where the platform lets us; raises nothing of the platform's."""
        ...
