"""Linking the diseases, symptoms, drugs, tests, genes and procedures that a question names.

Longest names first; names that share a content word, or stand side by side as one compound ("asthma
inhaler"), are one entity. Circumstances (pregnancy, alcohol) count; weak ones (stress, surgery) hardly do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reasoning.routing.entity_lexicon import NO_KIND, Concept, load_concepts, load_generic
from reasoning.routing.phrases import Found
from reasoning.routing.words import Word, split_words


@dataclass(frozen=True, slots=True)
class Entity:
    """`name` is canonical, `text` as written; `weak` where it says little or was misspelt."""

    name: str
    kind: str  # disease, symptom, drug, test, gene, procedure, circumstance, weak, topic
    text: str
    start: int
    end: int
    weak: bool = False


def link_entities(text: str) -> tuple[Entity, ...]:
    """Distinct entities in the order of the text. Linear in the text."""
    words = split_words(text)
    found = [match for match in load_concepts().find(words) if match.value.kind != NO_KIND]
    entities: list[Entity] = []
    last: Found[Concept] | None = None
    seen: set[str] = set()
    for match in found:
        concept = match.value
        compound = last is not None and _is_compound(words, last, match)
        last = match
        keys = _content(concept.name) | _content(_raw(words, match, text))
        known = compound or not keys.isdisjoint(seen)
        seen |= keys
        if known:
            continue
        first, end = words[match.first], words[match.last - 1]
        weak = concept.kind == "weak" or not match.exact
        entities.append(
            Entity(concept.name, concept.kind, text[first.start : end.end], first.start, end.end, weak)
        )
    return tuple(entities)


def _raw(words: Sequence[Word], match: Found[Concept], text: str) -> str:
    return text[words[match.first].start : words[match.last - 1].end]


def _is_compound(words: Sequence[Word], one: Found[Concept], two: Found[Concept]) -> bool:
    """Side by side without a comma, in Latin script, and not two drugs or a drug and what it does."""
    if one.last != two.first or not words[two.first].glued or not words[two.first].key.isascii():
        return False
    kinds = {one.value.kind, two.value.kind}
    return "drug" not in kinds or kinds == {"drug", "disease"}


def _content(name: str) -> frozenset[str]:
    keys = frozenset(word.key for word in split_words(name))
    if all(not key.isascii() for key in keys):  # Chinese: the whole name is its content
        return frozenset({name})
    return keys - load_generic() or frozenset({name})
