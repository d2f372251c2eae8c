"""Articles, looks into a database and counted statements, for the tests of storage.

`cut` gives passages and vectors as written, for tests of the index alone; `article` and `load` go through the
segmenter and the encoder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import psycopg
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from reasoning.encoders import Encoder
from reasoning.retrieval.indexing import IndexReport, index_articles
from storage.corpus import Corpus, CutArticle
from storage.corpus.terms import count_terms
from storage.documents import Article, Passage, Section, SectionKind

DIMENSIONS = 384


def pad(vector: Sequence[float]) -> np.ndarray:
    """The vector with zeros up to the encoder's length."""
    return np.pad(np.asarray(vector, dtype=np.float32), (0, DIMENSIONS - len(vector)))


def cut(
    doc_id: str,
    texts: Sequence[str] = ("Socks keep feet warm.",),
    vectors: Sequence[Sequence[float] | np.ndarray] | None = None,
    **fields: Any,
) -> CutArticle:
    """An article whose passages are these texts; vectors are padded, and (1) where none are given."""
    article = Article(
        doc_id=doc_id,
        **{
            "title": "",
            "source": "pubmed",
            "pmid": doc_id if doc_id.isdigit() else None,
            "sections": tuple(Section(text) for text in texts),
            **fields,
        },
    )
    passages, start = [], 0
    for idx, text in enumerate(texts):
        end = start + len(text)
        passages.append(
            Passage(
                doc_id=doc_id,
                idx=idx,
                text=text,
                start=start,
                own_start=start,
                end=end,
                n_tokens=len(text) // 4,
            )
        )
        start = end
    rows = np.array([pad(vector) for vector in vectors or [(1.0,)] * len(texts)], dtype=np.float32)
    return CutArticle(article, "".join(texts), passages, rows.reshape(len(texts), DIMENSIONS))


def query(url: str, statement: str, *params: Any) -> list[tuple[Any, ...]]:
    """The rows of one statement, by a connection of its own."""
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement, params or None)
        return cursor.fetchall() if cursor.description else []


def doc_ids(url: str) -> dict[int, str]:
    """Passage id -> doc_id."""
    rows = query(url, "SELECT p.id, a.doc_id FROM passages p JOIN articles a ON a.id = p.article_id")
    return {int(key): str(doc_id) for key, doc_id in rows}


def article(doc_id: str, text: str, **fields: Any) -> Article:
    """A PubMed record with this abstract."""
    sections = (Section(text, kind=SectionKind.ABSTRACT),) if text else ()
    given = {"pmid": doc_id, "title": "Socks", "source": "pubmed", "sections": sections}
    return Article(doc_id=doc_id, **{**given, **fields})


async def load(corpus: Corpus, encoder: Encoder, articles: Sequence[Article], **more: bool) -> IndexReport:
    """Load all; the last report. Reports of a run are one object that grows."""
    reports = [report async for report in index_articles(articles, corpus, encoder, **more)]
    return reports[-1] if reports else IndexReport()


async def words_found(corpus: Corpus, words: str) -> list[str]:
    """Article keys of the passages that hold any of these words, best first."""
    terms = await corpus.weigh_terms(count_terms(words))
    return [hit.article_key for hit in await corpus.search_lexical(terms, 50)]


@contextmanager
def counted(engine: AsyncEngine) -> Iterator[list[str]]:
    """What goes to the server meanwhile: statements, BEGIN and COMMIT."""
    sent: list[str] = []

    def note(*call: Any) -> None:
        sent.append(str(call[2]))

    def note_begin(*_: Any) -> None:
        sent.append("BEGIN")

    listeners = {"before_cursor_execute": note, "begin": note_begin}
    for name, listener in listeners.items():
        event.listen(engine.sync_engine, name, listener)
    try:
        yield sent
    finally:
        for name, listener in listeners.items():
            event.remove(engine.sync_engine, name, listener)
