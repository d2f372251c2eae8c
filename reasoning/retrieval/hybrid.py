"""The evidence layer on the local corpus: both streams, fused, two passages an article, context restored.

Plain reciprocal rank fusion gives both streams equal votes. On a long story told in lay words the best BM25
passage covers an eighth of what was asked, and its votes push good dense hits out. So BM25 counts here as the
share of its ceiling (methods.md leaves the fusion open; figures in the README): the more of the question's
weight a passage names, the more words count, and no switch for long questions is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf

from reasoning.encoders import AsyncEncoder, EncoderError
from reasoning.encoders.interface import ShortQuestion, Vectors
from reasoning.evidence import PER_ARTICLE, Evidence, Question, Ranking, Retrieved
from reasoning.retrieval.covering import cover_articles, name_sources
from reasoning.retrieval.fusion import fuse
from reasoning.retrieval.intents import compares
from reasoning.retrieval.segmentation import needs_next, needs_previous
from reasoning.retrieval.streams import DEPTH, Streams, both, score_streams, search_streams
from reasoning.retrieval.subject import missing_terms, subject_terms
from reasoning.retrieval.withdrawn import match_withdrawn
from reasoning.trace import Trace
from reasoning.types import Remark
from storage.corpus import Corpus, Hit, StoredPassage
from storage.corpus.terms import count_terms
from storage.errors import StorageError

LEXICAL_WEIGHT = 0.6  # of a fully covered question against a similarity of 1; best on half of the items


class HybridRetrieval:
    """The evidence layer on the local corpus."""

    def __init__(self, corpus: Corpus, encoder: AsyncEncoder) -> None:
        self._corpus = corpus
        self._encoder = encoder

    @property
    def encoder(self) -> str:
        return self._encoder.manifest.name

    async def retrieve(
        self,
        question: Question,
        limit: int,
        trace: Trace,
        *,
        per_article: int | None = PER_ARTICLE,
        lexical_weight: float | None = None,
    ) -> Retrieved:
        """The best passages of the whole corpus, best first; a database that is gone is said."""
        try:
            with trace.span("streams", depth=DEPTH) as span:
                counts, streams = await both(
                    self._corpus.count_articles(), search_streams(self._corpus, self._encoder, question)
                )
                span.note(dense=len(streams.dense), lexical=len(streams.lexical))
            weight = LEXICAL_WEIGHT if lexical_weight is None else lexical_weight
            with trace.span("fuse", lexical_weight=weight):
                ranked = cap_per_article(fuse_scores(streams, weight), streams.keys, per_article)[:limit]
                found = await self._read(streams, ranked, counts)
            return await self._complete(question, found, found.evidence, trace)
        except StorageError as error:
            return _failed(error)

    async def rank_articles(
        self,
        question: Question,
        limit: int,
        trace: Trace,
        *,
        within: Collection[str] | None = None,
        lexical_weight: float | None = None,
    ) -> Ranking:
        """Article keys by the product's fusion, best first, of the corpus or of given articles."""
        try:
            with trace.span("rank", within=None if within is None else len(within)) as span:
                if within is None:
                    streams = await search_streams(self._corpus, self._encoder, question)
                else:
                    passages = await self._corpus.list_passages(within, question.filters)
                    streams = await score_streams(self._corpus, self._encoder, question, passages)
                best: dict[str, float] = {}
                for key, score in fuse_scores(streams, lexical_weight):
                    best.setdefault(streams.keys[key], score)
                ranked = list(best.items())[:limit]
                span.note(articles=len(ranked))
        except StorageError as error:
            return Ranking(degraded=_failed(error).degraded)
        keys, scores = tuple(key for key, _ in ranked), tuple(score for _, score in ranked)
        return Ranking(keys, scores, tuple(streams.warnings), tuple(streams.degraded))

    async def recall(
        self,
        question: Question,
        keys: Collection[str],
        limit: int,
        trace: Trace,
        *,
        whole_studies: bool = False,
    ) -> Retrieved:
        """The best passages of given articles, not capped and without their neighbours (methods.md 1.7)."""
        try:
            with trace.span("recall", articles=len(keys), limit=limit) as span:
                counts = await self._corpus.count_articles()
                passages = await self._corpus.list_passages(
                    keys, question.filters, whole_studies=whole_studies
                )
                streams = await score_streams(self._corpus, self._encoder, question, passages)
                found = await self._read(streams, fuse_scores(streams)[:limit], counts)
                span.note(passages=len(passages), recalled=len(found.evidence))
            return found
        except StorageError as error:
            return _failed(error)

    async def narrow(
        self,
        question: Question,
        found: Retrieved,
        chosen: Sequence[Evidence],
        trace: Trace,
        *,
        enough: float = inf,
    ) -> Retrieved:
        """The chosen of what was found, in that order, with neighbours and coverage."""
        try:
            return await self._complete(question, found, chosen, trace, enough)
        except StorageError as error:
            return _failed(error)

    async def _read(
        self, streams: Streams, ranked: Sequence[tuple[int, float]], counts: Mapping[str, int]
    ) -> Retrieved:
        passages = await self._corpus.read_passages([key for key, _ in ranked])
        places = {"dense": _places(streams.dense), "lexical": _places(streams.lexical)}
        evidence = [
            _evidence(passages[key], score, streams.similarity.get(key, 0.0), places)
            for key, score in ranked
            if key in passages
        ]
        return Retrieved(
            evidence=evidence,
            comparable=self._corpus.manifest.distance == "cosine",
            searched=counts,
            vector=streams.vector,
            warnings=tuple(streams.warnings),
            degraded=tuple(streams.degraded),
        )

    async def _complete(
        self,
        question: Question,
        found: Retrieved,
        chosen: Sequence[Evidence],
        trace: Trace,
        enough: float = inf,
    ) -> Retrieved:
        sources = [item.source for item in chosen]
        with trace.span("restore") as span:
            around = await self._restore_neighbours(sources)
            span.note(articles=len({item.article.key for item in sources}), restored=len(around))
        subject = subject_terms(question.text)
        covered = cover_articles(subject, sources, compared=compares(question.text), enough=enough)
        coverage = max(covered.values(), default=0.0)
        left_out = match_withdrawn(subject, await self._corpus.find_withdrawn(list(subject)))
        return replace(
            found,
            evidence=[_in_context(item, around, covered) for item in chosen],
            similarity=max((item.similarity for item in chosen), default=0.0),
            coverage=coverage,
            missing_terms=tuple(missing_terms(subject, " ".join(name_sources(sources)))),
            retracted=left_out.keys,
            retracted_checked=left_out.checked,
            withdrawn=left_out.asked_about,
        )

    async def known_terms(self, words: Collection[str]) -> dict[str, int]:
        try:
            return await self._corpus.known_terms(words)
        except StorageError:
            return {}  # the search itself will tell

    async def similar_terms(self, word: str, limit: int = 5) -> list[str]:
        try:
            return await self._corpus.similar_terms(word, limit)
        except StorageError:
            return []

    async def compare(self, found: Retrieved, texts: Sequence[str]) -> list[float] | None:
        """Similarity of each text to the question; one vector space for both. None if the encoder failed."""
        if found.vector is None or (vectors := await self.encode(texts)) is None:
            return None
        return [float(value) for value in vectors @ found.vector]

    async def shorten(self, text: str) -> ShortQuestion:
        """What the encoder reads of a query, in its own word pieces."""
        return await self._encoder.shorten_question(text)

    async def encode(self, texts: Sequence[str]) -> Vectors | None:
        """Vectors of sentences, a row each; None if the encoder failed."""
        try:
            return await self._encoder.encode_sentences(list(texts))
        except EncoderError:
            return None

    async def rank_plain(self, question: Question) -> list[str]:
        """Article keys by plain reciprocal rank fusion."""
        dense, lexical = await both(self.rank_dense(question), self.rank_lexical(question))
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


def fuse_scores(streams: Streams, lexical_weight: float | None = None) -> list[tuple[int, float]]:
    """(passage, score) best first; similarity plus the weighted share. Ties: the smaller passage id."""
    weight = LEXICAL_WEIGHT if lexical_weight is None else lexical_weight
    scores = {
        key: streams.similarity.get(key, 0.0) + weight * streams.share.get(key, 0.0) for key in streams.keys
    }
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def cap_per_article(
    ranked: Sequence[tuple[int, float]], keys: dict[int, str], most: int | None = PER_ARTICLE
) -> list[tuple[int, float]]:
    """At most so many passages of one article (methods.md 1.7); all of them for None."""
    taken: Counter[str] = Counter()
    kept = []
    for key, score in ranked:
        taken[keys[key]] += 1
        if most is None or taken[keys[key]] <= most:
            kept.append((key, score))
    return kept


def distinct(keys: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(keys))


def _places(hits: Sequence[Hit]) -> dict[int, tuple[int, float]]:
    return {hit.passage_id: (rank, hit.score) for rank, hit in enumerate(hits, start=1)}


def _evidence(
    item: StoredPassage, score: float, similarity: float, places: dict[str, dict[int, tuple[int, float]]]
) -> Evidence:
    found = {name: ranks[item.passage_id] for name, ranks in places.items() if item.passage_id in ranks}
    return Evidence(item.passage.id, item, score, found, similarity)


def _in_context(
    item: Evidence, around: Mapping[tuple[str, int], StoredPassage], covered: Mapping[str, float]
) -> Evidence:
    passage = item.source.passage
    before = around.get((passage.doc_id, passage.idx - 1))
    after = around.get((passage.doc_id, passage.idx + 1))
    return replace(
        item,
        coverage=covered[item.source.article.key],
        before=before.passage.text if before else None,
        after=after.passage.text if after else None,
    )


def _failed(error: StorageError) -> Retrieved:
    return Retrieved(degraded=(Remark(code="search_failed", detail=type(error).__name__),))
