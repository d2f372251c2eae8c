"""Articles with passages and vectors as written, for tests of the index alone: nothing is cut or encoded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import psycopg

from storage.corpus import CutArticle
from storage.documents import Article, Passage, Section

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
