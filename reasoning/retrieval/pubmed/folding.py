"""Words, tags and operators put together, from left to right as PubMed does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from reasoning.retrieval.pubmed.errors import QuerySyntaxError
from reasoning.retrieval.pubmed.tags import DATES, FIELDS, FILTERS, KNOWN_FILTERS, fold_tag
from storage.documents import PartialDate
from storage.query import (
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

_DATE = re.compile(r"(\d{4})(?:[/-](0?[1-9]|1[0-2])(?:[/-](0?[1-9]|[12]\d|3[01]))?)?")
_NEAR = re.compile(r"(.+):~\s*(\d{1,4})")


@dataclass(frozen=True, slots=True)
class Tagged:
    """Words or a quoted phrase with the tag as written, brackets included."""

    text: str
    tag: str | None
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Operator:
    name: str  # AND, OR, NOT or ":"


Piece = Tagged | Operator | Query | None


class Folding:
    """One way to deal with faults."""

    def fault(self, reason: str) -> None:
        raise NotImplementedError

    def fold(self, pieces: Sequence[Piece]) -> Query | None:
        """One group. None if it asks nothing."""
        result = _Joined()
        operator: str | None = None
        began = False
        for piece in self._ranges(pieces):
            if isinstance(piece, Operator):
                if not began or operator:
                    self.fault("An operator stands alone.")
                operator = piece.name if operator is None or piece.name == "NOT" else operator
                continue
            query = self.read(piece) if isinstance(piece, Tagged) else piece
            if query is None and not self._asks_nothing(piece):
                self.fault("A group is empty.")
            result.join(operator or "AND", query)
            operator, began = None, True
        if operator:
            self.fault("An operator stands alone.")
        return result.query()

    def _asks_nothing(self, piece: Piece) -> bool:
        """An open date range is no fault."""
        return isinstance(piece, Published)

    def _ranges(self, pieces: Sequence[Piece]) -> list[Piece]:
        """Two dates with a colon between them are one piece."""
        rest, found = list(pieces), list[Piece]()
        while rest:
            match rest:
                case [Tagged() as first, Operator(":"), Tagged() as last, *_] if _is_range(first, last):
                    found.append(Published(_read_day(first.text), _read_day(last.text)))
                    rest = rest[3:]
                case [Operator(":"), *_]:
                    self.fault("A colon stands between what are no dates.")
                    rest = rest[1:]
                case _:
                    found.append(rest.pop(0))
        return found

    def read(self, piece: Tagged) -> Query | None:
        """A term with its tag."""
        text, tag = piece.text.strip(), fold_tag(piece.tag or "")
        near = _NEAR.fullmatch(tag)
        if not text or (piece.tag and not tag):
            self.fault("A tag or a term is empty.")
        if not text:
            return None
        if text.lower() == "hasabstract" and not piece.quoted and (not tag or tag in FILTERS):
            return HasAbstract()
        if tag in DATES:
            return self._read_date(text)
        if tag in FILTERS:
            return self._read_filter(text)
        field = FIELDS.get(near.group(1) if near else tag) if tag else Field.ANY
        if field is None:
            self.fault("There is no such tag.")
        term = Term(text, field or Field.ANY, int(near.group(2)) if near else None, text.endswith("*"))
        if (query := normalise(term)) is None:
            self.fault("A term has no word.")
        return query

    def _read_date(self, text: str) -> Query | None:
        if not _DATE.fullmatch(text):
            self.fault("This is no date.")
            return None
        day = _read_day(text)
        return normalise(Published(day, day))

    def _read_filter(self, text: str) -> Query | None:
        if known := KNOWN_FILTERS.get(text.lower()):
            return normalise(Term(*known))
        self.fault("There is no such filter.")
        return None


class Strict(Folding):
    """What PubMed would guess at is refused."""

    def fault(self, reason: str) -> NoReturn:
        raise QuerySyntaxError(reason)


class Lenient(Folding):
    """What cannot be read is left out."""

    def fault(self, reason: str) -> None:
        pass


class _Joined:
    """What stands to the left; parts of one operator are gathered, so that a long list costs no more."""

    def __init__(self) -> None:
        self._operator = "AND"
        self._parts: list[Query] = []

    def join(self, operator: str, part: Query | None) -> None:
        if part is None or (operator == "NOT" and not self._parts):
            return
        if operator != self._operator and len(self._parts) > 1:
            self._parts = [left] if (left := self.query()) else []
        self._operator = operator
        self._parts.append(part)

    def query(self) -> Query | None:
        if self._operator == "NOT":
            base, *unwanted = self._parts
            return normalise(Without(base, AnyOf(tuple(unwanted))))
        return any_of(*self._parts) if self._operator == "OR" else all_of(*self._parts)


def _is_range(first: Tagged, last: Tagged) -> bool:
    tags = {fold_tag(piece.tag) for piece in (first, last) if piece.tag}
    dates = all(_DATE.fullmatch(piece.text.strip()) for piece in (first, last))
    return dates and bool(tags) and tags <= DATES


def _read_day(text: str) -> PartialDate | None:
    found = _DATE.fullmatch(text.strip())
    year, *rest = (int(part) if part else None for part in found.groups()) if found else (None,)
    return PartialDate(year, *rest) if year is not None else None
