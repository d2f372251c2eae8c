"""From concepts to the queries of Adapt-E, strict to loose (methods.md 1.3), four at most.

    L1 strict       every concept that must be there, each by heading or phrase, within the date limit
    L2 abstraction  the disease and what is asked about it, with their other names, within the date limit
    L3 relaxed      two of the four rarest concepts, words anywhere, the date limit twice as wide
    L4 rescue       any of the concepts that must be there, else of all; no limit

Every level holds a concept that must be there: its hits are still about the subject (case F04).

Each level is one search, so that a question costs four at most. Where the table of methods.md has a loop (two
rarest concepts, leave one out), the alternatives stand in one OR instead, and relevance sorts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from reasoning.methods.cometa.clauses import (
    is_searchable,
    named_clause,
    nearest_clause,
    strict_clause,
    two_of,
)
from reasoning.rewriting import Concept, Rewriting, Vocabulary
from storage.documents import PartialDate
from storage.query import HasAbstract, Published, Query, Term, all_of, any_of, words_of
from storage.words import STOP_WORDS, split_words

RARE = 4  # concepts of which L3 wants two


@dataclass(frozen=True, slots=True)
class Level:
    """`query` is normal and has search words; `why` is for the trace."""

    name: str  # L1 to L4
    query: Query
    why: str


def plan_levels(rewriting: Rewriting, vocabulary: Vocabulary, today: date) -> tuple[Level, ...]:
    """At most four levels, none twice; without concepts the keywords of the English text, or nothing."""
    ranked = rank_concepts(rewriting, vocabulary)
    planned: list[tuple[str, Query | None, str]] = []
    if ranked:
        must = [concept for concept in ranked if concept.must] or ranked[:2]
        core = _core(rewriting, ranked) or ranked[:2]
        rare = must[:RARE] if len(must) > 1 else ranked[:RARE]
        limit, wider = date_limit(rewriting, today), date_limit(rewriting, today, times=2)
        planned = [
            (
                "L1",
                all_of(*map(strict_clause, must), limit, HasAbstract()),
                "every concept that must be there",
            ),
            (
                "L2",
                all_of(*map(named_clause, core), limit, HasAbstract()),
                "the disease and what is asked about it",
            ),
            ("L3", all_of(two_of(rare), wider), "two of the rarest concepts"),
            (
                "L4",
                any_of(*(nearest_clause(each, vocabulary) for each in _known(must, vocabulary) or ranked)),
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
    fitting = [concept for concept in rewriting.concepts if is_searchable(concept.name)]
    return sorted(fitting, key=lambda concept: (not concept.must, -vocabulary.rarity(concept.name)))


def date_limit(rewriting: Rewriting, today: date, times: int = 1) -> Published | None:
    """The limit that the question sets, `times` as wide, counted back from its last year; None for none."""
    kind, value = rewriting.date.kind, rewriting.date.value or ""
    years = [int(part) for part in value.split("-") if part.strip().isdecimal() and len(part.strip()) <= 4]
    if kind == "none" or not years or max(years) > today.year:
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


def _core(rewriting: Rewriting, ranked: Sequence[Concept]) -> list[Concept]:
    """The first disease and the first thing asked about it, as they are ranked; what must be there before."""
    pico = rewriting.pico
    core = [
        concept for group in (pico.P, pico.I) for concept in [each for each in ranked if each in group][:1]
    ]
    return core if not core or any(each.must for each in core) else [*ranked[:1], *core]


def _known(must: Sequence[Concept], vocabulary: Vocabulary) -> list[Concept]:
    """Those that articles name, as far as that can be told."""
    return [
        concept
        for concept in must
        if not vocabulary.is_large or any(map(vocabulary.count, (*concept.names, *concept.mesh_candidates)))
    ]
