"""What one question may spend on models, and what it has spent."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls, tokens, and money in the currency of the configured prices."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cost + other.cost,
        )


NOTHING = Spent()


@dataclass(frozen=True, slots=True)
class Limits:
    """Checked before spending; `seconds` are one deadline over all steps and tries of a question."""

    calls: int = 12
    tokens: int = 60_000
    cost: float | None = None
    seconds: float = 60.0


@dataclass(slots=True)
class Budget:
    """One question's account."""

    limits: Limits = field(default_factory=Limits)
    spent: Spent = NOTHING
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> float:
        return self.limits.seconds - (time.monotonic() - self.began)

    def charge(self, spent: Spent) -> None:
        self.spent = self.spent + spent
