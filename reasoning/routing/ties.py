"""Where the rule is not sure, a model may choose between the two methods it leaves (issue 3, router).

Ties: one weak cancer term or a mention beside the matter (cometa or the rule's choice); exactly two entities
of which one is weak or misspelt (mirage or literature). Everything else the rule decides alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from reasoning.llm import Budget, Closed, LanguageModel, Step
from reasoning.routing.decision import Judgement, route_to
from reasoning.trace import Trace
from reasoning.types import Method, Route

MEANINGS: dict[Method, str] = {
    "cometa": "it asks about cancer, a tumour, or whether something could be cancer",
    "mirage": "it asks how two or more diseases, symptoms, drugs or tests go together",
    "literature": "it asks about one medical topic, which is not cancer",
    "sema-rag": "it is an exam question with options to choose from",
}
_LONGEST = 2000  # characters of the question; a message says early what it is about


@dataclass(frozen=True, slots=True)
class Kind:
    name: Method
    meaning: str


@dataclass(frozen=True, slots=True)
class Tie:
    """What a model is shown; the first of the kinds is the rule's choice."""

    question: str
    kinds: tuple[Kind, Kind]
    cancer_terms: str
    entities: str
    reason: str  # the rule's


class Verdict(Closed):
    """One of the kinds offered."""

    method: Method
    reason: str = Field(max_length=300)


def _keep_the_rule(tie: Tie) -> Verdict:
    return Verdict(method=tie.kinds[0].name, reason=tie.reason)


def _check(tie: Tie, verdict: Verdict) -> str | None:
    names = [kind.name for kind in tie.kinds]
    return None if verdict.method in names else f"the method is none of {', '.join(names)}"


ROUTE: Step[Tie, Verdict] = Step("route", "route.v1", Verdict, _keep_the_rule, _check)


async def decide(judgement: Judgement, text: str, llm: LanguageModel, budget: Budget, trace: Trace) -> Route:
    """The rule's route, or a model's choice where the rule left a tie."""
    rule = judgement.route
    if judgement.other is None or not llm.available:
        return rule
    names: tuple[Method, Method] = (rule.method, judgement.other)
    tie = Tie(
        text[:_LONGEST],
        (Kind(names[0], MEANINGS[names[0]]), Kind(names[1], MEANINGS[names[1]])),
        ", ".join(rule.signals.cancer_terms[:5]),
        ", ".join(rule.signals.entities[:5]),
        rule.reason,
    )
    with trace.span("break_tie", between=list(names)) as span:
        result = await llm.run(ROUTE, tie, budget, trace)
        span.note(method=result.value.method, by=result.by, reason=result.reason)
    if result.by == "rule" or result.value.method == rule.method:
        return rule
    reason = f"a model decided between {names[0]} and {names[1]}; by rule: {rule.reason}"
    return route_to(result.value.method, reason, rule.signals)
