"""What one question may spend on models, and what it has spent."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from config.settings import ModelEndpoint
from reasoning.llm.errors import BudgetSpent
from reasoning.llm.keeping import KeptReply


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

    def __sub__(self, other: Spent) -> Spent:
        return self + Spent(-other.calls, -other.prompt_tokens, -other.completion_tokens, -other.cost)

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


NOTHING = Spent()


@dataclass(frozen=True, slots=True)
class Limits:
    """Checked before spending; `seconds` are one deadline over all steps and tries of a question."""

    calls: int = 12
    tokens: int = 60_000
    cost: float | None = None
    seconds: float = 60.0


def limits_of(endpoint: ModelEndpoint) -> Limits:
    """The limits that the settings give to each question."""
    return Limits(endpoint.max_calls, endpoint.max_tokens, endpoint.max_cost, endpoint.deadline)


def price_of(endpoint: ModelEndpoint, prompt_tokens: int, completion_tokens: int) -> float:
    """Money for so many tokens; 0 where no price is set."""
    per_prompt, per_reply = endpoint.price_in or 0.0, endpoint.price_out or 0.0
    return (prompt_tokens * per_prompt + completion_tokens * per_reply) / 1_000_000


@dataclass(slots=True)
class Budget:
    """One question's account. `reserved` is what calls under way may come to, so that steps side by side
    cannot overdraw it together; `replies` are those that were used, by key, to be kept with the run."""

    limits: Limits = field(default_factory=Limits)
    spent: Spent = NOTHING
    began: float = field(default_factory=time.monotonic)
    reserved: Spent = NOTHING
    replies: dict[str, KeptReply] = field(default_factory=dict)

    @property
    def seconds_left(self) -> float:
        return self.limits.seconds - (time.monotonic() - self.began)

    def charge(self, spent: Spent) -> None:
        self.spent = self.spent + spent

    @contextmanager
    def reserve(self, most: Spent) -> Iterator[None]:
        """Set `most` aside while a call runs; what it came to is charged apart. Raises BudgetSpent."""
        self.check(most)
        self.reserved = self.reserved + most
        try:
            yield
        finally:
            self.reserved = self.reserved - most

    def check(self, more: Spent = NOTHING) -> None:
        """Raises BudgetSpent, naming the limit, where `more` cannot be spent."""
        limits, total = self.limits, self.spent + self.reserved + more
        if self.seconds_left <= 0:
            raise BudgetSpent(f"It had {limits.seconds:g} seconds (CARECITE_LLM_DEADLINE).")
        if total.calls > limits.calls:
            raise BudgetSpent(f"It had {limits.calls} calls (CARECITE_LLM_MAX_CALLS).")
        if total.tokens > limits.tokens:
            raise BudgetSpent(f"It had {limits.tokens:,} tokens (CARECITE_LLM_MAX_TOKENS).")
        if limits.cost is not None and total.cost > limits.cost:
            raise BudgetSpent(f"It had {limits.cost:g} of money (CARECITE_LLM_MAX_COST).")
