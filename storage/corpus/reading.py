"""Reading passages and their articles back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.filters import Filters
from storage.corpus.records import IS_RECORD, article_from_json
from storage.corpus.schema import WITHDRAWN_WORDS
from storage.corpus.withdrawal import IS_CITABLE, MARK
from storage.documents import Article, Passage


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage with its article (without the article's text)."""

    passage_id: int
    passage: Passage
    article: Article
    n_passages: int  # of the article
    labels: tuple[str, ...] = ()  # of the article's sections, which may open a line of the text
    standing_checked: date | None = None  # when the article's standing was last read


@dataclass(frozen=True, slots=True)
class WithdrawnArticle:
    """A retracted article (without its sections), the beginning of its text, and when that was checked. Only
    to say that it was left out."""

    article: Article
    beginning: str
    checked: date


_PASSAGES = """
SELECT p.id, a.doc_id, p.idx, p.text, p.start, p.own_start, p.stop, p.n_tokens, p.section, p.page,
       a.record - 'sections' AS record, jsonb_path_query_array(a.record, '$.sections[*].label') AS labels,
       a.standing_checked_at,
       (SELECT count(*) FROM passages q WHERE q.article_id = a.id) AS n_passages
FROM passages p JOIN articles a ON a.id = p.article_id
"""


async def read_passages(connection: AsyncConnection, ids: Sequence[int]) -> dict[int, StoredPassage]:
    """Passages by id; ids that are gone are left out."""
    query = text(_PASSAGES + "WHERE p.id = ANY(:ids)")
    return {row.id: _stored(row) for row in (await connection.execute(query, {"ids": list(ids)})).all()}


async def read_neighbours(
    connection: AsyncConnection, places: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], StoredPassage]:
    """Passages by (doc_id, idx)."""
    query = text(
        _PASSAGES + "JOIN unnest(CAST(:docs AS text[]), CAST(:places AS int[])) AS w(doc_id, idx)"
        " ON w.doc_id = a.doc_id AND w.idx = p.idx"
    )
    params = {"docs": [doc for doc, _ in places], "places": [idx for _, idx in places]}
    rows = (await connection.execute(query, params)).all() if places else []
    return {(row.doc_id, row.idx): _stored(row) for row in rows}


# Full texts of primary studies only where asked for, or where nothing else is held of the article.
_OF_ARTICLES = """
SELECT p.id, a.key FROM passages p JOIN articles a ON a.id = p.article_id
WHERE a.key = ANY(:keys) AND (:whole_studies OR a.record->>'doc_class' <> 'D3' OR NOT EXISTS (
  SELECT 1 FROM articles b WHERE b.key = a.key AND b.record->>'doc_class' <> 'D3'))
AND {condition}
"""


async def list_passages(
    connection: AsyncConnection, keys: Collection[str], filters: Filters, *, whole_studies: bool
) -> dict[int, str]:
    """Passage -> article key, for every passage of these articles (methods.md 1.5 on `whole_studies`)."""
    condition, params = filters.sql()
    params |= {"keys": list(keys), "whole_studies": whole_studies}
    query = text(_OF_ARTICLES.format(condition=condition or "true"))
    rows = (await connection.execute(query, params)).all() if keys else []
    return {row.id: row.key for row in rows}


def _stored(row) -> StoredPassage:  # type: ignore[no-untyped-def]
    passage = Passage(
        doc_id=row.doc_id,
        idx=row.idx,
        text=row.text,
        start=row.start,
        own_start=row.own_start,
        end=row.stop,
        n_tokens=row.n_tokens,
        section=row.section,
        page=row.page,
    )
    article, checked = article_from_json(row.record), row.standing_checked_at.date()
    return StoredPassage(row.id, passage, article, row.n_passages, tuple(row.labels), checked)


async def read_article(connection: AsyncConnection, doc_id: str) -> Article | None:
    row = (
        await connection.execute(text("SELECT record FROM articles WHERE doc_id = :id"), {"id": doc_id})
    ).first()
    return article_from_json(row.record) if row else None


_CHECKED = f"""
SELECT doc_id, record FROM articles
WHERE doc_id = ANY(:ids) AND source = :source AND cut_for <> '{MARK}'
  AND (CAST(:since AS timestamptz) IS NULL OR standing_checked_at >= :since)
"""


async def read_checked(
    connection: AsyncConnection, doc_ids: Sequence[str], source: str, checked_since: datetime | None
) -> dict[str, Article]:
    """Articles that came through this door, by doc_id; those whose standing was seen since then only.

    A record that another one took along (see `withdrawal`) is left out: it must be read anew.
    """
    params = {"ids": list(doc_ids), "source": source, "since": checked_since}
    rows = (await connection.execute(text(_CHECKED), params)).all()
    return {row.doc_id: article_from_json(row.record) for row in rows}


async def read_records(connection: AsyncConnection, keys: Collection[str]) -> dict[str, Article]:
    """Articles by key, in good or bad standing; of one that is here twice, the record."""
    query = text(f"SELECT a.key, a.record FROM articles a WHERE a.key = ANY(:keys) AND {IS_RECORD}")
    rows = (await connection.execute(query, {"keys": list(keys)})).all() if keys else []
    return {row.key: article_from_json(row.record) for row in rows}


async def read_full_texts(connection: AsyncConnection, pmcids: Collection[str]) -> dict[str, Article]:
    """Full texts by PMCID; what is withdrawn is left out."""
    query = text(
        "SELECT a.doc_id, a.record FROM articles a WHERE a.doc_id = ANY(:pmcids)"
        f" AND (a.record->>'full_text')::boolean AND {IS_CITABLE}"
    )
    rows = (await connection.execute(query, {"pmcids": list(pmcids)})).all() if pmcids else []
    return {row.doc_id: article_from_json(row.record) for row in rows}


_COUNTS = "SELECT source, count(*) FROM articles GROUP BY source ORDER BY source"


async def count_articles(connection: AsyncConnection) -> dict[str, int]:
    """How many articles came through each door."""
    return {source: int(n) for source, n in (await connection.execute(text(_COUNTS))).all()}


MOST_WITHDRAWN = 200  # our choice: more are not counted

_WITHDRAWN = f"""
SELECT record - 'sections' AS record, left(text, 20000) AS beginning, standing_checked_at
FROM articles, to_tsquery('english', :query) AS words
WHERE standing = 'retracted' AND to_tsvector('english', {WITHDRAWN_WORDS}) @@ words
ORDER BY ts_rank(to_tsvector('english', {WITHDRAWN_WORDS}), words) DESC, id LIMIT {MOST_WITHDRAWN}
"""


async def find_withdrawn(connection: AsyncConnection, words: Sequence[str]) -> list[WithdrawnArticle]:
    """Retracted articles that have any of these words in their title or the beginning of their text, those
    with most of them first."""
    safe = [word for word in words if word.isalnum()]
    if not safe:
        return []
    rows = (await connection.execute(text(_WITHDRAWN), {"query": " | ".join(safe)})).all()
    return [
        WithdrawnArticle(article_from_json(row.record), row.beginning, row.standing_checked_at.date())
        for row in rows
    ]
