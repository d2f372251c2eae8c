"""The rule of the rewriting step: what a question is about, without a model (methods.md 1.2).

spelling -> lexicons (lay words, brands, genes; tables for Chinese and Spanish) -> telling words -> choice
"""

from __future__ import annotations

from collections.abc import Sequence

from reasoning.meanings import Meaning, Mention, find_mentions
from reasoning.rewriting.choosing import Chosen, choose, telling_words
from reasoning.rewriting.dates import find_date, find_intent, wants_recent
from reasoning.rewriting.names import find_variants, unknown_drugs
from reasoning.rewriting.roles import assign_roles
from reasoning.rewriting.schema import Pico, Rewriting
from reasoning.rewriting.spelling import correct_spelling
from reasoning.rewriting.translation import LANGUAGES, find_translated
from reasoning.rewriting.vocabulary import RewriteInputs
from reasoning.routing.entity_lexicon import NO_KIND
from reasoning.routing.words import Word, split_words

_LONGEST = 4_000  # characters of a question; what it is about is said by then
_ASKS = {
    "treatment": "treatment",
    "diagnosis": "diagnosis",
    "prognosis": "prognosis",
    "side_effect": "adverse effects",
    "screening": "screening",
    "cause": "cause",
    "other": "",
}


def rewrite_by_rule(inputs: RewriteInputs) -> Rewriting:
    """Pure. In a language without tables there are no concepts and `question_en` is empty."""
    question = inputs.question[:_LONGEST]
    corrected = correct_spelling(question, inputs.vocabulary) if inputs.language == "en" else question
    words = split_words(corrected)
    mentions = mentions_of(corrected, words, inputs)
    chosen = choose(mentions, inputs.vocabulary, len(words))
    pico, modifiers = assign_roles(chosen, corrected, inputs.language)
    intent = find_intent(corrected, inputs.language)
    if inputs.language == "en":
        question_en = corrected
    else:
        question_en = english_text(chosen, intent) if inputs.language in LANGUAGES else ""
        pico, modifiers = (pico, modifiers) if question_en else (Pico(), [])
    return Rewriting(
        corrected=corrected,
        question_en=question_en,
        intent=intent,
        pico=pico,
        modifiers=modifiers,
        date=find_date(corrected),
        wants_recent=wants_recent(corrected),
    )


def known_mentions(text: str, words: Sequence[Word], language: str) -> list[Mention]:
    """What the lexicons of the language find, and variants; nothing in a language without any."""
    if language == "en":
        found = find_mentions(text, words)
    elif language in LANGUAGES:
        found = find_translated(text, words, language)
    else:
        return []
    return [*found, *(_variant(name, text) for name in find_variants(text))]


def mentions_of(text: str, words: Sequence[Word], inputs: RewriteInputs) -> list[Mention]:
    """Known mentions, drugs by their class, and the words that the subject is told by."""
    found = known_mentions(text, words, inputs.language)
    taken = {place for mention in found for place in mention.words}
    if inputs.language in ("en", *LANGUAGES):
        found += [_of_class(name, kind, text) for name, kind in unknown_names(text, found)]
    if inputs.language == "en":
        found += telling_words(words, taken, inputs.vocabulary)
        found = found or telling_words(words, taken, inputs.vocabulary, lenient=True)
    kept = [mention for mention in found if mention.meaning.kind != NO_KIND]
    return sorted(kept, key=lambda mention: mention.start)


def unknown_names(text: str, found: Sequence[Mention]) -> list[tuple[str, str]]:
    """Drugs that no table has, with their class in English."""
    left = list(text)
    for mention in found:
        left[mention.start : mention.end] = " " * (mention.end - mention.start)
    return unknown_drugs(text, "".join(left))


def english_text(chosen: Sequence[Chosen], intent: str) -> str:
    """A working text for the search by meaning, made of the concepts alone; empty where nothing is known."""
    if not any(item.meaning.kind not in ("outcome", "population", "weak") for item in chosen):
        return ""
    names = list(dict.fromkeys(item.meaning.name for item in chosen))
    return " ".join((*names, _ASKS[intent])).strip()


def _variant(name: str, text: str) -> Mention:
    start = max(0, text.lower().find(name.lower()))
    return Mention(Meaning(name, "variant"), name, start, start + len(name))


def _of_class(name: str, kind: str, text: str) -> Mention:
    """English names stand for themselves; Chinese ones only by their class."""
    start = max(0, text.find(name))
    meaning = Meaning(name.lower(), "drug", wider=kind) if name.isascii() else Meaning(kind, "drug")
    return Mention(meaning, name, start, start + len(name))
