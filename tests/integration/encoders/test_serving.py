"""The asynchronous face over the real MiniLM, and the cache."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from reasoning.encoders import (
    AsyncEncoder,
    AsyncScorer,
    BadVector,
    CachedEncoder,
    CrossScorer,
    EncoderClosed,
    ModelThread,
    QueryVector,
    TextTooLong,
    TitledText,
)
from reasoning.encoders.interface import Vectors
from reasoning.encoders.sentence_encoder import SentenceEncoder
from storage.vector_cache import VectorCache

PASSAGES = [("", f"trial {number} fell" * (1 + number % 3)) for number in range(300)]


class Watched(SentenceEncoder):
    """The real encoder, which notes what it is asked, in which thread, and can be held up."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        super().__init__(encoder.manifest, encoder._query_tower, encoder._passage_tower)
        self.calls: list[tuple[str, int]] = []
        self.threads: set[int] = set()
        self.begun, self.go = threading.Event(), threading.Event()
        self.go.set()

    def encode_passages(self, passages: Sequence[TitledText]) -> Vectors:
        self.begun.set()
        self.go.wait(30)
        self.calls.append(("passages", len(passages)))
        self.threads.add(threading.get_ident())
        return super().encode_passages(passages)

    def encode_queries(self, texts: Sequence[str]) -> list[QueryVector]:
        self.calls.append(("queries", len(texts)))
        self.threads.add(threading.get_ident())
        if "bad" in texts:
            raise BadVector([texts.index("bad")], np.zeros((len(texts), 384), dtype=np.float32))
        return super().encode_queries(texts)


@pytest.fixture
def watched(minilm: SentenceEncoder) -> Watched:
    return Watched(minilm)


@pytest.fixture
async def serving(watched: Watched) -> AsyncIterator[AsyncEncoder]:
    serving = AsyncEncoder(watched, max_batch=8)
    yield serving
    watched.go.set()
    await serving.close()


async def test_bulk_work_is_sliced_and_comes_out_as_in_one_piece(
    serving: AsyncEncoder, watched: Watched, minilm: SentenceEncoder
) -> None:
    vectors = await serving.encode_passages(PASSAGES)
    assert len(watched.calls) > 3
    assert np.allclose(vectors, minilm.encode_passages(PASSAGES), atol=1e-5)
    texts = [text for _, text in PASSAGES[:99]]
    assert np.allclose(await serving.encode_sentences(texts), minilm.encode_sentences(texts), atol=1e-5)
    assert await serving.count_tokens(["one two"]) == [2]


async def test_models_run_in_one_thread_that_is_not_the_loops(
    serving: AsyncEncoder, watched: Watched
) -> None:
    await asyncio.gather(
        serving.encode_passages(PASSAGES[:130]), serving.encode_query("a"), serving.encode_query("b")
    )
    assert len(watched.threads) == 1
    assert threading.get_ident() not in watched.threads


async def test_questions_that_wait_are_merged_and_go_before_the_rest_of_bulk_work(
    serving: AsyncEncoder, watched: Watched, minilm: SentenceEncoder
) -> None:
    watched.go.clear()
    bulk = asyncio.gather(*(serving.encode_passages(PASSAGES) for _ in range(3)))
    await asyncio.to_thread(watched.begun.wait, 30)
    while len(serving._thread._patient) < 2:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    texts = [f"question {number}" for number in range(10)]
    questions = [asyncio.create_task(serving.encode_query(text)) for text in texts]
    await asyncio.sleep(0.01)
    watched.go.set()
    found = await asyncio.gather(*questions)
    assert not bulk.done()
    assert watched.calls[1] == ("queries", 8)
    assert ("queries", 2) in watched.calls[2:4]
    expected = minilm.encode_queries(texts)
    assert all(
        np.allclose(one.vector, other.vector, atol=1e-5) for one, other in zip(found, expected, strict=True)
    )
    await bulk


async def test_a_cancelled_question_harms_nobody(serving: AsyncEncoder, watched: Watched) -> None:
    watched.go.clear()
    bulk = asyncio.create_task(serving.encode_passages(PASSAGES[:3]))
    await asyncio.to_thread(watched.begun.wait, 30)
    leaver, stayer = (asyncio.create_task(serving.encode_query(text)) for text in ("leaves", "stays"))
    await asyncio.sleep(0.01)
    leaver.cancel()
    watched.go.set()
    assert (await stayer).question.kept == "stays"
    assert ("queries", 1) in watched.calls
    await bulk


async def test_cancelled_bulk_work_stops_after_its_slice(serving: AsyncEncoder, watched: Watched) -> None:
    watched.go.clear()
    bulk = asyncio.create_task(serving.encode_passages(PASSAGES))
    await asyncio.to_thread(watched.begun.wait, 30)
    bulk.cancel()
    watched.go.set()
    await serving.encode_query("next")
    assert [name for name, _ in watched.calls] == ["passages", "queries"]


async def test_a_bad_question_fails_alone(serving: AsyncEncoder) -> None:
    good, bad = await asyncio.gather(
        serving.encode_query("good"), serving.encode_query("bad"), return_exceptions=True
    )
    assert isinstance(good, QueryVector)
    assert isinstance(bad, BadVector)


async def test_positions_in_errors_are_those_of_the_whole_list(serving: AsyncEncoder) -> None:
    with pytest.raises(TextTooLong) as caught:
        await serving.encode_passages([*PASSAGES, ("", "drug " * 300)])
    assert caught.value.positions == (300,)


async def test_after_closing_nothing_is_taken_and_nobody_waits_for_ever(watched: Watched) -> None:
    serving = AsyncEncoder(watched)
    watched.go.clear()
    bulk = asyncio.create_task(serving.encode_passages(PASSAGES))
    await asyncio.to_thread(watched.begun.wait, 30)
    question = asyncio.create_task(serving.encode_query("too late"))
    await asyncio.sleep(0.01)
    closing = asyncio.create_task(serving.close())
    await asyncio.sleep(0.01)
    watched.go.set()
    results = await asyncio.wait_for(asyncio.gather(bulk, question, closing, return_exceptions=True), 30)
    assert [type(result) for result in results] == [EncoderClosed, EncoderClosed, type(None)]
    with pytest.raises(EncoderClosed):
        await serving.encode_query("later still")


async def test_reranking_shares_the_thread_and_keeps_the_order(scorer: CrossScorer) -> None:
    thread = ModelThread()
    passages = [("aspirin", "thins the blood . " * (number % 7 * 9)) for number in range(30)]
    scores = await AsyncScorer(scorer, thread=thread).score("is fever common ?", passages)
    assert np.allclose(scores, scorer.score("is fever common ?", passages), atol=1e-4)
    await thread.close()


def test_the_cache_embeds_each_text_once_and_gives_the_same_vectors(watched: Watched, tmp_path: Path) -> None:
    plain = Watched(watched)
    passages = [*PASSAGES[:5], PASSAGES[0]]
    for run in range(2):
        cache = VectorCache(tmp_path / "vectors.db", watched.manifest)
        cached = CachedEncoder(watched, cache)
        assert np.allclose(cached.encode_passages(passages), plain.encode_passages(passages), atol=1e-5)
        assert np.allclose(
            cached.encode_sentences(["a", "b", "a"]), plain.encode_sentences(["a", "b", "a"]), atol=1e-5
        )
        query = cached.encode_query("word " * 300)
        assert query.question.dropped_tokens == 300 - 254
        assert np.allclose(query.vector, plain.encode_query("word " * 300).vector, atol=1e-5)
        assert [cached.counts.of(role).texts for role in ("passage", "sentence", "query")] == [5, 2, 1]
        assert cached.counts.hits == (2, 2 + 6 + 3 + 1)[run]
        cache.close()
    with pytest.raises(TextTooLong):
        cached.encode_passages([("", "drug " * 300)])
