"""Running the step: the vocabulary first, then the model or its rule, then what the tables add."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from reasoning.llm import Budget, LanguageModel
from reasoning.methods.cometa.rewriting.lexicon import meaning_of
from reasoning.methods.cometa.rewriting.rule import known_mentions, mentions_of, unknown_names
from reasoning.methods.cometa.rewriting.schema import Concept, Intent, Pico, Rewriting
from reasoning.methods.cometa.rewriting.spelling import unknown_words
from reasoning.methods.cometa.rewriting.step import REWRITE
from reasoning.methods.cometa.rewriting.translation import LANGUAGES
from reasoning.methods.cometa.rewriting.vocabulary import RewriteInputs, Vocabulary, Words, count_words
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
        value = complete(result.value) if result.by == "model" else result.value
        names = [name for concept in value.concepts for name in concept.names]
        more = await count_words(names, words)
        vocabulary = replace(inputs.vocabulary, counts={**inputs.vocabulary.counts, **more.counts})
        unrecognised = _unrecognised(inputs)
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


def complete(rewriting: Rewriting) -> Rewriting:
    """A model's concepts with what the tables know of them: headings, synonyms, brands."""
    pico = Pico(**{role: [_complete(each) for each in group] for role, group in rewriting.pico})
    modifiers = [_complete(each) for each in rewriting.modifiers]
    return rewriting.model_copy(update={"pico": pico, "modifiers": modifiers})


def _complete(concept: Concept) -> Concept:
    meaning = meaning_of(concept.name)
    if meaning is None:
        return concept
    synonyms = {name.casefold(): name for name in (*meaning.synonyms, meaning.name, *concept.synonyms)}
    synonyms.pop(concept.name.casefold(), None)
    return concept.model_copy(
        update={
            "mesh_candidates": list(dict.fromkeys((*meaning.mesh, *concept.mesh_candidates))),
            "synonyms": list(synonyms.values()),
            "drug_generic": meaning.name if meaning.brands or meaning.wider else concept.drug_generic,
            "drug_brand": list(dict.fromkeys((*meaning.brands, *concept.drug_brand))),
        }
    )


def _unrecognised(inputs: RewriteInputs) -> tuple[str, ...]:
    """Names that could only be put into English by their class."""
    text = inputs.question
    known = known_mentions(text, split_words(text), inputs.language)
    named = unknown_names(text, known) if inputs.language in LANGUAGES else []
    return tuple(name for name, _ in named if not name.isascii())
