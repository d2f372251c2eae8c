"""What one question costs beside the encoder, through the whole assistant in a warm process.

Two passes over the same questions. In the first the encoder works; the overhead is the wall time of an
answer without its calls. Words are searched while the question is encoded, and that part does not show. In
the second the encoder answers from memory, so that all of our own work shows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from bot.app import load_configured_encoder
from reasoning.assistant import Assistant
from reasoning.encoders import AsyncEncoder, Encoder
from reasoning.methods import METHODS
from reasoning.retrieval.hybrid import HybridRetrieval
from tests.bench.ground import Ground
from tests.bench.report import Aim, Row
from tests.bench.timing import Processors, Taken, percentile

QUESTIONS, WARM_UP = 100, 5
T = TypeVar("T")


class WatchedEncoder:
    """An encoder whose calls are timed and remembered; `recalling`, it answers from memory."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[tuple[str, tuple[str, ...]], Any] = {}
        self.seconds = 0.0
        self.recalling = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)

    def encode_queries(self, texts: Sequence[str]) -> Any:
        return self._once("query", texts, self._encoder.encode_queries)

    def encode_sentences(self, texts: Sequence[str]) -> Any:
        return self._once("sentence", texts, self._encoder.encode_sentences)

    def _once(self, role: str, texts: Sequence[str], encode: Callable[[Sequence[str]], T]) -> T:
        key = role, tuple(texts)
        if not (self.recalling and key in self._known):
            began = time.perf_counter()
            self._known[key] = encode(texts)
            self.seconds += time.perf_counter() - began
        known: T = self._known[key]
        return known


async def measure_overhead(ground: Ground) -> list[Row]:
    encoder = WatchedEncoder(load_configured_encoder(ground.settings))
    serving = AsyncEncoder(encoder)  # type: ignore[arg-type]
    assistant = Assistant(HybridRetrieval(ground.workshop.corpus, serving), METHODS)
    questions = ground.questions[:QUESTIONS]
    answered = 0
    for question in ground.questions[-WARM_UP:]:
        await assistant.answer(question)
    first: list[tuple[float, float]] = []
    for question in questions:
        encoder.seconds, began = 0.0, time.perf_counter()
        answer = await assistant.answer(question)
        first.append((time.perf_counter() - began, encoder.seconds))
        answered += not answer.answer.answer.abstained
    encoder.recalling = True
    own, cpu = [], []
    for question in questions:
        busy, began = _own(ground.processors)
        await assistant.answer(question)
        ended, stopped = _own(ground.processors)
        own.append(1000 * (stopped - began))
        cpu.append(1000 * (ended - busy))
    await serving.close()
    beside = [1000 * (wall - encoding) for wall, encoding in first]
    shares = [1 - encoding / wall for wall, encoding in first]
    walls = [1000 * wall for wall, _ in first]
    counts = {"questions": len(questions), "answered": answered}
    return [
        Row(
            "overhead",
            "an answer without the encoder's calls, p95",
            percentile(beside, 0.95),
            "ms",
            Aim("<=", 300.0),
            ours=f"p50 {percentile(beside, 0.5):.3g} of {percentile(walls, 0.5):.3g} ms in all",
            details=counts | {"p50_ms": round(percentile(beside, 0.5), 2)},
        ),
        Row(
            "overhead",
            "its share of the whole, mean",
            float(np.mean(shares)),
            "%",
            ours=f"p50 {percentile(shares, 0.5):.0%}, p95 {percentile(shares, 0.95):.0%}",
            details={name: round(percentile(shares, at), 4) for name, at in (("p50", 0.5), ("p95", 0.95))},
        ),
        Row(
            "overhead",
            "the same with all vectors known, p95",
            percentile(own, 0.95),
            "ms",
            Aim("<=", 300.0),
            ours=Taken(percentile(own, 0.5), percentile(own, 0.95), float(np.mean(cpu))),
            details=counts,
        ),
    ]


def _own(processors: Processors) -> tuple[float, float]:
    return processors(), time.perf_counter()
