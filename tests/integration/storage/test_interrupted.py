"""Loads that stop half-way, and several at once: whole batches or nothing (case F21)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from reasoning.encoders import Encoder
from reasoning.retrieval import indexing
from reasoning.retrieval.indexing import index_articles
from storage.corpus import Corpus
from storage.corpus.writing import begin_writing, replace_articles
from storage.database import create_engine
from storage.documents import Article
from storage.encoders import MINILM
from tests.integration.storage.documents import article, counted, cut, load, pad, query, words_found


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(indexing, "BATCH", 4)
    return 4


def many(count: int) -> list[Article]:
    return [article(str(n), f"Pair number {n} of the socks.") for n in range(count)]


async def test_the_source_breaks_off(
    corpus: Corpus, corpus_url: str, minilm: Encoder, small_batches: int
) -> None:
    def breaking() -> Iterator[Article]:
        yield from many(10)
        raise OSError("the file ended")

    with pytest.raises(OSError, match="ended"):
        async for _ in index_articles(breaking(), corpus, minilm):
            pass
    assert query(corpus_url, "SELECT count(*) FROM articles") == [(8,)]
    await check_whole_batches(corpus, corpus_url, minilm, 8)


async def test_cancelled_in_the_middle_of_a_batch(
    corpus: Corpus, corpus_url: str, minilm: Encoder, small_batches: int
) -> None:
    """The third batch waits for another load's lock when the load is stopped; the next goes on from there."""
    reports = index_articles(many(12), corpus, minilm)
    for _ in range(2):
        await anext(reports)
    async with another_load(corpus_url):
        task = asyncio.ensure_future(anext(reports))
        await wait_until_blocked(corpus_url)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    await check_whole_batches(corpus, corpus_url, minilm, 8)


async def test_an_error_after_the_first_rows(
    corpus: Corpus, corpus_url: str, minilm: Encoder, small_batches: int
) -> None:
    """The server refuses a row late in a batch: the passages written before it go with it."""
    reports = index_articles(many(12), corpus, minilm)
    await anext(reports)
    query(corpus_url, "ALTER TABLE embedding_minilm ADD CONSTRAINT full_up CHECK (passage_id <= 7)")
    with pytest.raises(Exception, match="full_up"):
        await anext(reports)
    query(corpus_url, "ALTER TABLE embedding_minilm DROP CONSTRAINT full_up")
    await check_whole_batches(corpus, corpus_url, minilm, 4)


async def check_whole_batches(corpus: Corpus, url: str, encoder: Encoder, stored: int) -> None:
    for table in ("articles", "passages", "lexical_documents", "embedding_minilm"):
        assert query(url, f"SELECT count(*) FROM {table}") == [(stored,)], table
    assert query(url, "SELECT sum(passages) FROM lexical_segments") == [(stored,)]
    report = await load(corpus, encoder, many(12))
    assert (report.unchanged, report.stored) == (stored, 12 - stored)
    assert len(await words_found(corpus, "socks")) == 12


@asynccontextmanager
async def another_load(url: str) -> AsyncIterator[None]:
    """Another load is under way, and holds the lock."""
    engine = create_engine(url)
    async with engine.begin() as connection:
        await begin_writing(connection)
        yield
    await engine.dispose()


async def wait_until_blocked(url: str) -> None:
    blocked = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    async with asyncio.timeout(30):
        while query(url, blocked) == [(0,)]:  # noqa: ASYNC110 - the event is in another process
            await asyncio.sleep(0.02)


async def test_readers_see_the_old_set_or_the_new(corpus: Corpus, corpus_url: str) -> None:
    """While a batch is written, a search finds the old passages, all of them; afterwards the new ones."""
    await corpus.replace([cut("1", ["old one", "old two"])], "test")
    engine = create_engine(corpus_url)
    async with engine.connect() as writer:
        await replace_articles(writer, [cut("1", ["new one", "new two", "new three"])], MINILM, "test")
        assert len(await corpus.search_dense(pad([1.0]), 9)) == 2
        assert len(await words_found(corpus, "old")) == 2
        assert await words_found(corpus, "new") == []
        await writer.commit()
    assert len(await corpus.search_dense(pad([1.0]), 9)) == 3
    assert len(await words_found(corpus, "new")) == 3
    assert await words_found(corpus, "old") == []
    await engine.dispose()


async def test_loads_at_once(corpus: Corpus, corpus_url: str) -> None:
    """Four loads of the same articles at the same time leave one copy of each."""
    batches = [[cut(str(n), [f"version {load}"]) for n in range(20)] for load in range(4)]
    await asyncio.gather(*(corpus.replace(batch, "test") for batch in batches))
    for table in ("articles", "passages", "lexical_documents", "embedding_minilm"):
        assert query(corpus_url, f"SELECT count(*) FROM {table}") == [(20,)], table
    assert len({text for (text,) in query(corpus_url, "SELECT text FROM passages")}) == 1


async def test_statements_of_a_batch_do_not_grow_with_it(corpus: Corpus) -> None:
    await corpus.open()
    counts = []
    for size in (2, 60):
        with counted(corpus._engine) as sent:
            await corpus.replace([cut(f"{size}-{n}") for n in range(size)], "test")
        counts.append(len(sent))
    assert counts[0] == counts[1]
