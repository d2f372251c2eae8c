"""What else a thing is called: lay words and clinical ones, brands and generics, Chinese and English.

The tables are those of the rewriting rule (`reasoning.meanings`, `lexicons/concepts_zh.tsv`); the lists of
the router are none: their lines hold topics, not synonyms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from reasoning.meanings import read_rows
from reasoning.routing.phrases import Phrases
from reasoning.routing.words import Word, split_words
from storage.corpus.graph.naming import fold_entity


@dataclass(frozen=True, slots=True)
class Concept:
    """`name` is the usual one in English; `others` are equal in meaning, `local` in another language."""

    name: str
    kind: str
    others: tuple[str, ...] = ()
    local: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, the best known first."""
        return (*self.local, self.name, *self.others)


@dataclass(frozen=True, slots=True)
class Known:
    """A concept at words `first` to `last`, exclusive."""

    concept: Concept
    first: int
    last: int


def find_known(words: Sequence[Word]) -> list[Known]:
    """Concepts that the tables know, left to right, the longest at each place; misspelt ones are left out."""
    return [Known(found.value, found.first, found.last) for found in _phrases().find(words) if found.exact]


@lru_cache(maxsize=20_000)
def concept_of(name: str) -> Concept | None:
    """What the whole of a name means, None where no table has it."""
    words = split_words(name)
    found = next(iter(find_known(words)), None)
    return found.concept if found and (found.first, found.last) == (0, len(words)) else None


@lru_cache(maxsize=20_000)
def sense_of(name: str) -> str:
    """The same for names that mean the same: the folded name of the concept, else of the name itself."""
    concept = concept_of(name)
    return fold_entity(concept.name if concept else name)


@cache
def is_vocabulary(key: str) -> bool:
    """Whether a folded word is in any name of the tables."""
    return key in _keys()


@cache
def _keys() -> frozenset[str]:
    return frozenset(word.key for name, _ in _names() for word in split_words(name))


@cache
def _phrases() -> Phrases[Concept]:
    return Phrases(_names())


@cache
def _names() -> tuple[tuple[str, Concept], ...]:
    return (*_english(), *_chinese())


def _english() -> Iterator[tuple[str, Concept]]:
    for name, kind, _, others in read_rows("clinical.en.tsv"):
        concept = Concept(name, kind, tuple(other for other in others.split("|") if other))
        yield from ((each, concept) for each in concept.names)
    for generic, brands, _ in read_rows("drugs.en.tsv"):
        concept = Concept(generic, "drug", tuple(brand for brand in brands.split("|") if brand))
        yield from ((each, concept) for each in concept.names)


def _chinese() -> Iterator[tuple[str, Concept]]:
    english = dict(_english())
    for names, name, kind in read_rows("concepts_zh.tsv"):
        known = english.get(name)
        local = tuple(names.split("|"))
        concept = Concept(known.name, kind, known.others, local) if known else Concept(name, kind, (), local)
        yield from ((each, concept) for each in local)
