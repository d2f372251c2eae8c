"""A query tree as PubMed reads it: every group in brackets, operators in capitals, every phrase in quotes."""

from __future__ import annotations

import re

from storage.documents import PartialDate
from storage.query import (
    FIRST_YEAR,
    LAST_YEAR,
    AllOf,
    AnyOf,
    Field,
    HasAbstract,
    Published,
    Query,
    Term,
    Without,
    normalise,
)

_PLAIN = re.compile(r"[a-zA-Z0-9]+")


def print_query(query: Query) -> str:
    """Text that `parse_query` reads back as the same tree, in normal form; empty if the tree asks nothing.

    Characters stay as they are: the transport encodes them.
    """
    normal = normalise(query)
    return _print(normal) if normal is not None else ""


def _print(query: Query) -> str:
    match query:
        case AllOf(parts):
            return " AND ".join(map(_group, parts))
        case AnyOf(parts):
            return " OR ".join(map(_group, parts))
        case Without(base, unwanted):
            return f"{_group(base)} NOT {_group(unwanted)}"
        case Published(first, last):
            return f"{_day(first) or FIRST_YEAR}:{_day(last) or LAST_YEAR}[dp]"
        case HasAbstract():
            return "hasabstract"
        case Term():
            return _term(query)


def _group(query: Query) -> str:
    printed = _print(query)
    whole = isinstance(query, Published | HasAbstract) or (isinstance(query, Term) and query.field)
    return printed if whole or " " not in printed else f"({printed})"


def _day(day: PartialDate | None) -> str | None:
    return str(day).replace("-", "/") if day else None


def _term(term: Term) -> str:
    star = "*" if term.prefix else ""
    if term.field is Field.ANY:
        return f"{term.text}{star}"
    if term.near is not None:
        return f'"{term.text}"[{term.field}:~{term.near}]'
    quote = "" if _PLAIN.fullmatch(term.text) else '"'
    return f"{quote}{term.text}{star}{quote}[{term.field}]"
