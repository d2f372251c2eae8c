"""Running the step: the vocabulary first, then the model or its rule, then what the tables add."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from reasoning.llm import Budget, LanguageModel
from reasoning.meanings import meaning_of
from reasoning.rewriting.dates import find_date, wants_recent
from reasoning.rewriting.roles import concept_of
from reasoning.rewriting.rule import (
    known_mentions,
    mentions_of,
    rewrite_by_rule,
    unknown_names,
)
from reasoning.rewriting.schema import Concept, DateLimit, Draft, Intent, Pico, Rewriting
from reasoning.rewriting.spelling import unknown_words
from reasoning.rewriting.step import REWRITE
from reasoning.rewriting.translation import LANGUAGES
from reasoning.rewriting.vocabulary import RewriteInputs, Vocabulary, Words, count_words
from reasoning.routing.words import split_words
from reasoning.trace import Trace

_CANDIDATES = 5  # words spelled alike, of each unknown one
_UNKNOWN = 12  # unknown words that are looked up at most


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The rewriting, and what the levels are planned with.

    `unrecognised` are names of drugs, as written, that nothing here knows: the person is told, and what is
    found for their class is not said of them (case F05).
    """

    value: Rewriting
    vocabulary: Vocabulary
    by: Literal["model", "rule"] = "rule"
    reason: str | None = None
    unrecognised: tuple[str, ...] = ()

    @property
    def question_en(self) -> str:
        return self.value.question_en

    @property
    def intent(self) -> Intent:
        return self.value.intent

    @property
    def understood(self) -> bool:
        """False where nothing of a foreign question could be put into English."""
        return bool(self.value.question_en.strip())


async def rewrite(
    question: str, language: str, words: Words, llm: LanguageModel, budget: Budget, trace: Trace
) -> Rewritten:
    """The question as concepts. Raises what `words` raises (StorageError), nothing for a model's sake."""
    with trace.span("rewrite", language=language) as span:
        inputs = await read_inputs(question, language, words)
        result = await llm.run(REWRITE, inputs, budget, trace)
        value = rewrite_by_rule(inputs)
        if result.by == "model":
            value = join(value, complete(result.value, inputs), language)
        names = [name for concept in value.concepts for name in concept.names]
        more = await count_words(names, words)
        vocabulary = replace(inputs.vocabulary, counts={**inputs.vocabulary.counts, **more.counts})
        unrecognised = list_unrecognised(inputs)
        span.note(
            by=result.by,
            reason=result.reason,
            corrected=value.corrected if value.corrected != question else None,
            question_en=value.question_en,
            concepts=[concept.name for concept in value.concepts],
            unrecognised=list(unrecognised),
        )
    return Rewritten(value, vocabulary, result.by, result.reason, unrecognised)


async def read_inputs(question: str, language: str, words: Words) -> RewriteInputs:
    """Counts of the question's words and of the names it is known by; candidates for misspelt words."""
    split = split_words(question)
    known = mentions_of(question, split, RewriteInputs(question, language))
    names = tuple(dict.fromkeys(mention.meaning.name for mention in known if mention.meaning.kind != "word"))
    vocabulary = await count_words((question, *names), words)
    similar = {}
    for word in unknown_words(split, vocabulary)[:_UNKNOWN] if language == "en" else ():
        similar[word.raw.lower()] = tuple(await words.similar_terms(word.raw.lower(), _CANDIDATES))
    return RewriteInputs(question, language, replace(vocabulary, similar=similar), names[:_UNKNOWN])


def complete(draft: Draft, inputs: RewriteInputs) -> Rewriting:
    """A model's draft with what the tables know of its concepts, and the date by rule."""
    groups = {
        role: [_concept(name, must=role != "O") for name in dict.fromkeys(names) if name.strip()]
        for role, names in (("P", draft.P), ("I", draft.I), ("C", draft.C), ("O", draft.O))
    }
    dates = (find_date(text) for text in (inputs.question, draft.question_en))
    return Rewriting(
        corrected=inputs.question,
        question_en=draft.question_en,
        intent=draft.intent,
        pico=Pico(**groups),
        date=next((date for date in dates if date.kind != "none"), DateLimit()),
        wants_recent=wants_recent(inputs.question) or wants_recent(draft.question_en),
    )


def join(ruled: Rewriting, drafted: Rewriting, language: str) -> Rewriting:
    """The rule's concepts, and those that the model found beside them; an English question stays as it was
    asked. A small model leaves out half of a story, so that what it adds is never a must where the rule has
    something (our choice, made on the even half of the narratives)."""
    value = drafted
    if ruled.concepts:
        known = {name.casefold() for concept in ruled.concepts for name in concept.names}
        groups = {
            role: [*group, *(_optional(each) for each in more if known.isdisjoint(_folded(each)))]
            for (role, group), (_, more) in zip(ruled.pico, drafted.pico, strict=True)
        }
        value = drafted.model_copy(update={"pico": Pico(**groups), "modifiers": ruled.modifiers})
    if language != "en":
        return value
    return value.model_copy(update={"question_en": ruled.question_en, "corrected": ruled.corrected})


def _optional(concept: Concept) -> Concept:
    return concept.model_copy(update={"must": False})


def _folded(concept: Concept) -> set[str]:
    return {name.casefold() for name in concept.names}


def _concept(name: str, *, must: bool) -> Concept:
    """By the tables where they have the name; a group of people or an outcome is never a must."""
    meaning = meaning_of(name)
    if meaning is None:
        return Concept(name=name.strip(), must=must)
    return concept_of(meaning, must=must and meaning.kind not in ("outcome", "population"))


def list_unrecognised(inputs: RewriteInputs) -> tuple[str, ...]:
    """Names that could only be put into English by their class."""
    text = inputs.question
    known = known_mentions(text, split_words(text), inputs.language)
    named = unknown_names(text, known) if inputs.language in LANGUAGES else []
    return tuple(name for name, _ in named if not name.isascii())
