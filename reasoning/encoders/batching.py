"""Encoder and cross-encoder for a server: asynchronous, merged, and in slices."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from async_lru import alru_cache

from reasoning.encoders.batches import plan_batches
from reasoning.encoders.errors import BadScore, BadVector, EncoderError
from reasoning.encoders.interface import Counts, Encoder, QueryVector, ShortQuestion, TitledText, Vectors
from reasoning.encoders.model_thread import ModelThread
from storage.encoders import EncoderManifest, PassageBudget

if TYPE_CHECKING:
    from reasoning.encoders.cross_encoder import CrossScorer

T = TypeVar("T")
Waiting = tuple[str, asyncio.Future[QueryVector]]

SLICE_TOKENS = 1024  # padded tokens of bulk work between two looks at who waits: about a quarter of a second
KEPT = 256  # queries whose vectors are at hand: a question is encoded by search, reranker and linker alike


class AsyncEncoder:
    """An `Encoder` for a server. Questions that wait together are encoded together; bulk work is done in
    slices, and questions go in between."""

    def __init__(self, encoder: Encoder, *, thread: ModelThread | None = None, max_batch: int = 32) -> None:
        self._encoder = encoder
        self._thread = thread or ModelThread()
        self._max_batch = max_batch
        self._waiting: deque[tuple[str, asyncio.Future[QueryVector]]] = deque()
        self._gatherer: asyncio.Task[None] | None = None
        self._remembered = alru_cache(maxsize=KEPT)(self._encode_query)

    @property
    def manifest(self) -> EncoderManifest:
        return self._encoder.manifest

    @property
    def counts(self) -> Counts:
        return self._encoder.counts

    @property
    def budget(self) -> PassageBudget:
        return self._encoder.budget

    async def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return await asyncio.to_thread(self._encoder.count_tokens, texts)

    async def shorten_question(self, text: str) -> ShortQuestion:
        return await asyncio.to_thread(self._encoder.shorten_question, text)

    async def encode_query(self, text: str) -> QueryVector:
        """Who asks for one text at the same time or soon after shares its vector; a failure is not kept."""
        return await self._remembered(text)

    async def _encode_query(self, text: str) -> QueryVector:
        answer: asyncio.Future[QueryVector] = asyncio.get_running_loop().create_future()
        self._waiting.append((text, answer))
        if self._gatherer is None or self._gatherer.done():
            self._gatherer = asyncio.create_task(self._encode_waiting())
        return await answer

    async def encode_passages(self, passages: Sequence[TitledText]) -> Vectors:
        lengths = await asyncio.to_thread(self._encoder.measure_passages, passages)
        return await self._in_slices(passages, lengths, self._encoder.encode_passages)

    async def encode_sentences(self, texts: Sequence[str]) -> Vectors:
        return await self._in_slices(texts, await self.count_tokens(texts), self._encoder.encode_sentences)

    async def close(self) -> None:
        """Ends the thread too, also where it is shared."""
        await self._thread.close()
        if self._gatherer:
            await self._gatherer

    async def _in_slices(
        self, items: Sequence[T], lengths: Sequence[int], encode: Callable[[Sequence[T]], Vectors]
    ) -> Vectors:
        import numpy as np

        vectors = np.zeros((len(items), self.manifest.dimensions), dtype=np.float32)
        bad: list[int] = []
        for rows in plan_batches(lengths, SLICE_TOKENS):
            work = partial(encode, [items[at] for at in rows])
            try:
                vectors[rows] = await self._thread.run(work, urgent=False)
            except BadVector as error:  # the rest of the batch is good (case F20)
                vectors[rows] = error.vectors
                bad.extend(rows[at] for at in error.positions)
        if bad:
            raise BadVector(sorted(bad), vectors)
        return vectors

    async def _encode_waiting(self) -> None:
        """Serve the line of questions until it is empty."""
        while self._waiting:
            taken: list[Waiting] = []
            try:
                results = await self._thread.run_prepared(partial(self._take, taken), urgent=True)
            except Exception as error:
                if not taken:  # closed: nobody who waits will be served
                    taken = list(self._waiting)
                    self._waiting.clear()
                results = [error] * len(taken)
            for (_, answer), result in zip(taken, results, strict=True):
                if answer.done():
                    continue
                if isinstance(result, Exception):
                    answer.set_exception(result)
                else:
                    answer.set_result(result)

    def _take(self, taken: list[Waiting]) -> Callable[[], list[QueryVector | Exception]]:
        while self._waiting and len(taken) < self._max_batch:
            text, answer = self._waiting.popleft()
            if not answer.done():  # cancelled
                taken.append((text, answer))
        return partial(self._encode_each, [text for text, _ in taken])

    def _encode_each(self, texts: list[str]) -> list[QueryVector | Exception]:
        """One bad question must not fail those it happened to wait with."""
        try:
            return [*self._encoder.encode_queries(texts)]
        except EncoderError as error:
            return [error] if len(texts) == 1 else [self._encode_each([text])[0] for text in texts]


class AsyncScorer:
    """A `CrossScorer` for a server. Somebody waits for a rerank, so it goes before bulk work."""

    def __init__(self, scorer: CrossScorer, *, thread: ModelThread) -> None:
        self._scorer, self._thread = scorer, thread

    async def score(self, question: str, passages: Sequence[TitledText]) -> list[float]:
        lengths = await asyncio.to_thread(self._scorer.measure, question, passages)
        scores = [0.0] * len(passages)
        for rows in plan_batches(lengths, SLICE_TOKENS):
            work = partial(self._scorer.score, question, [passages[at] for at in rows])
            try:
                found = await self._thread.run(work, urgent=True)
            except BadScore as error:
                raise BadScore([rows[at] for at in error.positions]) from error
            for at, score in zip(rows, found, strict=True):
                scores[at] = score
        return scores
