"""What a question is, before anything is asked or searched: text, language, triage, route. Rules only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reasoning.errors import EmptyQuestion, QuestionTooLong
from reasoning.followups import Earlier, Talk, complete
from reasoning.language import detect_language
from reasoning.linking.types import Linker
from reasoning.llm import Budget, LanguageModel
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
    """`asked` is the cleaned text; `question` the same without what only tells the assistant what to do, and
    `standalone` that one completed with the talk before it, None where nothing was carried."""

    asked: str
    question: str
    language: str
    triage: Triage
    judgement: Judgement
    standalone: str | None = None

    @property
    def in_danger(self) -> bool:
        """Whether somebody needs help now: the fixed reply, and no method runs."""
        return self.triage.level in _FIXED_REPLY


def understand(
    text: str, method: str, trace: Trace, earlier: Sequence[Earlier] = (), *, country: str | None = None
) -> Understood:
    """Triage reads the whole message, planted words and all, and nothing of the talk before it. `country` is
    whose crisis lines it names.

    Raises EmptyQuestion and QuestionTooLong.
    """
    asked = check_question(text, follows=bool(earlier))
    question = without_instructions(asked, "")
    with trace.span("language") as span:
        language = language_in(question or asked, earlier)
        span.note(language=language)
    with trace.span("triage") as span:
        found = triage(asked, language, country)
        level = Triage(level=found.level.value, matched=list(found.matched), message=found.message)
        span.note(level=level.level, matched=level.matched)
    return Understood(asked, question, language, level, _judge(question or asked, method, trace))


def language_in(text: str, earlier: Sequence[Earlier] = ()) -> str:
    """ISO 639-1; a number alone is in the language of the turn before it."""
    if earlier and not any(character.isalpha() for character in text):
        return earlier[-1].language
    return detect_language(text)


async def complete_question(
    understood: Understood,
    earlier: Sequence[Earlier],
    person: str,
    method: str,
    llm: LanguageModel,
    budget: Budget,
    trace: Trace,
) -> Understood:
    """The same with a follow-up completed, and routed as completed; what was carried is in the trace."""
    if not earlier or not understood.question:
        return understood
    talk = Talk(_clean(earlier), understood.question, understood.language, person)
    found = await complete(talk, llm, budget, trace)
    if found.question == understood.question:
        return understood
    return replace(
        understood,
        question=found.question,
        standalone=found.question,
        judgement=_judge(found.question, method, trace),
    )


def _clean(earlier: Sequence[Earlier]) -> tuple[Earlier, ...]:
    """Without what only told the assistant what to do."""
    return tuple(replace(turn, text=without_instructions(clean_text(turn.text), "")) for turn in earlier)


def _judge(text: str, method: str, trace: Trace) -> Judgement:
    with trace.span("route", method=method) as span:
        judgement = judge(text, method)
        decision = judgement.route
        span.note(method=decision.method, ran=decision.ran, reason=decision.reason, tie=judgement.other)
        span.note(signals=decision.signals.model_dump())
    return judgement


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


def check_question(text: str, *, follows: bool = False) -> str:
    """The cleaned question; one that follows others may be a number alone.

    Raises EmptyQuestion where no letter is left, and QuestionTooLong.
    """
    cleaned = clean_text(text).strip()
    if len(cleaned) > LONGEST_QUESTION:
        raise QuestionTooLong(f"It has {len(cleaned):,} characters; up to {LONGEST_QUESTION:,} are read.")
    if not any(character.isalnum() if follows else character.isalpha() for character in cleaned):
        raise EmptyQuestion
    return cleaned
