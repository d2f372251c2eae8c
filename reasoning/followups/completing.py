"""Running the step: the rule first, a model where there is one, and the trace told what was carried."""

from __future__ import annotations

from reasoning.followups.concepts import find_named
from reasoning.followups.rule import complete_by_rule
from reasoning.followups.step import STANDALONE, Talk
from reasoning.followups.turns import Standalone, trace_back
from reasoning.llm import Budget, LanguageModel
from reasoning.trace import Trace


async def complete(talk: Talk, llm: LanguageModel, budget: Budget, trace: Trace) -> Standalone:
    """The message so that it can be read alone. Nothing is raised for a model's sake.

    A model is not asked about thanks and greetings.
    """
    with trace.span("standalone", earlier=len(talk.earlier), language=talk.language) as span:
        done, by, reason = (
            complete_by_rule(talk.earlier, talk.message, talk.language, talk.person),
            "rule",
            None,
        )
        if done.form != "courtesy":
            result = await llm.run(STANDALONE, talk, budget, trace)
            by, reason = result.by, result.reason
            if result.by == "model":
                done = _of_model(talk, result.value.question.strip())
        span.note(
            question=done.question,
            form=done.form,
            carried=[{"text": one.text, "turn": one.turn} for one in done.carried],
            by=by,
            reason=reason,
        )
    return done


def _of_model(talk: Talk, question: str) -> Standalone:
    if question == talk.message:
        return Standalone(question, "model")
    names = [one.text for one in find_named(question, talk.language) if one.text not in talk.message]
    return Standalone(
        question, "model", trace_back([(name, name) for name in names], talk.earlier, talk.person)
    )
