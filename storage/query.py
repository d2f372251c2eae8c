"""A boolean query as a typed tree: built from concepts, never from text that a person or a model wrote.

    Query = Term | AllOf | AnyOf | Without | Published | HasAbstract

The corpus runs it as SQL (`storage.corpus.boolean`); PubMed gets it as text (`reasoning.retrieval.pubmed`).
Both mean the same, so that an offline search and a private mirror behave alike (issue 4.2). Whoever
builds one uses `all_of`, `any_of` and `normalise`: only a normal tree can be run or printed. Loosening is in
`storage.loosening`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from storage.documents import PartialDate
from storage.languages import pubmed_language
from storage.text import clean_text
from storage.words import STOP_WORDS, split_words


class Field(StrEnum):
    """Where a term is looked for; the value is PubMed's tag, empty for automatic term mapping."""

    ANY = ""
    TITLE_ABSTRACT = "tiab"
    TITLE = "ti"
    MESH = "mh"  # with all that lies below the heading
    MESH_ALONE = "mh:noexp"
    TYPE = "pt"
    LANGUAGE = "la"


TEXT = (Field.ANY, Field.TITLE_ABSTRACT, Field.TITLE)  # fields whose words are searched one by one
FIRST_YEAR, LAST_YEAR = 1000, 3000  # with these and beyond, a date is open (PubMed's own way to say so)
SHORTEST_PREFIX = 4  # letters; PubMed refuses shorter ones (methods.md 5.3)


@dataclass(frozen=True, slots=True)
class Term:
    """Words in a field: all of them anywhere for ANY, a phrase in title and abstract, elsewhere a name.

    `near` lets that many words stand between those of a phrase, in any order (title and abstract only);
    `prefix` takes every last word that begins so (four letters at least).
    """

    text: str
    field: Field = Field.ANY
    near: int | None = None
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class AllOf:
    parts: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    parts: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Without:
    """What matches `base` but not `unwanted`."""

    base: Query
    unwanted: Query


@dataclass(frozen=True, slots=True)
class Published:
    """Publication date, both ends inclusive, either may be open. A record that states its date less precisely
    passes if it may lie within: a year alone is not 1 January (case F09)."""

    first: PartialDate | None = None
    last: PartialDate | None = None


@dataclass(frozen=True, slots=True)
class HasAbstract:
    pass


Query = Term | AllOf | AnyOf | Without | Published | HasAbstract


def all_of(*parts: Query | None) -> Query | None:
    """What matches every part; None and parts that ask nothing are left out."""
    return normalise(AllOf(tuple(part for part in parts if part is not None)))


def any_of(*parts: Query | None) -> Query | None:
    """What matches one of the parts at least; None and parts that ask nothing are left out."""
    return normalise(AnyOf(tuple(part for part in parts if part is not None)))


def normalise(query: Query) -> Query | None:
    """The same query in its one normal form: no nesting that does nothing, no repeats, no syntax in words.

    A part that asks nothing (no word, no date, no parts) is no condition. None if nothing is left.
    """
    match query:
        case AllOf(parts) | AnyOf(parts):
            kind = type(query)
            flat = dict.fromkeys(_flatten(parts, kind))
            return kind(tuple(flat)) if len(flat) > 1 else next(iter(flat), None)
        case Without(base, unwanted):
            kept, removed = normalise(base), normalise(unwanted)
            if isinstance(kept, Without) and removed:
                return normalise(Without(kept.base, AnyOf((kept.unwanted, removed))))
            return Without(kept, removed) if kept and removed else kept
        case Published(first, last):
            first = first if first and first.year > FIRST_YEAR else None
            last = last if last and last.year < LAST_YEAR else None
            return Published(first, last) if first or last else None
        case Term():
            return _normal_term(query)
        case _:
            return query


def _flatten(parts: Iterable[Query], kind: type[AllOf] | type[AnyOf]) -> Iterator[Query]:
    for part in parts:
        normal = normalise(part)
        if isinstance(normal, kind):
            yield from normal.parts
        elif normal is not None:
            yield normal


_SYNTAX = re.compile(r"[\s\"“”„«»()\[\]{}*:~]+")
_STEM = re.compile(rf"[^\W_]{{{SHORTEST_PREFIX},}}$")
_HAS_ABSTRACT = re.compile(r"(?<!\S)hasabstract(?!\S)", re.IGNORECASE)
_OPERATOR = re.compile(r"\b(?:AND|OR|NOT)\b")


def _normal_term(term: Term) -> Query | None:
    """Patients write AND, OR and brackets too: in a term they are words, or nothing (case F05)."""
    text = _SYNTAX.sub(" ", clean_text(term.text).replace("’", "'").replace("‘", "'")).strip()
    text = _OPERATOR.sub(lambda found: found.group().lower(), text)
    words = split_words(text)
    if not words:
        return None
    if term.field is Field.ANY and _HAS_ABSTRACT.search(text):  # PubMed reads it so
        return all_of(replace(term, text=_HAS_ABSTRACT.sub(" ", text)), HasAbstract())
    if term.field not in TEXT:
        text = pubmed_language(text) if term.field is Field.LANGUAGE else text
        return Term(text, term.field)
    prefix = term.prefix and _STEM.search(text) is not None
    first, _, last = text.rpartition(" ")
    if prefix and first and term.field is Field.ANY:
        # a star switches term mapping off: the rest stands apart
        return all_of(Term(first), Term(last, prefix=True))
    near = term.near if len(words) > 1 and not prefix and term.field is not Field.ANY else None
    return replace(term, text=text, prefix=prefix, near=near if near is None else max(0, near))


def words_of(query: Query) -> list[str]:
    """The search words of a query, folded, each once: no stop words, no types, no languages, nothing that is
    excluded. A query without any must not be sent (case F05)."""
    words = (word for term in search_terms(query) for word in split_words(term.text))
    return [word for word in dict.fromkeys(words) if word not in STOP_WORDS]


def search_terms(query: Query) -> Iterator[Term]:
    """The terms that records are looked for by, in order."""
    match query:
        case Term(field=Field.TYPE | Field.LANGUAGE):
            return
        case Term():
            yield query
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from search_terms(part)
        case Without(base, _):
            yield from search_terms(base)
