"""The corpus as the reasoning sees it: one object, frozen dataclasses in and out, SQL inside."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from numpy.typing import NDArray
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from storage.corpus import boolean, embedding, lexical, reading, standing, vocabulary, writing
from storage.corpus.dense import QueryVector, score_dense, search_dense
from storage.corpus.filters import EVERYTHING, Filters
from storage.corpus.hits import Hit
from storage.corpus.registry import count_unembedded, register_encoder, replace_encoder
from storage.database import connect
from storage.documents import Article
from storage.encoders import EncoderManifest
from storage.errors import DatabaseDamaged
from storage.query import Query

WORDS_KEPT = 600.0  # seconds: reading them takes about one, and only new words are missed meanwhile
COUNTS_KEPT = 60.0  # seconds: counting reads an index whole; loads by other processes may show that late


class Corpus:
    """Articles, passages and both indexes, seen through the vectors of one encoder."""

    def __init__(self, engine: AsyncEngine, manifest: EncoderManifest) -> None:
        self._engine = engine
        self._reading = engine.execution_options(isolation_level="AUTOCOMMIT")  # no BEGIN, no COMMIT
        self.manifest = manifest
        self.unembedded = 0  # passages that this encoder's vectors do not cover, as of `open`
        self._counts: tuple[float, dict[str, int]] | None = None  # when, and articles by door
        self._words: tuple[float, dict[str, int]] | None = None  # when, and articles by word
        self._reading_words = asyncio.Lock()
        self._counted: tuple[float, dict[str, int]] = (time.monotonic(), {})  # since when, articles by word

    async def open(self) -> None:
        """Check that the index was made by this encoder. Raises EncoderMismatch, ServerUnavailable."""
        with contextlib.suppress(DatabaseDamaged):  # the search itself will tell
            async with connect(self._reading) as connection:
                self.unembedded = await count_unembedded(connection, self.manifest)
        async with connect(self._engine) as connection:
            await register_encoder(connection, self.manifest)

    async def adopt(self) -> bool:
        """Take this encoder in place of another one of its name, whose vectors go; True if there was one."""
        async with connect(self._engine) as connection:
            return await replace_encoder(connection, self.manifest)

    async def search_dense(
        self, vector: QueryVector | None, limit: int, filters: Filters = EVERYTHING
    ) -> list[Hit]:
        async with connect(self._reading) as connection:
            return await search_dense(connection, self.manifest, vector, limit, filters)

    async def weigh_terms(self, terms: Mapping[str, int]) -> lexical.WeighedTerms:
        async with connect(self._reading) as connection:
            return await lexical.weigh_terms(connection, terms)

    async def search_lexical(
        self, terms: lexical.WeighedTerms, limit: int, filters: Filters = EVERYTHING
    ) -> list[Hit]:
        async with connect(self._reading) as connection:
            return await lexical.search_lexical(connection, terms, limit, filters)

    async def score_dense(self, vector: QueryVector | None, passage_ids: Sequence[int]) -> list[Hit]:
        async with connect(self._reading) as connection:
            return await score_dense(connection, self.manifest, vector, passage_ids)

    async def score_lexical(
        self, terms: lexical.WeighedTerms, passage_ids: Sequence[int]
    ) -> dict[int, float]:
        async with connect(self._reading) as connection:
            return await lexical.score_lexical(connection, terms, passage_ids)

    async def list_passages(
        self, keys: Collection[str], filters: Filters = EVERYTHING, *, whole_studies: bool = False
    ) -> dict[int, str]:
        async with connect(self._reading) as connection:
            return await reading.list_passages(connection, keys, filters, whole_studies=whole_studies)

    async def read_passages(self, ids: Sequence[int]) -> dict[int, reading.StoredPassage]:
        async with connect(self._reading) as connection:
            return await reading.read_passages(connection, ids)

    async def read_neighbours(
        self, places: Sequence[tuple[str, int]]
    ) -> dict[tuple[str, int], reading.StoredPassage]:
        async with connect(self._reading) as connection:
            return await reading.read_neighbours(connection, places)

    async def read_article(self, doc_id: str) -> Article | None:
        async with connect(self._reading) as connection:
            return await reading.read_article(connection, doc_id)

    async def read_checked(
        self, doc_ids: Sequence[str], source: str, checked_since: datetime | None
    ) -> dict[str, Article]:
        """Whole articles that came through one door, by doc_id, with a standing no older than that."""
        async with connect(self._reading) as connection:
            return await reading.read_checked(connection, doc_ids, source, checked_since)

    async def search_boolean(
        self, query: Query, limit: int, filters: Filters = EVERYTHING
    ) -> boolean.Matches:
        async with connect(self._reading) as connection:
            return await boolean.search_boolean(connection, query, limit, filters)

    async def read_records(self, keys: Collection[str]) -> dict[str, Article]:
        """What is here of these articles, by key: the record where there is one, whatever its standing."""
        async with connect(self._reading) as connection:
            return await reading.read_records(connection, keys)

    async def read_full_texts(self, pmcids: Collection[str]) -> dict[str, Article]:
        """The full texts that are here and may be cited, by PMCID."""
        async with connect(self._reading) as connection:
            return await reading.read_full_texts(connection, pmcids)

    async def known_headings(self, names: Collection[str]) -> frozenset[str]:
        """Those that some article here has as its MeSH heading."""
        async with connect(self._reading) as connection:
            return await vocabulary.known_headings(connection, names)

    async def known_terms(self, words: Collection[str]) -> dict[str, int]:
        """How many articles have each of these words as it is written (up to 20,000 are counted), as of at
        most WORDS_KEPT ago; a word that none had is looked for each time."""
        if time.monotonic() - self._counted[0] > WORDS_KEPT:
            self._counted = time.monotonic(), {}
        known = self._counted[1]
        async with connect(self._reading) as connection:
            asked = [word for word in words if word not in known]
            counts = await vocabulary.count_words(connection, asked)
        known |= {word: count for word, count in counts.items() if count}
        return {word: counts[word] if word in counts else known[word] for word in words}

    async def similar_terms(self, word: str, limit: int = 5) -> list[str]:
        """Words of the articles that are spelled almost like this one, the likeliest first."""
        words_here = await self._read_vocabulary()
        return await asyncio.to_thread(vocabulary.similar_words, word, words_here, limit)

    async def _read_vocabulary(self) -> dict[str, int]:
        """Word -> articles, as of at most WORDS_KEPT ago."""
        async with self._reading_words:
            if self._words is None or time.monotonic() - self._words[0] > WORDS_KEPT:
                async with connect(self._reading) as connection:
                    self._words = time.monotonic(), await vocabulary.read_words(connection)
            return self._words[1]

    async def count_articles(self) -> dict[str, int]:
        """How many articles came through each door, as of at most COUNTS_KEPT ago."""
        if self._counts is None or time.monotonic() - self._counts[0] > COUNTS_KEPT:
            async with connect(self._reading) as connection:
                self._counts = time.monotonic(), await reading.count_articles(connection)
        return self._counts[1]

    async def existing(self, keys: Collection[str]) -> set[str]:
        """Which of these articles are here."""
        query = text("SELECT DISTINCT key FROM articles WHERE key = ANY(:keys)")
        async with connect(self._reading) as connection:
            return set((await connection.execute(query, {"keys": list(keys)})).scalars())

    async def find_withdrawn(self, words: Sequence[str]) -> list[reading.WithdrawnArticle]:
        async with connect(self._reading) as connection:
            return await reading.find_withdrawn(connection, words)

    async def now(self) -> datetime:
        """The server's clock, by which checks are dated."""
        async with connect(self._reading) as connection:
            clock: datetime = (await connection.execute(text("SELECT now()"))).scalar_one()
            return clock

    async def due_standings(self, before: datetime, skip: Collection[str], limit: int) -> list[str]:
        async with connect(self._reading) as connection:
            return await standing.due_standings(connection, before, skip, limit)

    async def count_due_standings(self, before: datetime) -> int:
        async with connect(self._reading) as connection:
            return await standing.count_due_standings(connection, before)

    async def oldest_check(self) -> datetime | None:
        async with connect(self._reading) as connection:
            return await standing.oldest_check(connection)

    async def read_standings(self, keys: Sequence[str]) -> dict[str, standing.CheckedStanding]:
        async with connect(self._reading) as connection:
            return await standing.read_standings(connection, keys)

    async def note_checks(self, keys: Sequence[str]) -> None:
        async with connect(self._engine) as connection:
            await standing.note_checks(connection, keys)

    async def unchanged(self, articles: Sequence[Article], cut_for: str) -> set[str]:
        """doc_ids that are stored just so; their standing counts as checked now."""
        async with connect(self._engine) as connection:
            same = await writing.unchanged(connection, articles, cut_for)
            await writing.touch(connection, sorted(same))
            return same

    async def replace(self, batch: Sequence[writing.CutArticle], cut_for: str) -> writing.Stored:
        async with connect(self._engine) as connection:
            stored = await writing.replace_articles(connection, batch, self.manifest, cut_for)
        self._counts = None
        return stored

    async def missing_passages(self, after: int, limit: int) -> list[embedding.Unembedded]:
        async with connect(self._reading) as connection:
            return await embedding.missing_passages(connection, self.manifest, after, limit)

    async def store_vectors(self, ids: Sequence[int], vectors: NDArray[Any]) -> int:
        async with connect(self._engine) as connection:
            return await embedding.store_vectors(connection, self.manifest, ids, vectors)

    async def remove_missing(self, source: str, kept: Sequence[str]) -> int:
        """Remove articles of one door that are not among `kept`; returns how many."""
        query = text("DELETE FROM articles WHERE source = :source AND NOT doc_id = ANY(:kept)")
        async with connect(self._engine) as connection:
            await writing.begin_writing(connection)
            removed = (await connection.execute(query, {"source": source, "kept": list(kept)})).rowcount
        self._counts = None
        return removed

    async def read_mark(self, name: str) -> str | None:
        query = text("SELECT value FROM marks WHERE name = :name")
        async with connect(self._reading) as connection:
            return (await connection.execute(query, {"name": name})).scalar()

    async def write_mark(self, name: str, value: str) -> None:
        query = text(
            "INSERT INTO marks (name, value) VALUES (:name, :value)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        )
        async with connect(self._reading) as connection:
            await connection.execute(query, {"name": name, "value": value})

    async def optimise(self) -> None:
        """After a load: one lexical segment, and fresh statistics for the planner."""
        async with connect(self._engine) as connection:
            await writing.begin_writing(connection)
            await lexical.merge_segments(connection, all_of_them=True)
        async with connect(self._reading) as connection:
            await connection.execute(text("ANALYZE"))
