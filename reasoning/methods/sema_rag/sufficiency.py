"""The explorer's judgement of a round: enough, or what is missing and how to ask for it (methods.md 3.2)."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from reasoning.grounding.passages import GivenPassage
from reasoning.llm import Closed, Step, drop_last
from reasoning.methods.sema_rag.interpreting import Schema
from reasoning.methods.sema_rag.presets import PROMPTS

NOTHING = "no evidence was found"
MOST_FOLLOWUPS = 8  # written; the preset's m are used


class Exploration(Closed):
    """s, g and the next queries, in one reply."""

    sufficient: bool = Field(description="whether the evidence answers the question")
    gap: str = Field(description="what is missing, in a few words; empty where nothing is")
    literature: bool = Field(description="whether published studies are needed to fill the gap")
    followups: list[str] = Field(description="searches in English that would fill the gap")


@dataclass(frozen=True, slots=True)
class Unmet:
    """What the rule misses; each has the search that would find it."""

    what: str
    ask: str


@dataclass(frozen=True, slots=True)
class ExploreInputs:
    """`asked` are the queries so far; `unmet` is the rule's and no part of the prompt."""

    question: str
    schema: Schema
    asked: tuple[str, ...]
    most: int
    passages: tuple[GivenPassage, ...]
    unmet: tuple[Unmet, ...] = ()


def explore_by_rule(inputs: ExploreInputs) -> Exploration:
    """The rule: sufficient where nothing is unmet; else each unmet thing is a gap with its search."""
    missing = list(dict.fromkeys(unmet.what for unmet in inputs.unmet))
    if not inputs.passages:
        missing = [NOTHING, *missing]
    followups = dict.fromkeys(unmet.ask for unmet in inputs.unmet)
    return Exploration(
        sufficient=not missing,
        gap="; ".join(missing),
        literature=bool(missing),
        followups=list(followups)[: inputs.most],
    )


def find_nonsense(inputs: ExploreInputs, reply: Exploration) -> str | None:
    """Why a judgement cannot be used, in words that help a second try."""
    if not reply.sufficient and not reply.gap.strip():
        return "say in gap what is missing, or set sufficient to true"
    if len(reply.followups) > MOST_FOLLOWUPS:
        return f"write at most {inputs.most} followups"
    return None


EXPLORE = Step(
    "explore", PROMPTS["explore"], Exploration, explore_by_rule, find_nonsense, drop_last("passages")
)


@dataclass(frozen=True, slots=True)
class Judged:
    """What a round is taken to be; `forced` says what the reply was overruled by."""

    sufficient: bool
    gap: str
    literature: bool
    followups: tuple[str, ...]
    by: str
    reason: str | None = None
    forced: str | None = None


def settle(
    reply: Exploration,
    rule: Exploration,
    *,
    by: str,
    reason: str | None,
    parsed: bool,
    empty: bool,
    objections: tuple[str, ...] = (),
) -> Judged:
    """The reply as it counts: what could not be read is no judgement, and nothing found is never enough.

    Objections hold against a model's "enough" as well (methods.md 3.6). The rule's searches follow where a
    model named none.
    """
    followups = tuple(reply.followups) or tuple(rule.followups)
    if not parsed:
        return Judged(False, "parse", rule.literature, tuple(rule.followups), by, reason, "parse")
    if reply.sufficient and empty:
        return Judged(False, NOTHING, True, followups, by, reason, "empty")
    if reply.sufficient and objections:
        return Judged(False, "; ".join(dict.fromkeys(objections)), True, followups, by, reason, "objections")
    return Judged(reply.sufficient, reply.gap, reply.literature, followups, by, reason)
