"""A boolean query as SQL: what PubMed would find, among the articles that are here (issue 4.2).

All that is words or names becomes one `tsquery` for the index of `article_words`; dates and `near` are
conditions beside it. An article that is here twice, as record and as full text, is judged by its record, as
PubMed does. What was retracted is not found.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.filters import EVERYTHING, Filters
from storage.corpus.lexical import ASKED, FROM_POSTINGS, posting_params, weigh_terms
from storage.corpus.records import IS_RECORD
from storage.corpus.terms import count_terms
from storage.corpus.withdrawal import IS_CITABLE
from storage.corpus.word_index import GAP, first_day, fold_name, last_day
from storage.documents import PartialDate
from storage.query import (
    TEXT,
    AllOf,
    AnyOf,
    Field,
    HasAbstract,
    Published,
    Query,
    Term,
    Without,
    search_terms,
    words_of,
)
from storage.words import STOP_WORDS, split_words

FARTHEST = GAP // 2  # words between those of a `near`: no farther, or it would reach from field to field


@dataclass(frozen=True, slots=True)
class Matches:
    """Article keys, best first; `count` is how many match in all. `unknown` are words that no text here has,
    nor any other form of them."""

    keys: tuple[str, ...]
    count: int
    unknown: tuple[str, ...] = ()


_MATCHED = f"""
matched AS MATERIALIZED (
  SELECT a.id, a.key, w.latest FROM article_words w JOIN articles a ON a.id = w.article_id
  WHERE {{condition}} AND {IS_CITABLE} AND {IS_RECORD}
)"""
_SEARCH = f"""
{ASKED}, {_MATCHED}, scored AS (
  SELECT p.article_id, max(s.score) AS score
  FROM ({FROM_POSTINGS.format(which="")}) s JOIN passages p ON p.id = s.id GROUP BY p.article_id
)
SELECT m.key, count(*) OVER () AS total FROM matched m LEFT JOIN scored s ON s.article_id = m.id
ORDER BY round(s.score::numeric, 6) DESC NULLS LAST, m.latest DESC NULLS LAST, m.key LIMIT :limit
"""


async def search_boolean(
    connection: AsyncConnection, query: Query, limit: int, filters: Filters = EVERYTHING
) -> Matches:
    """The `limit` best of what matches a normal query, by BM25 of its words in their best passage.

    Of 300 questions asked as an OR of their words, BM25 had a right article first for 0.86, the server's own
    `ts_rank_cd` for 0.36 and `ts_rank` for 0.40 (150 each of pubmedqa and bioasq, of the half for choosing).

    Ties, and articles without a passage, go by date, the newest first, then by key. `filters.unknown_year`
    lets articles without a date pass a date limit of the query too.
    """
    terms = await weigh_terms(connection, count_terms(" ".join(words_of(query))))
    conditions = _Conditions(undated=filters.unknown_year)
    condition = conditions.of(query)
    extra, params = filters.sql()
    statement = _SEARCH.format(condition=f"{condition} AND {extra}" if extra else condition)
    params |= conditions.params | posting_params(terms) | {"limit": limit}
    rows = (await connection.execute(text(statement), params)).all()
    unknown = tuple(word for word in _text_words(query) if set(count_terms(word)) & terms.unknown)
    return Matches(tuple(row.key for row in rows), rows[0].total if rows else 0, unknown)


def _text_words(query: Query) -> list[str]:
    """Headings may name what no text does, and a prefix is no word: neither can be unknown."""
    texts = [term for term in search_terms(query) if term.field in TEXT and not term.prefix]
    return words_of(AllOf(tuple(texts)))


class _Conditions:
    """SQL conditions on `article_words w`, with their parameters."""

    def __init__(self, *, undated: bool) -> None:
        self.params: dict[str, Any] = {}
        self._undated = undated

    def of(self, query: Query) -> str:
        if (words := _tsquery(query)) is not None:
            return f"w.words @@ CAST(:{self._bind(words)} AS tsquery)"
        match query:
            case AllOf(parts):
                return self._joined(" AND ", " & ", parts)
            case AnyOf(parts):
                return self._joined(" OR ", " | ", parts)
            case Without(base, unwanted):
                return f"({self.of(base)} AND NOT {self.of(unwanted)})"
            case Published():
                return self._published(query)
            case Term():
                return self._near(query)
            case _:
                raise AssertionError(query)

    def _bind(self, value: Any) -> str:
        name = f"q{len(self.params)}"
        self.params[name] = value
        return name

    def _joined(self, sql: str, words: str, parts: Iterable[Query]) -> str:
        """What the index can answer goes to it as one question."""
        plain = {part: found for part in parts if (found := _tsquery(part)) is not None}
        conditions = [self.of(part) for part in parts if part not in plain]
        if plain:
            name = self._bind(words.join(plain.values()))
            conditions.insert(0, f"w.words @@ CAST(:{name} AS tsquery)")
        return f"({sql.join(conditions)})"

    def _published(self, asked: Published) -> str:
        limits = []
        if asked.first:
            limits.append(f"w.latest >= :{self._bind(first_day(_possible(asked.first)))}")
        if asked.last:
            limits.append(f"w.earliest <= :{self._bind(last_day(_possible(asked.last)))}")
        return f"coalesce({' AND '.join(limits)}, {str(self._undated).lower()})"

    def _near(self, term: Term) -> str:
        """All words in one window, in any order. The index knows who has the words, the window is looked for
        in what it finds."""
        words = list(dict.fromkeys(split_words(term.text)))
        weights = _WEIGHTS[term.field]
        everywhere = " & ".join(f"'{word}':{weights}" for word in words)
        window = len(words) - 1 + min(term.near or 0, FARTHEST)
        names = [self._bind(value) for value in (everywhere, words, list(weights), len(words), window)]
        return _NEAR.format(*names)


def _possible(day: PartialDate) -> PartialDate:
    """A day whose year a calendar has."""
    return replace(day, year=min(max(day.year, MINYEAR), MAXYEAR))


_NEAR = """(w.words @@ CAST(:{0} AS tsquery) AND EXISTS (
  WITH places AS (
    SELECT u.lexeme, p.place FROM unnest(w.words) u, unnest(u.positions, u.weights) p(place, weight)
    WHERE u.lexeme = ANY(CAST(:{1} AS text[])) AND p.weight = ANY(CAST(:{2} AS text[]))
  )
  SELECT FROM places f JOIN places p ON p.place BETWEEN f.place AND f.place + CAST(:{4} AS int)
  GROUP BY f.place HAVING count(DISTINCT p.lexeme) = CAST(:{3} AS int)
))"""
_WEIGHTS = {Field.ANY: "", Field.TITLE_ABSTRACT: "AB", Field.TITLE: "A"}
_NAMES = {Field.MESH: "mx", Field.MESH_ALONE: "mh", Field.TYPE: "pt", Field.LANGUAGE: "la"}


def _tsquery(query: Query) -> str | None:
    """The query for the index alone; None where a part of it needs more."""
    match query:
        case HasAbstract():
            return "'has=abstract'"
        case Term():
            return _term(query) if query.near is None else None
        case AllOf(parts):
            return _all(" & ", parts)
        case AnyOf(parts):
            return _all(" | ", parts)
        case Without(base, unwanted):
            kept, removed = _tsquery(base), _tsquery(unwanted)
            return f"({kept} & !{removed})" if kept is not None and removed is not None else None
        case _:
            return None


def _all(operator: str, parts: Iterable[Query]) -> str | None:
    found = [_tsquery(part) for part in parts]
    words = [part for part in found if part is not None]
    return f"({operator.join(words)})" if len(words) == len(found) else None


def _term(term: Term) -> str:
    if kind := _NAMES.get(term.field):
        return f"'{kind}={fold_name(term.text)}'"
    if term.field is not Field.ANY:
        return _phrase(split_words(term.text), _WEIGHTS[term.field], term.prefix)
    words = [part for part in map(split_words, term.text.split()) if part]
    asked = [part for part in words if len(part) > 1 or part[0] not in STOP_WORDS] or words
    return "(" + " & ".join(_phrase(part, "", term.prefix) for part in asked) + ")"


def _phrase(words: list[str], weights: str, prefix: bool) -> str:
    """Words are letters and digits alone (`split_words`), so nothing in them can be an operator."""
    marks = [weights] * len(words)
    marks[-1] = ("*" if prefix else "") + weights
    parts = (f"'{word}'" + (f":{mark}" if mark else "") for word, mark in zip(words, marks, strict=True))
    return "(" + " <-> ".join(parts) + ")"
