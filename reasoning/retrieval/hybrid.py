"""The evidence layer on the local corpus: both streams, fused, two passages an article, context restored.

Plain reciprocal rank fusion gives both streams equal votes. On a long story told in lay words the best BM25
passage covers an eighth of what was asked, and its votes push good dense hits out. So BM25 counts here as the
share of its ceiling (methods.md leaves the fusion open; figures in the README): the more of the question's
weight a passage names, the more words count, and no switch for long questions is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from reasoning.encoders import AsyncEncoder, EncoderError
from reasoning.encoders.interface import Vectors
from reasoning.evidence import Evidence, Question, Retrieved
from reasoning.retrieval.fusion import fuse
from reasoning.retrieval.intents import compares
from reasoning.retrieval.segmentation import needs_next, needs_previous
from reasoning.retrieval.streams import DEPTH, Streams, both, search_streams
from reasoning.retrieval.subject import covered_share, missing_terms, subject_terms
from reasoning.retrieval.withdrawn import match_withdrawn
from reasoning.trace import Trace
from reasoning.types import Remark
from storage.corpus import Corpus, Hit, StoredPassage
from storage.corpus.terms import count_terms
from storage.errors import StorageError

LEXICAL_WEIGHT = 0.6  # of a fully covered question against a similarity of 1; best on half of the items
PER_ARTICLE = 2
ONE_SIDE = 0.3  # share of the subject that one side of a comparison names at least


class HybridRetrieval:
    """The evidence layer on the local corpus."""

    def __init__(self, corpus: Corpus, encoder: AsyncEncoder) -> None:
        self._corpus = corpus
        self._encoder = encoder

    async def retrieve(self, question: Question, limit: int, trace: Trace) -> Retrieved:
        """The best passages, best first, with the state of the search; a database that is gone is said."""
        try:
            return await self._retrieve(question, limit, trace)
        except StorageError as error:
            return Retrieved(degraded=(Remark(code="search_failed", detail=type(error).__name__),))

    async def _retrieve(self, question: Question, limit: int, trace: Trace) -> Retrieved:
        with trace.span("streams", depth=DEPTH) as span:
            counts, streams = await both(
                self._corpus.count_articles(), search_streams(self._corpus, self._encoder, question)
            )
            span.note(dense=len(streams.dense), lexical=len(streams.lexical))
        with trace.span("fuse", lexical_weight=LEXICAL_WEIGHT) as span:
            ranked = cap_per_article(fuse_scores(streams), streams.keys)[:limit]
            passages = await self._corpus.read_passages([key for key, _ in ranked])
            ranked = [(key, score) for key, score in ranked if key in passages]
            found = [passages[key] for key, _ in ranked]
            around = await self._restore_neighbours(found)
            span.note(articles=len({item.article.key for item in found}), restored=len(around))
        subject = subject_terms(question.text)
        covered = cover_articles(subject, found, compared=compares(question.text))
        coverage = max(covered.values(), default=0.0)
        withdrawn = match_withdrawn(subject, await self._corpus.find_withdrawn(list(subject)))
        places = {"dense": _places(streams.dense), "lexical": _places(streams.lexical)}
        return Retrieved(
            evidence=[_evidence(passages[key], score, places, around, covered) for key, score in ranked],
            similarity=max((streams.similarity.get(key, 0.0) for key, _ in ranked), default=0.0),
            comparable=self._corpus.manifest.distance == "cosine",
            coverage=coverage,
            searched=counts,
            vector=streams.vector,
            missing_terms=tuple(missing_terms(subject, " ".join(_named(found)))),
            dropped_retracted=withdrawn.count,
            retracted_checked=withdrawn.checked,
            withdrawn=withdrawn.asked_about,
            warnings=tuple(streams.warnings),
            degraded=tuple(streams.degraded),
        )

    async def compare(self, found: Retrieved, texts: Sequence[str]) -> list[float] | None:
        """Similarity of each text to the question; one vector space for both. None if the encoder failed."""
        if found.vector is None or (vectors := await self.encode(texts)) is None:
            return None
        return [float(value) for value in vectors @ found.vector]

    async def encode(self, texts: Sequence[str]) -> Vectors | None:
        """Vectors of sentences, a row each; None if the encoder failed."""
        try:
            return await self._encoder.encode_sentences(list(texts))
        except EncoderError:
            return None

    async def rank(self, question: Question) -> list[str]:
        """Article keys by the product's fusion, best first."""
        streams = await search_streams(self._corpus, self._encoder, question)
        return distinct(streams.keys[key] for key, _ in fuse_scores(streams))

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
    covered: dict[str, float],
) -> Evidence:
    passage = item.passage
    before = around.get((passage.doc_id, passage.idx - 1))
    after = around.get((passage.doc_id, passage.idx + 1))
    return Evidence(
        eid=passage.id,
        source=item,
        score=score,
        streams={name: ranks[item.passage_id] for name, ranks in places.items() if item.passage_id in ranks},
        coverage=covered[item.article.key],
        before=before.passage.text if before else None,
        after=after.passage.text if after else None,
    )


def cover_articles(
    subject: dict[str, float], found: Sequence[StoredPassage], *, compared: bool
) -> dict[str, float]:
    """Article key -> share of the subject that its heading and retrieved passages name.

    Where a question compares two things, each side may have an article of its own: the best four passages
    count together for every article that names one side.
    """
    articles: dict[str, list[StoredPassage]] = {}
    for item in found:
        articles.setdefault(item.article.key, []).append(item)
    covered = {key: covered_share(subject, *_named(items)) for key, items in articles.items()}
    if compared:
        together = covered_share(subject, *_named(found[:4]))
        return {key: together if share >= ONE_SIDE else share for key, share in covered.items()}
    return covered


def _named(items: Sequence[StoredPassage]) -> tuple[str, str]:
    """Heading (title, keywords, MeSH) and body of passages."""
    headings = (
        " ".join((item.article.title, *item.article.keywords, *(term.name for term in item.article.mesh)))
        for item in items
    )
    return " ".join(headings), " ".join(item.passage.text for item in items)
