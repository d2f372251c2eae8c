"""Dense and lexical search side by side, each passage of the union scored by both.

question ─┬─> vector ─> nearest passages ──┐
          └─> terms ──> best by BM25 ──────┴─> both scores for the union
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from reasoning.encoders import AsyncEncoder, EncoderError
from reasoning.evidence import Question
from reasoning.types import Remark
from storage.corpus import Corpus, Hit, WeighedTerms
from storage.corpus.terms import count_terms
from storage.errors import StorageError

if TYPE_CHECKING:
    from reasoning.encoders.interface import Vectors

DEPTH = 50  # passages a stream (methods.md 1.4)

T = TypeVar("T")
U = TypeVar("U")


@dataclass(slots=True)
class Streams:
    """What both streams found; a stream that failed is empty and named in `degraded`.

    `similarity` and `share` hold the scores of the union: the cosine (or the inner product as a share of the
    best one), and BM25 as a share of the ceiling that no passage can exceed.
    """

    dense: Sequence[Hit] = ()
    lexical: Sequence[Hit] = ()
    similarity: dict[int, float] = field(default_factory=dict)
    share: dict[int, float] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)  # passage -> article
    vector: Vectors | None = None  # of the question
    warnings: list[Remark] = field(default_factory=list)
    degraded: list[Remark] = field(default_factory=list)


async def search_streams(corpus: Corpus, encoder: AsyncEncoder, question: Question) -> Streams:
    """Both streams at once; one that fails leaves the other as it is."""
    streams = Streams()
    dense, lexical = await both(
        _tried("dense", _search_dense(corpus, encoder, question, streams), streams),
        _tried("lexical", _search_lexical(corpus, question), streams),
    )
    streams.vector, streams.dense = dense or (None, ())
    terms, streams.lexical = lexical or (None, ())
    streams.keys = {hit.passage_id: hit.article_key for hit in (*streams.dense, *streams.lexical)}
    streams.similarity = {hit.passage_id: hit.score for hit in streams.dense}
    bm25 = {hit.passage_id: hit.score for hit in streams.lexical}
    await both(
        _tried("dense", _fill_dense(corpus, streams), streams),
        _tried("lexical", _fill_lexical(corpus, terms, bm25, streams), streams),
    )
    _bring_to_shares(corpus, terms, bm25, streams)
    return streams


async def score_streams(
    corpus: Corpus, encoder: AsyncEncoder, question: Question, passages: Mapping[int, str]
) -> Streams:
    """Both scores for given passages (id -> article key), and nothing but them."""
    streams = Streams(keys=dict(passages))
    bm25: dict[int, float] = {}
    terms, _ = await both(
        _tried("lexical", _score_lexical(corpus, question, bm25, streams), streams),
        _tried("dense", _score_dense(corpus, encoder, question, streams), streams),
    )
    streams.dense, streams.lexical = _as_hits(streams.similarity, streams), _as_hits(bm25, streams)
    _bring_to_shares(corpus, terms, bm25, streams)
    return streams


def _bring_to_shares(
    corpus: Corpus, terms: WeighedTerms | None, bm25: Mapping[int, float], streams: Streams
) -> None:
    if corpus.manifest.distance == "inner_product":  # no ceiling is known: the best found stands for it
        best = max(streams.similarity.values(), default=1.0)
        streams.similarity = {key: score / best for key, score in streams.similarity.items() if best > 0}
    ceiling = terms.ceiling if terms and terms.ceiling else 1.0
    streams.share = {key: score / ceiling for key, score in bm25.items()}


async def both(first: Awaitable[T], second: Awaitable[U]) -> tuple[T, U]:
    """Both outcomes. Where one fails the other is waited for before the error is raised, so that nothing goes
    on behind the answer and holds a connection."""
    one, other = await asyncio.gather(first, second, return_exceptions=True)
    if isinstance(one, BaseException):
        raise one
    if isinstance(other, BaseException):
        raise other
    return one, other


async def _tried(name: str, work: Awaitable[T], streams: Streams) -> T | None:
    """The outcome, or None and a remark: never silence."""
    try:
        return await work
    except (EncoderError, StorageError) as error:
        streams.degraded.append(Remark(code=f"{name}_failed", detail=type(error).__name__))
        return None


def _as_hits(scores: Mapping[int, float], streams: Streams) -> list[Hit]:
    hits = (Hit(key, streams.keys[key], score) for key, score in scores.items())
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage_id))


async def _search_dense(
    corpus: Corpus, encoder: AsyncEncoder, question: Question, streams: Streams
) -> tuple[Vectors, list[Hit]]:
    vector = await _encode(corpus, encoder, question, streams)
    return vector, await corpus.search_dense(vector, DEPTH, question.filters)


async def _score_dense(corpus: Corpus, encoder: AsyncEncoder, question: Question, streams: Streams) -> None:
    streams.vector = await _encode(corpus, encoder, question, streams)
    await _fill(corpus, streams, list(streams.keys))


async def _score_lexical(
    corpus: Corpus, question: Question, bm25: dict[int, float], streams: Streams
) -> WeighedTerms:
    terms = await corpus.weigh_terms(count_terms(question.text))
    bm25 |= await corpus.score_lexical(terms, list(streams.keys))
    return terms


async def _encode(corpus: Corpus, encoder: AsyncEncoder, question: Question, streams: Streams) -> Vectors:
    asked = await encoder.encode_query(question.text)
    if asked.question.shortened:
        detail = f"The encoder did not read {asked.question.dropped_tokens} tokens of the question."
        streams.warnings.append(Remark(code="question_shortened", detail=detail))
    if corpus.unembedded:
        detail = f"{corpus.unembedded} passages have no vector of this encoder yet."
        streams.degraded.append(Remark(code="dense_incomplete", detail=detail))
    return asked.vector


async def _search_lexical(corpus: Corpus, question: Question) -> tuple[WeighedTerms, list[Hit]]:
    terms = await corpus.weigh_terms(count_terms(question.text))
    return terms, await corpus.search_lexical(terms, DEPTH, question.filters)


async def _fill_dense(corpus: Corpus, streams: Streams) -> None:
    missing = [hit.passage_id for hit in streams.lexical if hit.passage_id not in streams.similarity]
    await _fill(corpus, streams, missing)


async def _fill(corpus: Corpus, streams: Streams, passages: Sequence[int]) -> None:
    found = await corpus.score_dense(streams.vector, passages)
    streams.similarity |= {hit.passage_id: hit.score for hit in found}


async def _fill_lexical(
    corpus: Corpus, terms: WeighedTerms | None, bm25: dict[int, float], streams: Streams
) -> None:
    missing = [hit.passage_id for hit in streams.dense if hit.passage_id not in bm25]
    if terms:
        bm25 |= await corpus.score_lexical(terms, missing)
