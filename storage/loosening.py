"""Ways to ask for less: each finds all that the query found before, and perhaps more (methods.md 1.3).

loosen           every term one step wider: phrase, near, words of the field, words anywhere
drop_limits      no date, no abstract, no type, no language, nothing excluded
leave_one_out    one concept less, each in turn
"""

from __future__ import annotations

from dataclasses import replace

from storage.query import (
    AllOf,
    AnyOf,
    Field,
    HasAbstract,
    Published,
    Query,
    Term,
    Without,
    all_of,
    any_of,
    normalise,
)
from storage.words import split_words

NEAR = 5  # words that may stand between those of a phrase before its words are asked apart (our choice)


def loosen(query: Query) -> Query | None:
    """Each term one step wider; what is excluded stays as it is. Equal to the query once nothing is left."""
    match query:
        case Term():
            return _widen(query)
        case AllOf(parts):
            return all_of(*(loosen(part) for part in parts))
        case AnyOf(parts):
            return any_of(*(loosen(part) for part in parts))
        case Without(base, unwanted):
            wider = loosen(base)
            return normalise(Without(wider, unwanted)) if wider else None
        case _:
            return query


def _widen(term: Term) -> Query | None:
    if term.field is Field.MESH_ALONE:
        return normalise(replace(term, field=Field.MESH))
    if term.field is Field.MESH:
        return normalise(Term(term.text.partition("/")[0]))
    if term.field in (Field.ANY, Field.TYPE, Field.LANGUAGE):
        return normalise(term)
    words = split_words(term.text)
    if len(words) > 1:
        if not term.prefix and (term.near is None or term.near < NEAR):
            return normalise(replace(term, near=0 if term.near is None else NEAR))
        last = Term(words[-1], term.field, prefix=term.prefix)
        return all_of(*(Term(word, term.field) for word in words[:-1]), last)
    wider = Field.TITLE_ABSTRACT if term.field is Field.TITLE else Field.ANY
    return normalise(replace(term, field=wider))


def drop_limits(query: Query) -> Query | None:
    """Only the concepts. None if there were none."""
    match query:
        case Published() | HasAbstract() | Term(field=Field.TYPE | Field.LANGUAGE):
            return None
        case AllOf(parts):
            return all_of(*(drop_limits(part) for part in parts))
        case AnyOf(parts):
            wider = [drop_limits(part) for part in parts]
            return None if None in wider else any_of(*wider)
        case Without(base, _):
            return drop_limits(base)
        case _:
            return normalise(query)


def leave_one_out(query: Query) -> tuple[Query, ...]:
    """The query without one of its concepts, the last left out first; limits stay. Empty for a single one."""
    match query:
        case Without(base, unwanted):
            return tuple(Without(wider, unwanted) for wider in leave_one_out(base))
        case AllOf(parts):
            concepts = [part for part in parts if drop_limits(part) is not None]
            if len(concepts) < 2:
                return ()
            fewer = (all_of(*(part for part in parts if part is not left)) for left in reversed(concepts))
            return tuple(part for part in fewer if part)
        case _:
            return ()
