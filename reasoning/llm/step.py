"""A step that a model may do, with its deterministic twin (architecture 2, "the ladder of models")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from reasoning.llm.budget import NOTHING, Budget, Spent
from reasoning.trace import Trace

Inputs = TypeVar("Inputs")
Reply = TypeVar("Reply", bound=BaseModel)


class Closed(BaseModel):
    """What a reply is made of: the fields that were asked for, and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _accept(inputs: object, reply: object) -> str | None:
    return None


def _no_smaller(inputs: object) -> None:
    return None


def drop_last(name: str) -> Callable[[Any], Any]:
    """`fewer` for inputs, a dataclass, whose field `name` is a tuple: its last one goes, the first stays."""

    def fewer(inputs: Any) -> Any:
        items = getattr(inputs, name)
        return replace(inputs, **{name: items[:-1]}) if len(items) > 1 else None

    return fewer


@dataclass(frozen=True, slots=True)
class TokenForm:
    """A step for a server that continues a text: its prompt, and the strings that end a reply.

    `read` turns what was written, stop string included or not, into the fields of the reply.
    """

    prompt: str
    stop: tuple[str, ...]
    read: Callable[[str], dict[str, object]]


@dataclass(frozen=True, slots=True)
class Step(Generic[Inputs, Reply]):
    """One kind of work, done by a model or by its rule.

    `rule` is pure: what it needs is in the inputs. `check` says why a reply that fits the schema is nonsense
    all the same, or None. `fewer` drops the least of the inputs (the last passage) where the prompt does not
    fit, and gives None where nothing can be dropped (case F23).
    """

    name: str
    prompt: str  # a file of config/prompts, with its version: "answer.v1"
    reply: type[Reply]
    rule: Callable[[Inputs], Reply]
    check: Callable[[Inputs, Reply], str | None] = _accept
    fewer: Callable[[Inputs], Inputs | None] = _no_smaller
    tokens: TokenForm | None = None  # for token mode (methods.md 2.3), where the step has one


@dataclass(frozen=True, slots=True)
class StepResult(Generic[Inputs, Reply]):
    """`inputs` are those that were sent, maybe fewer than given; `reason` says why the rule ran."""

    value: Reply
    inputs: Inputs
    by: Literal["model", "rule"]
    reason: str | None = None
    usage: Spent = NOTHING
    fault: str | None = None  # name of the error for which the rule ran: "Nonsense"

    @property
    def unreadable(self) -> bool:
        """Whether a model did answer, but nothing that could be used, at the second try either."""
        return self.fault in ("Nonsense", "Incomplete")


class LanguageModel(Protocol):
    """The one door to every model. `run` never fails for a model's sake: the rule answers then."""

    @property
    def available(self) -> bool:
        """Whether a model is configured."""
        ...

    async def run(
        self, step: Step[Inputs, Reply], inputs: Inputs, budget: Budget, trace: Trace
    ) -> StepResult[Inputs, Reply]: ...


class RulesOnly:
    """The door where no model is configured."""

    available = False

    async def run(
        self, step: Step[Inputs, Reply], inputs: Inputs, budget: Budget, trace: Trace
    ) -> StepResult[Inputs, Reply]:
        return StepResult(step.rule(inputs), inputs, "rule", "No model is configured.")
