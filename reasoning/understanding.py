"""What a question is, before anything is asked or searched: text, language, triage, route. Rules only."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reasoning.errors import EmptyQuestion, QuestionTooLong
from reasoning.language import detect_language
from reasoning.linking.types import Linker
from reasoning.routing import Judgement, judge
from reasoning.safety.injection import without_instructions
from reasoning.safety.triage import triage
from reasoning.trace import Trace
from reasoning.types import Triage
from storage.errors import StorageError
from storage.text import clean_text

LONGEST_QUESTION = 20_000  # characters; longer than any chat platform passes on
_FIXED_REPLY = ("emergency", "self_harm")


@dataclass(frozen=True, slots=True)
class Understood:
    """`asked` is the cleaned text; `question` the same without what only tells the assistant what to do."""

    asked: str
    question: str
    language: str
    triage: Triage
    judgement: Judgement

    @property
    def in_danger(self) -> bool:
        """Whether somebody needs help now: the fixed reply, and no method runs."""
        return self.triage.level in _FIXED_REPLY


def understand(text: str, method: str, trace: Trace) -> Understood:
    """Triage reads the whole message, planted words and all. Raises EmptyQuestion and QuestionTooLong."""
    asked = check_question(text)
    question = without_instructions(asked, "")
    with trace.span("language") as span:
        language = detect_language(question or asked)
        span.note(language=language)
    with trace.span("triage") as span:
        found = triage(asked, language)
        level = Triage(level=found.level.value, matched=list(found.matched), message=found.message)
        span.note(level=level.level, matched=level.matched)
    with trace.span("route", method=method) as span:
        judgement = judge(question or asked, method)
        decision = judgement.route
        span.note(method=decision.method, ran=decision.ran, reason=decision.reason, tie=judgement.other)
        span.note(signals=decision.signals.model_dump())
    return Understood(asked, question, language, level, judgement)


async def count_links(understood: Understood, method: str, linker: Linker, trace: Trace) -> Understood:
    """The same with a route that counts what the graphs know of the question, where entities decide it.

    A graph that cannot be read changes nothing.
    """
    if method != "auto" or not understood.judgement.by_entities:
        return understood
    text = understood.question or understood.asked
    with trace.span("route_by_graph") as span:
        try:
            links = await linker.link(text, understood.language)
        except StorageError as error:
            span.note(failed=type(error).__name__)
            return understood
        judgement = judge(text, method, links)
        decision = judgement.route
        span.note(method=decision.method, reason=decision.reason, tie=judgement.other)
        span.note(entities=decision.signals.entities)
    return replace(understood, judgement=judgement)


def check_question(text: str) -> str:
    """The cleaned question. Raises EmptyQuestion where no letter is left, and QuestionTooLong."""
    cleaned = clean_text(text).strip()
    if len(cleaned) > LONGEST_QUESTION:
        raise QuestionTooLong(f"It has {len(cleaned):,} characters; up to {LONGEST_QUESTION:,} are read.")
    if not any(character.isalpha() for character in cleaned):
        raise EmptyQuestion
    return cleaned
