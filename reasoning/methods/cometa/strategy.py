"""From concepts to the queries of Adapt-E, strict to loose (methods.md 1.3), four at most.

    L1 strict       every concept that must be there, each by heading or phrase, within the date limit
    L2 abstraction  the disease and what is asked about it, with their other names, within the date limit
    L3 relaxed      two of the four rarest concepts, words anywhere, the date limit twice as wide
    L4 rescue       any of the concepts; no limit

Each level is one search, so that a question costs four at most. Where the table of methods.md has a loop (two
rarest concepts, leave one out), the alternatives stand in one OR instead, and relevance sorts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations

from reasoning.methods.cometa.rewriting import Concept, Rewriting, Vocabulary
from reasoning.methods.cometa.rewriting.lexicon import meaning_of
from storage.documents import PartialDate
from storage.query import (
    SHORTEST_PREFIX,
    Field,
    HasAbstract,
    Published,
    Query,
    Term,
    all_of,
    any_of,
    words_of,
)
from storage.words import STOP_WORDS, split_words

RARE = 4  # concepts of which L3 wants two
_SYNONYMS = 2  # at L1; all of them from L2 on
_PREFIX_FROM = 6  # letters of a word from which its other endings count too
_ALIKE = 3  # words spelled almost like one that no article has
_BEGINNING = 6  # letters of a word, and two thirds of it, by which L4 still knows it


@dataclass(frozen=True, slots=True)
class Level:
    """`query` is normal and has search words; `why` is for the trace."""

    name: str  # L1 to L4
    query: Query
    why: str


def plan_levels(rewriting: Rewriting, vocabulary: Vocabulary, today: date) -> tuple[Level, ...]:
    """One to four levels, none twice; without concepts the keywords of the English text, or nothing at all."""
    ranked = rank_concepts(rewriting, vocabulary)
    planned: list[tuple[str, Query | None, str]] = []
    if ranked:
        must = [concept for concept in ranked if concept.must] or ranked[:2]
        core = _core(rewriting, ranked) or ranked[:2]
        rare = must[:RARE] if len(must) > 1 else ranked[:RARE]
        limit, wider = date_limit(rewriting, today), date_limit(rewriting, today, times=2)
        planned = [
            ("L1", all_of(*map(_strict, must), limit, HasAbstract()), "every concept that must be there"),
            (
                "L2",
                all_of(*map(_named, core), limit, HasAbstract()),
                "the disease and what is asked about it",
            ),
            ("L3", all_of(_two_of(rare), wider), "two of the rarest concepts"),
            (
                "L4",
                any_of(*(_whatever(each, vocabulary) for each in ranked)),
                "any of the concepts, or of their words",
            ),
        ]
    elif words := keywords(rewriting.question_en, vocabulary):
        planned = [("L4", any_of(*(Term(word) for word in words)), "no concept was recognised: its words")]
    levels: list[Level] = []
    for name, query, why in planned:
        if query is not None and words_of(query) and all(query != level.query for level in levels):
            levels.append(Level(name, query, why))
    return tuple(levels)


def rank_concepts(rewriting: Rewriting, vocabulary: Vocabulary) -> list[Concept]:
    """Those that can be searched for, must before may, then the rarest first."""
    fitting = [concept for concept in rewriting.concepts if _searchable(concept.name)]
    return sorted(fitting, key=lambda concept: (not concept.must, -vocabulary.rarity(concept.name)))


def date_limit(rewriting: Rewriting, today: date, times: int = 1) -> Published | None:
    """The limit that the question sets, `times` as wide, counted back from its last year; None for none."""
    kind, value = rewriting.date.kind, rewriting.date.value or ""
    years = [int(part) for part in value.split("-") if part.strip().isdecimal() and len(part.strip()) <= 4]
    if kind == "none" or not years:
        return None
    if kind == "last_years":
        first, last = today.year - max(1, years[0]) * times, None
    elif kind == "range" and len(years) > 1:
        low, high = min(years), max(years)
        first, last = high - (high - low + 1) * times + 1, PartialDate(high) if high >= 1 else None
    else:
        first, last = today.year - (today.year - years[0]) * times, None
    return Published(PartialDate(first), last) if first >= 1000 else None


def keywords(text: str, vocabulary: Vocabulary) -> list[str]:
    """The four rarest words of a text that are more than grammar."""
    words = [
        w for w in dict.fromkeys(split_words(text)) if w not in STOP_WORDS and w.isascii() and len(w) > 2
    ]
    return sorted(words, key=lambda word: -vocabulary.rarity(word))[:RARE]


def _searchable(name: str) -> bool:
    words = split_words(name)
    return any(word not in STOP_WORDS for word in words) and all(word.isascii() for word in words)


def _core(rewriting: Rewriting, ranked: Sequence[Concept]) -> list[Concept]:
    """The first disease and the first thing asked about it, as they are ranked."""
    pico = rewriting.pico
    return [
        concept for group in (pico.P, pico.I) for concept in [each for each in ranked if each in group][:1]
    ]


def _strict(concept: Concept) -> Query | None:
    """By heading or as a phrase, with the nearest names."""
    names = [*concept.names[:1], *_generic(concept), *concept.synonyms[:_SYNONYMS]]
    return any_of(*_headings(concept), *(clause for name in names for clause in _phrases(name, concept)))


def _named(concept: Concept) -> Query | None:
    """By heading or any of its names as phrases."""
    return any_of(
        *_headings(concept), *(clause for name in concept.names for clause in _phrases(name, concept))
    )


def _anywhere(concept: Concept) -> Query | None:
    """Its names without a field, so that PubMed maps them by itself."""
    return any_of(*(Term(name) for name in concept.names if _searchable(name)))


def _whatever(concept: Concept, vocabulary: Vocabulary) -> Query | None:
    """Its names, and whatever is nearest where no article has them.

    Their words one by one, what begins like them or is spelled almost so (but never another drug), and the class
    of a drug.
    """
    meaning = meaning_of(concept.name)
    words = [word for word in split_words(concept.name) if word not in STOP_WORDS and len(word) > 3]
    single = [] if concept.gene else [word for word in words if word.isalpha() and word.isascii()]
    beginnings = (word[: max(_BEGINNING, len(word) * 2 // 3)] for word in single)
    alike = [name for word in single for name in _alike(word, vocabulary)]
    return any_of(
        _anywhere(concept),
        *(Term(word) for word in (words if len(words) > 1 else ())),
        *(Term(word, Field.TITLE_ABSTRACT, prefix=True) for word in beginnings),
        *(Term(name) for name in alike if not concept.drug_generic),
        Term(meaning.wider) if meaning and meaning.wider else None,
    )


def _alike(word: str, vocabulary: Vocabulary) -> list[str]:
    """Words of the corpus spelled almost like one that it lacks; a drug is never taken for another."""
    near = [(name, meaning_of(name)) for name in vocabulary.similar.get(word, ())]
    return [name for name, meaning in near if meaning is None or meaning.kind != "drug"][:_ALIKE]


def _two_of(concepts: Sequence[Concept]) -> Query | None:
    if len(concepts) < 2:
        return any_of(*map(_anywhere, concepts))
    return any_of(*(all_of(_anywhere(one), _anywhere(two)) for one, two in combinations(concepts, 2)))


def _generic(concept: Concept) -> list[str]:
    return [name for name in (concept.drug_generic, concept.gene) if name]


def _headings(concept: Concept) -> Iterable[Query]:
    return (Term(heading, Field.MESH) for heading in concept.mesh_candidates if _searchable(heading))


def _phrases(name: str, concept: Concept) -> Iterable[Query]:
    """A phrase as it stands and with its words in any order; a word with its other endings, but for names."""
    words = split_words(name)
    if not _searchable(name):
        return
    if len(words) > 1:
        yield Term(name, Field.TITLE_ABSTRACT, near=0)
        yield Term(name, Field.TITLE_ABSTRACT)
    elif concept.gene or concept.drug_generic or len(name) < _PREFIX_FROM or not name.isalpha():
        yield Term(name, Field.TITLE_ABSTRACT)
    else:
        stem = _stem(name)
        yield Term(stem, Field.TITLE_ABSTRACT, prefix=len(stem) >= SHORTEST_PREFIX)


def _stem(word: str) -> str:
    """Without what its plural changes: biops for biopsy, metastas for metastasis."""
    lower = word.lower()
    for ending in ("ies", "sis", "ses", "es", "y", "s"):
        if (
            lower.endswith(ending)
            and not lower.endswith(("ss", "us"))
            and len(word) - len(ending) >= SHORTEST_PREFIX
        ):
            return word[: -len(ending)] + ("s" if ending in ("sis", "ses") else "")
    return word
