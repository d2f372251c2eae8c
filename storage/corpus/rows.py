"""Rows of one batch on their way into the tables, by binary COPY (case F20)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector import HalfVector
from pgvector.psycopg import register_vector_async
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.terms import count_terms
from storage.documents import Article, Passage
from storage.encoders import EncoderManifest
from storage.text import clean_text

_MOST = 32_767  # of a smallint


class Rows:
    """Passages with their terms and vectors, collected for one lexical segment and one encoder."""

    def __init__(self, segment: int, manifest: EncoderManifest) -> None:
        self._segment = segment
        self._manifest = manifest
        self._passages: list[tuple[Any, ...]] = []
        self._terms: list[tuple[Any, ...]] = []
        self._vectors: list[tuple[int, HalfVector]] = []
        self.unsearchable: list[str] = []  # passage ids without a usable vector

    def __len__(self) -> int:
        return len(self._passages)

    def add(
        self,
        article_id: int,
        article: Article,
        passages: Sequence[Passage],
        vectors: NDArray[Any],
        ids: Iterator[int],
    ) -> None:
        """The title and the author's keywords are searched with every passage."""
        heading = count_terms(" ".join((article.title, *article.keywords)))
        for passage, vector in zip(passages, vectors, strict=True):
            key, body = next(ids), clean_text(passage.text)
            section = passage.section and clean_text(passage.section)
            span = (passage.start, passage.own_start, passage.end, passage.n_tokens)
            self._passages.append((key, article_id, passage.idx, section, passage.page, *span, body))
            terms = count_terms(body) + heading
            tfs = [min(n, _MOST) for n in terms.values()]
            length = min(sum(terms.values()), _MOST)
            self._terms.append((key, self._segment, list(terms), tfs, length))
            if is_usable(vector, self._manifest.dimensions):
                self._vectors.append((key, HalfVector(vector)))
            else:
                self.unsearchable.append(clean_text(passage.id))

    async def copy(self, connection: AsyncConnection) -> None:
        driver = await driver_of(connection)
        span = ("int4", "int4", "int4", "int2")
        await copy_rows(
            driver,
            "passages (id, article_id, idx, section, page, start, own_start, stop, n_tokens, text)",
            ("int4", "int4", "int2", "text", "int4", *span, "text"),
            self._passages,
        )
        await copy_rows(
            driver,
            "lexical_documents (passage_id, segment_id, terms, tfs, length)",
            ("int4", "int4", "text[]", "int2[]", "int2"),
            self._terms,
        )
        await copy_vectors(driver, passage_vectors(self._manifest), self._vectors)


def is_usable(vector: NDArray[Any], dimensions: int) -> bool:
    """Right length, finite and not zero, as half precision sees it (case F20)."""
    with np.errstate(over="ignore"):
        half = np.asarray(vector).astype(np.float16)
    return half.shape == (dimensions,) and bool(np.isfinite(half).all()) and bool(half.any())


async def driver_of(connection: AsyncConnection) -> psycopg.AsyncConnection[Any]:
    """psycopg's own connection, in the transaction that SQLAlchemy began, for COPY."""
    driver = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, psycopg.AsyncConnection)
    return driver


async def copy_vectors(
    driver: psycopg.AsyncConnection[Any], target: str, rows: Sequence[tuple[int, HalfVector]]
) -> None:
    """Binary COPY of (id, vector) rows into `table (key, column)`."""
    if rows:
        await register_vector_async(driver)
        await copy_rows(driver, target, ("int4", "halfvec"), rows)


def passage_vectors(manifest: EncoderManifest) -> str:
    """Where `copy_vectors` puts those of passages."""
    return f"{manifest.table} (passage_id, embedding)"


async def copy_rows(
    driver: psycopg.AsyncConnection[Any], target: str, types: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Binary COPY into `table (columns)`."""
    statement = f"COPY {target} FROM STDIN (FORMAT BINARY)"
    async with driver.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(types)
        for row in rows:
            await copy.write_row(row)
