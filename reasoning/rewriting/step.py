"""The step "rewrite": a model's concepts, or the rule's where they make no sense."""

from __future__ import annotations

import re

from reasoning.llm import Step
from reasoning.meanings import Meaning
from reasoning.rewriting.rule import mentions_of, rewrite_by_rule
from reasoning.rewriting.schema import Draft
from reasoning.rewriting.vocabulary import RewriteInputs
from reasoning.routing.words import split_words
from storage.words import STOP_WORDS
from storage.words import split_words as index_words

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORDS, _CONCEPTS, _FILLER = 7, 12, 3  # most words of a name, names in all, grammar words in a name
_QUERY = re.compile(r"\[[a-z: ~0-9]+\]|\bAND\b|\bOR\b|\bNOT\b|\"|```")


def draft_by_rule(inputs: RewriteInputs) -> Draft:
    """The rule's rewriting, as a model would have written it."""
    done = rewrite_by_rule(inputs)
    roles = {role: [concept.name for concept in group] for role, group in done.pico}
    roles["P"] += [concept.name for concept in done.modifiers]
    return Draft(question_en=done.question_en, intent=done.intent, **roles)


def check_draft(inputs: RewriteInputs, draft: Draft) -> str | None:
    """Why a reply cannot be what the question is about, or None. That all of it is there nobody can tell."""
    if not any(index_words(name) for name in draft.names):
        return "It names no concept."
    if len(draft.names) > _CONCEPTS:
        return "It names too many concepts."
    for name in draft.names:
        words = name.split()
        if len(words) > _WORDS or sum(word.lower() in STOP_WORDS for word in words) > _FILLER:
            return "A concept is a sentence."
        if _QUERY.search(name):
            return "A concept is a piece of a query."
    if any(_CJK.search(text) for text in (draft.question_en, *draft.names)):
        return "English was asked for."
    if not draft.question_en.strip():
        return "The question in English is missing."
    return _lost_drug(inputs, draft)


def _lost_drug(inputs: RewriteInputs, draft: Draft) -> str | None:
    """A drug that the tables know in the question must be in the reply, by whatever name."""
    asked = {meaning.name for meaning in _drugs(inputs.question, inputs) if meaning.wider}
    if not asked:
        return None
    told = " ; ".join((draft.question_en, *draft.names))
    english = RewriteInputs(told, "en", inputs.vocabulary)
    lost = asked - {meaning.name for meaning in _drugs(told, english)}
    return f"It leaves out {', '.join(sorted(lost))}." if lost else None


def _drugs(text: str, inputs: RewriteInputs) -> list[Meaning]:
    found = mentions_of(text, split_words(text), inputs)
    return [mention.meaning for mention in found if mention.meaning.kind == "drug"]


REWRITE: Step[RewriteInputs, Draft] = Step("rewrite", "rewrite.v1", Draft, draft_by_rule, check_draft)
