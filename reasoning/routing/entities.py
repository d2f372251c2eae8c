"""Linking the diseases, symptoms, drugs, tests, genes and procedures that a question names.

Longest names first; names that share a content word, or stand side by side as one compound ("asthma
inhaler"), are one entity. Circumstances (pregnancy, alcohol) count; weak ones (stress, surgery) hardly do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reasoning.routing.entity_lexicon import NO_KIND, Concept, load_concepts, load_generic
from reasoning.routing.phrases import Found
from reasoning.routing.words import Word, split_words

if TYPE_CHECKING:
    from reasoning.linking.types import Link


@dataclass(frozen=True, slots=True)
class Entity:
    """`name` is canonical, `text` as written; `weak` where it says little or was misspelt."""

    name: str
    kind: str  # disease, symptom, drug, test, gene, procedure, circumstance, weak, topic
    text: str
    start: int
    end: int
    weak: bool = False


def link_entities(text: str, links: Sequence[Link] = ()) -> tuple[Entity, ...]:
    """Distinct entities in the order of the text: those of the lexicons, then what only the graphs know.

    `links` are those of the linker in this text. Linear in the text.
    """
    words = split_words(text)
    every = list(load_concepts().find(words))
    found = [match for match in every if match.value.kind != NO_KIND]
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
    taken = [(words[match.first].start, words[match.last - 1].end) for match in every]
    entities += _only_linked(text, links, taken, seen)
    return tuple(sorted(entities, key=lambda entity: entity.start))


def _only_linked(
    text: str, links: Sequence[Link], taken: Sequence[tuple[int, int]], seen: set[str]
) -> Iterator[Entity]:
    """Entities of the graphs beside those of the lexicons, by the same rules; those by likeness are weak."""
    for link in links:
        entity = link.entity
        if entity is None or any(_touch(text, link.start, link.end, *span) for span in taken):
            continue
        keys = _content(entity.name) | _content(link.text)
        if keys.isdisjoint(seen) and _tells(link.text):
            kind = entity.kinds[0] if entity.kinds else "topic"
            yield Entity(entity.name, kind, link.text, link.start, link.end, link.by != "alias")
        seen |= keys


def _touch(text: str, start: int, end: int, first: int, last: int) -> bool:
    """Whether two stretches overlap, or stand side by side as one compound."""
    if start < last and first < end:
        return True
    between = text[last:start] if last <= start else text[end:first]
    return between.isascii() and not between.strip(" -") and text[start:end].isascii()


def _tells(name: str) -> bool:
    """Whether a name has a word that tells it from others."""
    keys = {word.key for word in split_words(name)}
    return not keys <= load_generic()


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
