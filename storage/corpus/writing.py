"""Loading articles: one transaction replaces all that is derived from them (cases F20, F21)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector import HalfVector
from pgvector.psycopg import register_vector_async
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.lexical import merge_segments, open_segment, seal_segment
from storage.corpus.records import article_to_json, content_hash
from storage.corpus.terms import count_terms
from storage.documents import Article, Passage
from storage.encoders import EncoderManifest
from storage.text import clean_text


@dataclass(frozen=True, slots=True)
class CutArticle:
    """An article with what was derived from it, ready to be stored.

    `vectors` is [len(passages), dimensions], a row per passage; a row that is not finite or all zero is
    left out of vector search and reported.
    """

    article: Article
    text: str
    passages: Sequence[Passage]
    vectors: NDArray[np.float32]


@dataclass(slots=True)
class Stored:
    articles: int = 0
    passages: int = 0
    unsearchable: list[str] = field(default_factory=list)  # passage ids without a usable vector


_KNOWN = "SELECT doc_id, content_hash FROM articles WHERE doc_id = ANY(:ids) AND cut_for = :cut_for"
_UPSERT = """
INSERT INTO articles (doc_id, key, title, text, record, year, language, publication_types, standing, source,
                      content_hash, cut_for, standing_checked_at)
VALUES (:doc_id, :key, :title, :text, CAST(:record AS jsonb), :year, :language, :publication_types, :standing,
        :source, :content_hash, :cut_for, now())
ON CONFLICT (doc_id) DO UPDATE SET key = excluded.key, title = excluded.title, text = excluded.text,
  record = excluded.record, year = excluded.year, language = excluded.language,
  publication_types = excluded.publication_types, standing = excluded.standing, source = excluded.source,
  content_hash = excluded.content_hash, cut_for = excluded.cut_for, standing_checked_at = now()
RETURNING id
"""
# Whatever may not be cited has no passages, and so cannot be found by any stream, now or later.
_WITHDRAW = """
DELETE FROM passages p USING articles a WHERE a.id = p.article_id AND a.key = ANY(:keys)
AND EXISTS (SELECT 1 FROM articles w WHERE w.key = a.key AND w.standing IN ('retracted', 'retraction_notice'))
"""


async def unchanged(connection: AsyncConnection, articles: Sequence[Article], cut_for: str) -> set[str]:
    """doc_ids that are stored just so already: they need no cutting and no encoding."""
    ids = [article.doc_id for article in articles]
    rows = (await connection.execute(text(_KNOWN), {"ids": ids, "cut_for": cut_for})).all()
    stored = {row.doc_id: row.content_hash for row in rows}
    return {article.doc_id for article in articles if stored.get(article.doc_id) == content_hash(article)}


async def touch(connection: AsyncConnection, doc_ids: Sequence[str]) -> None:
    """An unchanged record was seen again: its standing is as fresh as this load."""
    query = "UPDATE articles SET standing_checked_at = now() WHERE doc_id = ANY(:ids)"
    await connection.execute(text(query), {"ids": list(doc_ids)})


async def replace_articles(
    connection: AsyncConnection, batch: Sequence[CutArticle], manifest: EncoderManifest, cut_for: str
) -> Stored:
    """Store a batch, each article in place of its former self. Readers see the old set or the new one.

    The last of several with one doc_id wins. Run inside one transaction.
    """
    batch = list({cut.article.doc_id: cut for cut in batch}.values())
    await connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('carecite.corpus'))"))
    article_ids = [
        (await connection.execute(text(_UPSERT), _row(cut, cut_for))).scalar_one() for cut in batch
    ]
    await connection.execute(text("DELETE FROM passages WHERE article_id = ANY(:ids)"), {"ids": article_ids})
    stored = Stored(articles=len(batch))
    count = sum(len(cut.passages) for cut in batch if cut.article.standing.citable)
    query = "SELECT nextval(pg_get_serial_sequence('passages', 'id')) FROM generate_series(1, :n)"
    ids = iter((await connection.execute(text(query), {"n": count})).scalars().all())
    segment = await open_segment(connection)
    rows = _Rows(segment, manifest)
    for article_id, cut in zip(article_ids, batch, strict=True):
        if cut.article.standing.citable:
            rows.add(article_id, cut, ids, stored)
    await rows.copy(connection)
    await connection.execute(text(_WITHDRAW), {"keys": [cut.article.key for cut in batch]})
    await seal_segment(connection, segment)
    await merge_segments(connection)
    return stored


def _row(cut: CutArticle, cut_for: str) -> dict[str, Any]:
    article = cut.article
    return {
        "doc_id": article.doc_id,
        "key": article.key,
        "title": article.title,
        "text": cut.text,
        "record": json.dumps(article_to_json(article), ensure_ascii=False),
        "year": article.year,
        "language": article.language,
        "publication_types": [kind.name for kind in article.publication_types],
        "standing": article.standing.value,
        "source": article.source,
        "content_hash": content_hash(article),
        "cut_for": cut_for,
    }


class _Rows:
    """Rows of one batch, collected for binary COPY."""

    def __init__(self, segment: int, manifest: EncoderManifest) -> None:
        self.segment = segment
        self.manifest = manifest
        self.passages: list[tuple[Any, ...]] = []
        self.terms: list[tuple[Any, ...]] = []
        self.vectors: list[tuple[Any, ...]] = []

    def add(self, article_id: int, cut: CutArticle, ids: Any, stored: Stored) -> None:
        """The title and the author's keywords are searched with every passage."""
        heading = count_terms(" ".join((cut.article.title, *cut.article.keywords)))
        for passage, vector in zip(cut.passages, cut.vectors, strict=True):
            key = next(ids)
            body = clean_text(passage.text)
            span = (passage.start, passage.own_start, passage.end, passage.n_tokens)
            self.passages.append((key, article_id, passage.idx, passage.section, passage.page, *span, body))
            terms = count_terms(passage.text) + heading
            length = min(sum(terms.values()), 32_767)
            self.terms.append(
                (key, self.segment, list(terms), [min(n, 32_767) for n in terms.values()], length)
            )
            if is_usable(vector, self.manifest.dimensions):
                self.vectors.append((key, HalfVector(vector)))
            else:
                stored.unsearchable.append(passage.id)
            stored.passages += 1

    async def copy(self, connection: AsyncConnection) -> None:
        raw = await connection.get_raw_connection()
        driver = raw.driver_connection
        assert isinstance(driver, psycopg.AsyncConnection)
        await register_vector_async(driver)
        span = ("int4", "int4", "int4", "int2")
        await _copy(
            driver,
            "passages (id, article_id, idx, section, page, start, own_start, stop, n_tokens, text)",
            ("int4", "int4", "int2", "text", "int4", *span, "text"),
            self.passages,
        )
        await _copy(
            driver,
            "lexical_documents (passage_id, segment_id, terms, tfs, length)",
            ("int4", "int4", "text[]", "int2[]", "int2"),
            self.terms,
        )
        await copy_vectors(driver, self.manifest, self.vectors)


def is_usable(vector: NDArray[Any], dimensions: int) -> bool:
    """Right length, finite and not zero, as half precision sees it (case F20)."""
    half = np.asarray(vector, dtype=np.float16)
    return half.shape == (dimensions,) and bool(np.isfinite(half).all()) and bool(half.any())


async def copy_vectors(
    driver: psycopg.AsyncConnection[Any], manifest: EncoderManifest, rows: Sequence[tuple[int, HalfVector]]
) -> None:
    """Binary COPY of (passage_id, vector) rows."""
    await _copy(driver, f"{manifest.table} (passage_id, embedding)", ("int4", "halfvec"), rows)


async def _copy(
    driver: psycopg.AsyncConnection[Any], target: str, types: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    statement = f"COPY {target} FROM STDIN (FORMAT BINARY)"
    async with driver.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(types)
        for row in rows:
            await copy.write_row(row)
