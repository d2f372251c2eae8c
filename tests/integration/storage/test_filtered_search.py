"""A filtered search returns min(limit, matching rows), by the index or exactly (case F18)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import numpy as np
import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from storage.corpus import EVERYTHING, Corpus, Filters
from storage.corpus.dense import search_dense
from storage.database import connect, create_engine
from storage.documents import PartialDate, PublicationType
from storage.encoders import MEDCPT, MINILM
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import DIMENSIONS, cut, doc_ids, pad, query

QUESTION = pad([1.0])
REVIEWS = Filters(publication_types=("Review",))


@pytest.fixture(scope="module")
def trials_and_reviews(new_database: NewDatabase) -> str:
    """Where the table of F18 lies: 4,000 trials close to the question, 40 reviews further away."""
    return new_database("corpus")


@pytest.fixture(scope="module")
async def f18(trials_and_reviews: str) -> AsyncIterator[AsyncEngine]:
    random = np.random.default_rng(18)
    trials = np.eye(8)[0] + random.uniform(-0.05, 0.05, (4000, 8))
    reviews = np.eye(8)[0] * 0.6 + random.uniform(-1, 1, (40, 8)) * [0.5, *[0.6] * 7]
    engine = create_engine(trials_and_reviews)
    corpus = Corpus(engine, MINILM)
    kinds = ["Clinical Trial" if n < 4000 else "Review" for n in range(4040)]
    batch = [
        cut(
            str(90000000 + n),
            ["x"],
            [vector],
            publication_types=(PublicationType(kind),),
            issue_date=PartialDate(2000 + n % 20),
        )
        for n, (kind, vector) in enumerate(zip(kinds, np.vstack([trials, reviews]), strict=True))
    ]
    await corpus.replace(batch, "test")
    await corpus.optimise()
    yield engine
    await engine.dispose()


@pytest.mark.parametrize("limit", [10, 40, 60])
async def test_reviews_far_away(f18: AsyncEngine, trials_and_reviews: str, limit: int) -> None:
    hits = await Corpus(f18, MINILM).search_dense(QUESTION, limit, REVIEWS)
    assert len(hits) == min(limit, 40)
    exact = query(
        trials_and_reviews,
        "SELECT e.passage_id FROM embedding_minilm e JOIN passages p ON p.id = passage_id"
        " JOIN articles a ON a.id = article_id WHERE 'Review' = ANY(publication_types)"
        " ORDER BY embedding <=> %s::halfvec, 1 LIMIT %s",
        str(list(map(float, QUESTION))),
        limit,
    )
    assert [(hit.passage_id,) for hit in hits] == exact


async def test_reviews_where_only_the_index_may_be_used(f18: AsyncEngine) -> None:
    """As F18 runs it: without iterative scan the index hands over its nearest hundred, all of them trials."""
    async with connect(f18) as connection:
        for setting in ("enable_seqscan", "enable_bitmapscan", "enable_sort"):
            await connection.execute(text(f"SET LOCAL {setting} = off"))
        hits = await search_dense(connection, MINILM, QUESTION, 10, REVIEWS)
        assert len(hits) == 10
        await connection.execute(text("SET LOCAL hnsw.iterative_scan = off"))
        bare = await connection.execute(
            text(
                "SELECT 1 FROM embedding_minilm e JOIN passages p ON p.id = passage_id JOIN articles a"
                " ON a.id = article_id WHERE publication_types && ARRAY['Review']"
                " ORDER BY embedding <=> CAST(:q AS halfvec) LIMIT 10"
            ),
            {"q": str(list(map(float, QUESTION)))},
        )
        assert len(bare.all()) < 10


async def test_nothing_matches(f18: AsyncEngine) -> None:
    corpus = Corpus(f18, MINILM)
    assert await corpus.search_dense(QUESTION, 10, Filters(languages=("de",))) == []
    assert len(await corpus.search_dense(QUESTION, 10, Filters(languages=("de", "en")))) == 10


async def test_articles_that_must_not_be_found(f18: AsyncEngine) -> None:
    corpus = Corpus(f18, MINILM)
    first = [hit.article_key for hit in await corpus.search_dense(QUESTION, 3)]
    left = await corpus.search_dense(QUESTION, 10, Filters(without=tuple(first)))
    assert len(left) == 10
    assert not set(first) & {hit.article_key for hit in left}


async def test_every_connection_scans_on(f18: AsyncEngine) -> None:
    """Set before pgvector is loaded, and still so once it is, on each connection of the pool."""
    async with connect(f18) as one, connect(f18) as two:
        for connection in (one, two):
            await search_dense(connection, MINILM, QUESTION, 10)
            assert (await connection.execute(text("SHOW hnsw.iterative_scan"))).scalar() == "strict_order"
            assert (await connection.execute(text("SHOW hnsw.ef_search"))).scalar() == "200"


@pytest.mark.parametrize("times", [1, 8], ids=["first", "prepared"])
async def test_the_index_serves_the_search(f18: AsyncEngine, times: int) -> None:
    """The very statement that the product sends, with its parameters, and again once psycopg prepares it."""
    sent: list[tuple[str, object]] = []

    def note(*call: object) -> None:
        sent.append((str(call[2]), call[3]))

    event.listen(f18.sync_engine, "before_cursor_execute", note)
    try:
        async with connect(f18) as connection:
            for _ in range(times):
                assert len(await search_dense(connection, MINILM, QUESTION, 50, EVERYTHING)) == 50
            ((statement, params),) = {s: p for s, p in sent if "ORDER BY" in s}.items()
            plan = await connection.exec_driver_sql(f"EXPLAIN {statement}", params)  # type: ignore[arg-type]
            lines = "\n".join(plan.scalars())
    finally:
        event.remove(f18.sync_engine, "before_cursor_execute", note)
    assert "Index Scan using ix_embedding_minilm_embedding" in lines
    assert "Sort" not in lines


async def test_recall_under_filters(new_database: NewDatabase) -> None:
    """50 random questions, filters that pass 1 %, 10 % and 50 %, against the exact order by numpy."""
    random = np.random.default_rng(50)
    url = new_database("corpus")
    vectors = np.zeros((3000, DIMENSIONS), dtype=np.float32)
    vectors[:, :32] = random.normal(size=(3000, 32))
    sources = [
        "rare" if n % 100 == 0 else "some" if n % 10 == 5 else "half" if n % 2 else "rest"
        for n in range(3000)
    ]
    engine = create_engine(url)
    corpus = Corpus(engine, MINILM)
    batch = [
        cut(str(n), ["x"], [vector], source=source)
        for n, (vector, source) in enumerate(zip(vectors, sources, strict=True))
    ]
    await corpus.replace(batch, "test")
    await corpus.optimise()
    names = doc_ids(url)
    unit = vectors.astype(np.float16).astype(np.float64)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    for passing in (("rare",), ("some",), ("half", "some")):
        rows = np.flatnonzero(np.isin(sources, passing))
        found = 0
        for question in random.normal(size=(50, 32)):
            hits = await corpus.search_dense(pad(question), 10, Filters(sources=passing))
            best = rows[np.argsort(-(unit[rows] @ pad(question)), kind="stable")[:10]]
            found += len({names[hit.passage_id] for hit in hits} & {str(n) for n in best})
            assert len(hits) == 10
        assert found / 500 >= 0.95, passing
    await engine.dispose()


async def test_ties_go_to_the_smaller_id(corpus: Corpus, corpus_url: str) -> None:
    await corpus.replace([cut(str(n), ["x"], [(1.0, 0.5)]) for n in range(30)], "test")
    hits = await corpus.search_dense(QUESTION, 30)
    assert [hit.passage_id for hit in hits] == sorted(doc_ids(corpus_url))


async def test_scores(corpus_url: str) -> None:
    """Cosine similarity for the one encoder, the inner product for the other."""
    engine = create_engine(corpus_url)
    await Corpus(engine, MINILM).replace([cut("1", ["x"], [(3.0, 4.0)])], "test")
    long = cut("2", ["x"])
    vector = np.zeros((1, 768), dtype=np.float32)
    vector[0, :2] = 3, 4
    medcpt = Corpus(engine, MEDCPT)
    await medcpt.replace([type(long)(long.article, long.text, long.passages, vector)], "test")
    (hit,) = await Corpus(engine, MINILM).search_dense(QUESTION * 2, 5)
    assert hit.score == pytest.approx(0.6, abs=1e-3)
    (hit,) = await medcpt.search_dense(np.pad(QUESTION * 2, (0, 384)), 5)
    assert hit.score == pytest.approx(6.0, abs=1e-2)
    await engine.dispose()
