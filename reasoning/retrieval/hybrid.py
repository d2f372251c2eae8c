"""Dense and lexical search over the corpus, fused.

question ─┬─> vector ─> nearest passages ──┐
          └─> terms ──> best by BM25 ──────┴─> scores of both for the union ─> fused ─> two an article

Plain reciprocal rank fusion gives both streams equal votes. On a long story told in lay words the best BM25
passage covers a seventh of what was asked, and its votes push good dense hits out. So BM25 counts here as the
share of its ceiling (methods.md leaves the fusion open; figures in the README): the more of the question's
weight a passage names, the more words count, and no switch for long questions is needed.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reasoning.encoders import AsyncEncoder, EncoderError, QueryVector
from reasoning.encoders.interface import Vectors
from reasoning.evidence import Evidence, Question, Retrieved
from reasoning.retrieval.fusion import fuse
from reasoning.retrieval.segmentation import needs_next, needs_previous
from reasoning.retrieval.subject import covered_share, subject_terms
from reasoning.trace import Trace
from reasoning.types import Remark
from storage.corpus import Corpus, Hit, StoredPassage, WeighedTerms
from storage.corpus.terms import count_terms
from storage.errors import StorageError

DEPTH = 50  # passages a stream (methods.md 1.4)
LEXICAL_WEIGHT = 0.8  # of a fully covered question against a similarity of 1; chosen on half of the items
PER_ARTICLE = 2


@dataclass(frozen=True, slots=True)
class Streams:
    """What both streams found; scores of the union, filled in where only one stream found a passage."""

    dense: Sequence[Hit]
    lexical: Sequence[Hit]
    similarity: dict[int, float]
    share: dict[int, float]  # BM25 as a share of its ceiling
    keys: dict[int, str]  # passage -> article
    degraded: tuple[Remark, ...] = ()


class HybridRetrieval:
    """The evidence layer on the local corpus."""

    def __init__(self, corpus: Corpus, encoder: AsyncEncoder) -> None:
        self._corpus = corpus
        self._encoder = encoder

    async def retrieve(self, question: Question, limit: int, trace: Trace) -> Retrieved:
        """The best passages, best first, with the state of the search."""
        with trace.span("streams", depth=DEPTH) as span:
            counts, streams = await asyncio.gather(self._corpus.count_articles(), self._search(question))
            span.note(dense=len(streams.dense), lexical=len(streams.lexical))
        with trace.span("fuse", lexical_weight=LEXICAL_WEIGHT) as span:
            ranked = cap_per_article(fuse_scores(streams), streams.keys)[:limit]
            passages = await self._corpus.read_passages([key for key, _ in ranked])
            ranked = [(key, score) for key, score in ranked if key in passages]
            around = await self._restore_neighbours([passages[key] for key, _ in ranked])
            span.note(articles=len({streams.keys[key] for key, _ in ranked}), restored=len(around))
        places = {"dense": _places(streams.dense), "lexical": _places(streams.lexical)}
        evidence = [_evidence(passages[key], score, places, around) for key, score in ranked]
        subject = subject_terms(question.text)
        coverage, missing = covered_share(subject, [_named_text(item) for item in evidence[:3]])
        withdrawn = await self._corpus.find_withdrawn(list(subject)) if coverage < 1 else []
        return Retrieved(
            evidence=evidence,
            similarity=max((streams.similarity.get(key, 0.0) for key, _ in ranked), default=0.0),
            coverage=coverage,
            searched=counts,
            missing_terms=tuple(missing),
            withdrawn=tuple(article.title for article in withdrawn),
            degraded=streams.degraded,
        )

    async def compare(self, question: Question, texts: Sequence[str]) -> list[float]:
        """Similarity of each text to the question, by the encoder; one vector space for both."""
        asked, vectors = await asyncio.gather(
            self._encoder.encode_query(question.text), self._encoder.encode_sentences(list(texts))
        )
        return [float(value) for value in vectors @ asked.vector]

    async def rank(self, question: Question) -> list[str]:
        """Article keys by the product's fusion, best first."""
        streams = await self._search(question)
        return distinct(streams.keys[key] for key, _ in fuse_scores(streams))

    async def rank_plain(self, question: Question) -> list[str]:
        """Article keys by plain reciprocal rank fusion."""
        dense, lexical = await asyncio.gather(self.rank_dense(question), self.rank_lexical(question))
        return [key for key, _ in fuse({"lexical": lexical, "dense": dense})]

    async def rank_dense(self, question: Question) -> list[str]:
        asked = await self._encoder.encode_query(question.text)
        return distinct(
            hit.article_key for hit in await self._corpus.search_dense(asked.vector, DEPTH, question.filters)
        )

    async def rank_lexical(self, question: Question) -> list[str]:
        terms = await self._corpus.weigh_terms(count_terms(question.text))
        return distinct(
            hit.article_key for hit in await self._corpus.search_lexical(terms, DEPTH, question.filters)
        )

    async def _search(self, question: Question) -> Streams:
        """Both streams at once; one that fails is named in `degraded`, and the other answers alone."""
        dense_side, lexical_side = await asyncio.gather(
            self._dense(question), self._lexical(question), return_exceptions=True
        )
        degraded = [*_failure("dense", dense_side), *_failure("lexical", lexical_side)]
        if len(degraded) == 2:
            degraded.append(
                Remark(code="search_failed", detail="Neither vectors nor words could be searched.")
            )
        asked, dense = (None, []) if isinstance(dense_side, BaseException) else dense_side
        terms, lexical = (None, []) if isinstance(lexical_side, BaseException) else lexical_side
        if asked and asked.question.shortened:
            detail = f"{asked.question.dropped_tokens} tokens of the question were not read by the encoder"
            degraded.append(Remark(code="question_shortened", detail=detail))
        vector = asked.vector if asked else None
        similarity = {hit.passage_id: hit.score for hit in dense}
        bm25 = {hit.passage_id: hit.score for hit in lexical}
        more_dense, more_lexical = await self._fill(vector, terms, similarity, bm25)
        degraded += [*_failure("dense", more_dense), *_failure("lexical", more_lexical)]
        if isinstance(more_dense, dict):
            similarity |= more_dense
        if isinstance(more_lexical, dict):
            bm25 |= more_lexical
        ceiling = terms.ceiling if terms and terms.ceiling else 1.0
        share = {key: score / ceiling for key, score in bm25.items()}
        keys = {hit.passage_id: hit.article_key for hit in (*dense, *lexical)}
        return Streams(dense, lexical, similarity, share, keys, tuple(degraded))

    async def _dense(self, question: Question) -> tuple[QueryVector, list[Hit]]:
        asked = await self._encoder.encode_query(question.text)
        return asked, await self._corpus.search_dense(asked.vector, DEPTH, question.filters)

    async def _lexical(self, question: Question) -> tuple[WeighedTerms, list[Hit]]:
        terms = await self._corpus.weigh_terms(count_terms(question.text))
        return terms, await self._corpus.search_lexical(terms, DEPTH, question.filters)

    async def _fill(
        self,
        vector: Vectors | None,
        terms: WeighedTerms | None,
        similarity: Mapping[int, float],
        bm25: Mapping[int, float],
    ) -> tuple[dict[int, float] | BaseException, dict[int, float] | BaseException]:
        """Scores of the one stream for passages that only the other found."""
        only_lexical = [key for key in bm25 if key not in similarity]
        only_dense = [key for key in similarity if key not in bm25]
        return await asyncio.gather(
            self._similarities(vector, only_lexical),
            self._corpus.score_lexical(terms, only_dense) if terms else _nothing(),
            return_exceptions=True,
        )

    async def _similarities(self, vector: Vectors | None, passage_ids: Sequence[int]) -> dict[int, float]:
        hits = await self._corpus.score_dense(vector, passage_ids)
        return {hit.passage_id: hit.score for hit in hits}

    async def _restore_neighbours(
        self, found: Sequence[StoredPassage]
    ) -> dict[tuple[str, int], StoredPassage]:
        """Passages before and after those that begin or end inside a list, table note or reference back."""
        places = []
        for item in found:
            passage = item.passage
            if passage.idx > 0 and needs_previous(passage):
                places.append((passage.doc_id, passage.idx - 1))
            if passage.idx + 1 < item.n_passages and needs_next(passage):
                places.append((passage.doc_id, passage.idx + 1))
        return await self._corpus.read_neighbours(places) if places else {}


def _failure(stream: str, outcome: object) -> list[Remark]:
    """The remark on a stream that failed for a known reason. Raises any other."""
    if isinstance(outcome, EncoderError | StorageError):
        return [Remark(code=f"{stream}_failed", detail=type(outcome).__name__)]
    if isinstance(outcome, BaseException):
        raise outcome
    return []


async def _nothing() -> dict[int, float]:
    return {}


def fuse_scores(streams: Streams) -> list[tuple[int, float]]:
    """(passage, score) best first; similarity plus the weighted share. Ties: the smaller passage id."""
    scores = {
        key: streams.similarity.get(key, 0.0) + LEXICAL_WEIGHT * streams.share.get(key, 0.0)
        for key in streams.keys
    }
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def cap_per_article(ranked: Sequence[tuple[int, float]], keys: dict[int, str]) -> list[tuple[int, float]]:
    """At most two passages of one article (methods.md 1.7)."""
    taken: Counter[str] = Counter()
    kept = []
    for key, score in ranked:
        taken[keys[key]] += 1
        if taken[keys[key]] <= PER_ARTICLE:
            kept.append((key, score))
    return kept


def distinct(keys: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(keys))


def _places(hits: Sequence[Hit]) -> dict[int, tuple[int, float]]:
    return {hit.passage_id: (rank, hit.score) for rank, hit in enumerate(hits, start=1)}


def _evidence(
    item: StoredPassage,
    score: float,
    places: dict[str, dict[int, tuple[int, float]]],
    around: dict[tuple[str, int], StoredPassage],
) -> Evidence:
    passage = item.passage
    before = around.get((passage.doc_id, passage.idx - 1))
    after = around.get((passage.doc_id, passage.idx + 1))
    return Evidence(
        eid=passage.id,
        source=item,
        score=score,
        streams={name: ranks[item.passage_id] for name, ranks in places.items() if item.passage_id in ranks},
        before=before.passage.text if before else None,
        after=after.passage.text if after else None,
    )


def _named_text(item: Evidence) -> str:
    article = item.source.article
    return " ".join(
        (article.title, *article.keywords, *(heading.name for heading in article.mesh), item.text)
    )
