"""Loading articles: one transaction replaces all that is derived from them (cases F20, F21)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.lexical import merge_segments, open_segment, seal_segment
from storage.corpus.records import article_to_json, clean_article, content_hash
from storage.corpus.registry import register_encoder
from storage.corpus.rows import Rows
from storage.corpus.withdrawal import IS_WITHDRAWN, MARK, withdraw
from storage.corpus.word_index import index_row
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
    """What a batch became. Articles in `revived` were withdrawn with a record that is in good standing again:
    they have to be cut anew."""

    articles: int = 0
    passages: int = 0
    unsearchable: list[str] = field(default_factory=list)  # passage ids without a usable vector
    revived: list[str] = field(default_factory=list)  # doc_ids


_KNOWN = f"""
SELECT a.doc_id, a.content_hash FROM articles a WHERE a.doc_id = ANY(:ids)
AND (a.cut_for = :cut_for OR (a.cut_for = '{MARK}' AND {IS_WITHDRAWN}))
"""
_COLUMNS = {
    "doc_id": "text",
    "key": "text",
    "title": "text",
    "text": "text",
    "record": "jsonb",
    "year": "smallint",
    "language": "text",
    "publication_types": "text[]",
    "standing": "text",
    "source": "text",
    "content_hash": "text",
}
_UPSERT = f"""
INSERT INTO articles ({", ".join(_COLUMNS)}, cut_for, standing_checked_at)
SELECT r.*, :cut_for, now() FROM json_to_recordset(CAST(:rows AS json))
  AS r({", ".join(f"{name} {kind}" for name, kind in _COLUMNS.items())})
ON CONFLICT (doc_id) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _COLUMNS)},
  cut_for = excluded.cut_for, standing_checked_at = excluded.standing_checked_at
RETURNING doc_id, id
"""
_INDEX = """
INSERT INTO article_words (article_id, words, earliest, latest)
SELECT * FROM json_to_recordset(CAST(:rows AS json))
  AS r(article_id int, words tsvector, earliest date, latest date)
ON CONFLICT (article_id) DO UPDATE SET
  words = excluded.words, earliest = excluded.earliest, latest = excluded.latest
"""
# One load at a time, and as long as it takes. A merge of the lexical index may outlast a query's limit.
_BEGIN = """
SELECT pg_advisory_xact_lock(hashtext('carecite.corpus')), set_config('statement_timeout', '0', true)
"""
_IDS = "SELECT nextval(pg_get_serial_sequence('passages', 'id')) FROM generate_series(1, :n)"


async def begin_writing(connection: AsyncConnection) -> None:
    """Wait until no other load is under way; until the end of the transaction."""
    await connection.execute(text(_BEGIN))


async def unchanged(connection: AsyncConnection, articles: Sequence[Article], cut_for: str) -> set[str]:
    """doc_ids that are stored just so already: they need no cutting and no encoding.

    Of several with one doc_id the last counts, as it does in `replace_articles`.
    """
    asked = {article.doc_id: article for article in articles}
    rows = (await connection.execute(text(_KNOWN), {"ids": list(asked), "cut_for": cut_for})).all()
    return {row.doc_id for row in rows if row.content_hash == content_hash(asked[row.doc_id])}


async def touch(connection: AsyncConnection, doc_ids: Sequence[str]) -> None:
    """An unchanged record was seen again: its standing is as fresh as this load."""
    query = "UPDATE articles SET standing_checked_at = now() WHERE doc_id = ANY(:ids)"
    await connection.execute(text(query), {"ids": list(doc_ids)})


async def replace_articles(
    connection: AsyncConnection, batch: Sequence[CutArticle], manifest: EncoderManifest, cut_for: str
) -> Stored:
    """Store a batch, each article in place of its former self. Readers see the old set or the new one.

    The last of several with one doc_id wins. Run inside one transaction; what takes long on the processor
    runs beside the event loop. Raises EncoderMismatch.
    """
    cuts = await asyncio.to_thread(_by_doc_id, batch)
    await begin_writing(connection)
    await register_encoder(connection, manifest)
    rows = await asyncio.to_thread(_rows, cuts.values())
    stored_ids = (await connection.execute(text(_UPSERT), {"rows": rows, "cut_for": cut_for})).all()
    ids: dict[str, int] = {row.doc_id: row.id for row in stored_ids}
    await index_words(connection, [(ids[doc_id], article) for doc_id, (article, _) in cuts.items()])
    keys = [article.key for article, _ in cuts.values()]
    pmcids = [article.pmcid for article, _ in cuts.values() if article.pmcid]
    withdrawn, revived = await withdraw(connection, ids.values(), keys, pmcids)
    stale = "DELETE FROM passages WHERE article_id = ANY(:ids)"
    await connection.execute(text(stale), {"ids": list({*ids.values(), *withdrawn})})
    kept = {doc_id: entry for doc_id, entry in cuts.items() if ids[doc_id] not in withdrawn}
    segment = await open_segment(connection)
    new = Rows(segment, manifest)
    count = sum(len(cut.passages) for _, cut in kept.values())
    passage_ids = iter((await connection.execute(text(_IDS), {"n": count})).scalars().all())
    await asyncio.to_thread(_fill, new, kept, ids, passage_ids)
    await new.copy(connection)
    await seal_segment(connection, segment)
    await merge_segments(connection)
    return Stored(len(cuts), len(new), new.unsearchable, revived)


async def index_words(connection: AsyncConnection, articles: Sequence[tuple[int, Article]]) -> None:
    """What a boolean search finds these articles by, in place of what it was; by article id."""
    rows = await asyncio.to_thread(_index_rows, articles)
    await connection.execute(text(_INDEX), {"rows": rows})


def _index_rows(articles: Sequence[tuple[int, Article]]) -> str:
    return json.dumps([{"article_id": key, **index_row(article)} for key, article in articles])


_Cuts = dict[str, tuple[Article, CutArticle]]


def _by_doc_id(batch: Iterable[CutArticle]) -> _Cuts:
    """Cleaned articles, each with its cut."""
    cleaned = ((clean_article(cut.article), cut) for cut in batch)
    return {article.doc_id: (article, cut) for article, cut in cleaned}


def _fill(new: Rows, kept: _Cuts, ids: Mapping[str, int], passage_ids: Iterator[int]) -> None:
    for doc_id, (article, cut) in kept.items():
        new.add(ids[doc_id], article, cut.passages, cut.vectors, passage_ids)


def _rows(cuts: Iterable[tuple[Article, CutArticle]]) -> str:
    return json.dumps([_row(article, cut) for article, cut in cuts], ensure_ascii=False)


def _row(article: Article, cut: CutArticle) -> dict[str, Any]:
    year = article.year
    return {
        "doc_id": article.doc_id,
        "key": article.key,
        "title": article.title,
        "text": clean_text(cut.text),
        "record": article_to_json(article),
        "year": year if year is not None and 0 < year < 10_000 else None,
        "language": article.language,
        "publication_types": [kind.name for kind in article.publication_types],
        "standing": article.standing.value,
        "source": article.source,
        "content_hash": content_hash(article),
    }
