"""What a boolean query means, written out plainly over articles: slow, and with no SQL and no index."""

from __future__ import annotations

import calendar
from collections.abc import Sequence

from storage.documents import Article, PartialDate
from storage.query import AllOf, AnyOf, Field, HasAbstract, Published, Query, Term, Without
from storage.words import STOP_WORDS, split_words

LANGUAGES = {"en": "english", "eng": "english", "de": "german", "ger": "german"}


def matches(article: Article, query: Query, *, undated: bool = False) -> bool:
    match query:
        case AllOf(parts):
            return all(matches(article, part, undated=undated) for part in parts)
        case AnyOf(parts):
            return any(matches(article, part, undated=undated) for part in parts)
        case Without(base, unwanted):
            kept = matches(article, base, undated=undated)
            return kept and not matches(article, unwanted, undated=undated)
        case HasAbstract():
            return bool(article.sections)
        case Published(first, last):
            if article.published is None:
                return undated
            earliest, latest = span(article.published)
            return (first is None or latest >= span(first)[0]) and (last is None or earliest <= span(last)[1])
        case Term():
            return _has(article, query)


def span(day: PartialDate) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """The days that a date may mean, a day that its month has not got being the month's last."""
    first, last = day.month or 1, day.month or 12
    ends = [calendar.monthrange(day.year, month)[1] for month in (first, last)]
    return (day.year, first, min(day.day or 1, ends[0])), (day.year, last, min(day.day or 31, ends[1]))


def _has(article: Article, term: Term) -> bool:
    headings = [heading.name for heading in article.mesh]
    types = [kind.name for kind in article.publication_types]
    asked = split_words(term.text)
    match term.field:
        case Field.MESH:
            return any(_is_kind_of(name, asked) for name in headings)
        case Field.MESH_ALONE:
            return any(split_words(name) == asked for name in headings)
        case Field.TYPE:
            return any(_is_kind_of(name, asked) for name in types)
        case Field.LANGUAGE:
            return LANGUAGES[article.original_language or article.language] == term.text
        case Field.TITLE:
            return any(_holds(text, term) for text in [article.title])
        case Field.TITLE_ABSTRACT:
            return any(_holds(text, term) for text in _texts(article))
        case Field.ANY:
            everywhere = [*_texts(article), *headings, *types]
            chunks = [chunk for chunk in term.text.split() if split_words(chunk)]
            heavy = [chunk for chunk in chunks if not set(split_words(chunk)) <= STOP_WORDS or "-" in chunk]
            return all(
                any(_holds(text, Term(chunk, prefix=term.prefix)) for text in everywhere)
                for chunk in heavy or chunks
            )


def _texts(article: Article) -> list[str]:
    return [article.title, *article.keywords, " ".join(part.text for part in article.sections)]


def _is_kind_of(name: str, asked: list[str]) -> bool:
    head = split_words(name.split(",")[0])
    return split_words(name) == asked or head[-len(asked) :] == asked


def _holds(text: str, term: Term) -> bool:
    words, asked = split_words(text), split_words(term.text)
    if term.near is not None:
        return _near(words, set(asked), term.near)
    length = len(asked)
    runs = [words[start : start + length] for start in range(len(words) - length + 1)]
    return any(
        run[:-1] == asked[:-1] and (run[-1].startswith(asked[-1]) if term.prefix else run[-1] == asked[-1])
        for run in runs
    )


def _near(words: Sequence[str], asked: set[str], between: int) -> bool:
    window = len(asked) + between
    return any(asked <= set(words[start : start + window]) for start in range(len(words)))
