"""The step "rewrite": a model's concepts, or the rule's where they make no sense."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reasoning.llm import Step
from reasoning.methods.cometa.rewriting.lexicon import Meaning
from reasoning.methods.cometa.rewriting.rule import mentions_of, rewrite_by_rule
from reasoning.methods.cometa.rewriting.schema import Rewriting
from reasoning.methods.cometa.rewriting.vocabulary import RewriteInputs
from reasoning.routing.words import split_words
from storage.words import STOP_WORDS
from storage.words import split_words as index_words

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORDS, _CONCEPTS, _FILLER = 7, 12, 3  # most words of a name, names in all, grammar words in a name
_QUERY = re.compile(r"\[[a-z: ~0-9]+\]|\bAND\b|\bOR\b|\bNOT\b|\"|```")


def check_rewriting(inputs: RewriteInputs, rewriting: Rewriting) -> str | None:
    """Why a reply cannot be what the question is about, or None. That all of it is there nobody can tell."""
    concepts = rewriting.concepts
    if not any(index_words(concept.name) for concept in concepts):
        return "It names no concept."
    if len(concepts) > _CONCEPTS:
        return "It names too many concepts."
    for concept in concepts:
        words = concept.name.split()
        if len(words) > _WORDS or sum(word.lower() in STOP_WORDS for word in words) > _FILLER:
            return "A concept is a sentence."
        if any(_QUERY.search(name) for name in concept.names):
            return "A concept is a piece of a query."
    if any(_CJK.search(text) for text in _english(rewriting)):
        return "English was asked for."
    if not rewriting.question_en.strip():
        return "The question in English is missing."
    return _wrong_drug(inputs, rewriting)


def _english(rewriting: Rewriting) -> Iterator[str]:
    yield rewriting.question_en
    for concept in rewriting.concepts:
        yield from (*concept.names, *concept.mesh_candidates)


def _wrong_drug(inputs: RewriteInputs, rewriting: Rewriting) -> str | None:
    """A drug that the tables know in the question must be in the reply, and no other in its place."""
    asked = {meaning.name for meaning in _drugs(inputs.question, inputs) if meaning.brands or meaning.mesh}
    if not asked:
        return None
    told = " ; ".join((rewriting.question_en, *(name for each in rewriting.concepts for name in each.names)))
    english = RewriteInputs(told, "en", inputs.vocabulary)
    named = {meaning.name for meaning in _drugs(told, english)}
    lost = asked - named
    return f"It leaves out {', '.join(sorted(lost))}." if lost else None


def _drugs(text: str, inputs: RewriteInputs) -> list[Meaning]:
    found = mentions_of(text, split_words(text), inputs)
    return [mention.meaning for mention in found if mention.meaning.kind == "drug"]


REWRITE: Step[RewriteInputs, Rewriting] = Step(
    "rewrite", "rewrite.v1", Rewriting, rewrite_by_rule, check_rewriting
)
