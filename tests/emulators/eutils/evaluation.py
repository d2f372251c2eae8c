"""A query against a corpus: from left to right, with what was dropped, ignored and translated on the way."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

import numpy as np

from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.fields import Field
from tests.emulators.eutils.findings import Found, Leaf, Notes, combine
from tests.emulators.eutils.index import Mask
from tests.emulators.eutils.mapping import TermMapping
from tests.emulators.eutils.syntax import Expression, History, Joined, Range, Tagged, Words, parse
from tests.emulators.eutils.terms import Terms

MOST_WILDCARDS = 255
_LAST = re.compile(r"last (\d+)? ?(day|month|year)s?$")
_DATE = re.compile(r"(\d{1,4})(?:/(\d{1,2}))?(?:/(\d{1,2}))?$")


class BackendError(Exception):
    """The search cannot be run; the text is what `<ERROR>` holds."""


@dataclass(frozen=True, slots=True)
class Dates:
    """Date limits of a request; `first` and `last` as they came."""

    field: Field
    first: str
    last: str


@dataclass(slots=True)
class Evaluation:
    """`translation` is shown in QueryTranslation; `leaves` are what ranking looks at."""

    mask: Mask
    translation: str
    notes: Notes
    leaves: list[Leaf] = field(default_factory=list)


def evaluate(
    corpus: Corpus, query: str, *, dates: Dates | None = None, history: Mapping[int, Mask] | None = None
) -> Evaluation:
    """Raises BackendError where PubMed would not run it."""
    if query.count("*") > MOST_WILDCARDS:
        raise BackendError(f"Search Backend failed: Exception: too many wildcards ({query.count('*')})")
    notes = Notes()
    evaluator = _Evaluator(corpus, notes, history or {})
    try:
        parsed = parse(query)
        found = evaluator.run(parsed) if parsed else None
    except RecursionError:
        raise BackendError("Search Backend failed: Exception: the query is nested too deeply") from None
    if found and dates and (limits := evaluator.range(Range(dates.first, dates.last, dates.field))):
        found = combine(found, "AND", limits)
    if found is None:
        lost = " AND ".join(notes.lost)
        return Evaluation(corpus.mask_of([]), f"({lost})" if lost else "", notes)
    return Evaluation(found.mask, found.translation, notes, found.leaves)


class _Evaluator:
    def __init__(self, corpus: Corpus, notes: Notes, history: Mapping[int, Mask]) -> None:
        self._corpus = corpus
        self._notes = notes
        self._history = history
        self._terms = Terms(corpus, notes)
        self._mapping = TermMapping(corpus, self._terms, notes)

    def run(self, expression: Expression) -> Found | None:
        """The left side of a long chain is walked, not descended into."""
        rights: list[tuple[str, Expression]] = []
        while isinstance(expression, Joined):
            rights.append((expression.operator, expression.right))
            expression = expression.left
        result = self._term(expression)
        for operator, right in reversed(rights):
            part = self.run(right)
            result = combine(result, operator, part)
        return result

    def _term(self, term: Words | Tagged | Range | History) -> Found | None:
        if isinstance(term, Words):
            return self._words(term)
        if isinstance(term, Tagged):
            return self._terms.find(term)
        if isinstance(term, Range):
            return self.range(term)
        mask = self._history.get(term.number)
        return None if mask is None else Found(mask, f"#{term.number}")

    def _words(self, term: Words) -> Found | None:
        if not term.quoted:
            return self._mapping.map(term.text)
        found = self._terms.phrase_anywhere(term.text)
        if found is None:
            self._notes.quoted_not_found.append(f'"{term.text}"')
            return self._mapping.map(term.text)
        return found

    def range(self, term: Range) -> Found | None:
        """Records of a span of dates, both ends included; dates that cannot be read fall away."""
        span = _read_span(term.first, term.last)
        if span is None:
            text = term.first if term.first == term.last else f"{term.first}:{term.last}"
            self._notes.lose(text, term.field.name, tagged=True)
            return None
        low, high = span
        numbers = self._corpus.published if term.field.code == "PDAT" else self._corpus.entered
        mask = (numbers >= low) & (numbers <= high) & (numbers > 0)
        return Found(np.asarray(mask), f"{_show(low)}:{_show(high)}[{term.field.name}]")


def _show(number: int) -> str:
    text = f"{number:08d}"
    return f"{text[:4]}/{text[4:6]}/{text[6:]}"


def _read_span(first: str, last: str) -> tuple[int, int] | None:
    """YYYYMMDD of both ends."""
    if recent := _LAST.match(first.lower()):
        days = {"day": 1, "month": 30, "year": 365}[recent[2]] * int(recent[1] or 1)
        today = date.today()  # noqa: DTZ011 - PubMed's day is a day, without a zone
        return int(f"{today - timedelta(days=days):%Y%m%d}"), int(f"{today:%Y%m%d}")
    low, high = _DATE.match(first.strip()), _DATE.match(last.strip())
    if not low or not high:
        return None
    start = int(low[1]) * 10_000 + int(low[2] or 1) * 100 + int(low[3] or 1)
    year, month = int(high[1]), int(high[2] or 12)
    last_day = monthrange(year, month)[1] if 1 <= month <= 12 and year else 31
    return start, year * 10_000 + month * 100 + int(high[3] or last_day)
