"""What a boolean search can find an article by: one `tsvector` of its words, as PubMed's index has them.

Words are not stemmed. A is the title; B what PubMed's [tiab] covers beside it: abstracts in any language, the
plain summary, the author's keywords, and the whole text of what has no abstract, such as a page of the
library. C can only be found untagged: MeSH headings, journal or book, publication types, the original title.
Names that are matched whole are entries with a `=` in them, which no word has:

    mh=lung neoplasms   mx=neoplasms   pt=review   la=english   has=abstract
"""

from __future__ import annotations

import calendar
from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from typing import Any

from storage.documents import Article, PartialDate, SectionKind
from storage.languages import pubmed_language
from storage.words import split_words

GAP = 100  # places between two fields: neither a phrase nor `near` reaches across
_LAST_PLACE = 16_383  # of a tsvector; a text is found by words up to here
_MOST_BYTES = 500_000  # a tsvector holds 1 MB with all of its places


def index_row(article: Article) -> dict[str, Any]:
    """The columns of `article_words`: the vector as PostgreSQL reads it, and the span of possible dates."""
    span = _span(article.published)
    return {
        "words": words_vector(article),
        "earliest": span and str(span[0]),
        "latest": span and str(span[1]),
    }


def _span(published: PartialDate | None) -> tuple[date, date] | None:
    """None for no date, and for one that no calendar has."""
    try:
        return (first_day(published), last_day(published)) if published else None
    except ValueError:
        return None


def words_vector(article: Article) -> str:
    vector = _Vector()
    for name in names_of(article):
        vector.add_name(name)
    vector.add(article.title, "A")
    for keyword in article.keywords:
        vector.add(keyword, "B")
    headings = (" ".join((heading.name, *heading.qualifiers)) for heading in article.mesh)
    types = (kind.name for kind in article.publication_types)
    for text in (*headings, article.container, *types, article.original_title):
        vector.add(text or "", "C")
    for text in (article.plain_summary or "", *(foreign.text for foreign in article.other_abstracts)):
        vector.add(text, "B")
    vector.add(" ".join(_abstract(article)), "B")
    return str(vector)


def _abstract(article: Article) -> Iterable[str]:
    """Label and text of the abstract's parts; of all parts where nothing is called an abstract."""
    parts = [part for part in article.sections if part.kind is SectionKind.ABSTRACT] or article.sections
    return (f"{part.label or ''} {part.text}" for part in parts)


def names_of(article: Article) -> list[str]:
    """The entries that are matched whole."""
    language = pubmed_language(article.original_language or article.language)
    names = [f"la={fold_name(language)}"]
    if article.sections:
        names.append("has=abstract")
    for heading in article.mesh:
        names.append(f"mh={fold_name(heading.name)}")
        names += (f"mx={name}" for name in broader_names(heading.name))
    for kind in article.publication_types:
        names += (f"pt={name}" for name in broader_names(kind.name))
    return list(dict.fromkeys(names))


def fold_name(name: str) -> str:
    """A heading or type as it is compared; what follows a slash is a qualifier."""
    return " ".join(split_words(name.partition("/")[0]))


def broader_names(name: str) -> list[str]:
    """A heading, folded, and those that it seems to lie below, going by the words alone.

    Headings name the kind last, or first before a comma: Lung Neoplasms are Neoplasms, Diabetes Mellitus,
    Type 2 is Diabetes Mellitus, but Heart Failure is no Heart. This stands in for the MeSH tree, which the
    corpus has not got: a heading that does not repeat the broader one's words is missed (our choice; of all
    pairs in MeSH's tree of neoplasms it finds a tenth, and 94 of 100 that it finds are right).
    """
    head = fold_name(name.partition(",")[0]).split()
    whole = [folded] if (folded := fold_name(name)) else []
    return list(dict.fromkeys([*whole, *(" ".join(head[start:]) for start in range(len(head)))]))


def first_day(day: PartialDate) -> date:
    return date(day.year, day.month or 1, min(day.day or 1, _days(day.year, day.month or 1)))


def last_day(day: PartialDate) -> date:
    month = day.month or 12
    return date(day.year, month, min(day.day or 31, _days(day.year, month)))


def _days(year: int, month: int) -> int:
    return calendar.monthrange(year, month)[1]


class _Vector:
    """The text form of a tsvector."""

    def __init__(self) -> None:
        self._places: dict[str, list[str]] = defaultdict(list)
        self._next = 1
        self._bytes = 0

    def add_name(self, name: str) -> None:
        self._places[name] = []

    def add(self, text: str, weight: str) -> None:
        for word in split_words(text):
            if self._next >= _LAST_PLACE or self._bytes >= _MOST_BYTES:
                return
            self._bytes += 2 if word in self._places else len(word.encode()) + 8
            self._places[word].append(f"{self._next}{weight}")
            self._next += 1
        self._next += GAP

    def __str__(self) -> str:
        entries = (
            f"'{entry}'" + (":" + ",".join(places) if places else "")
            for entry, places in self._places.items()
        )
        return " ".join(entries)
