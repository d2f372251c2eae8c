"""Searching the chunks of one article as the product searches its corpus: dense, lexical, fused, reranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from reasoning.encoders import Encoder
from reasoning.evaluation.segmentation_ruler import Ruler
from reasoning.evaluation.segmentation_set import MarkedArticle, Range
from reasoning.retrieval.hybrid import LEXICAL_WEIGHT
from reasoning.retrieval.reranking import Reranker
from storage.corpus.lexical import K1, B
from storage.corpus.reading import StoredPassage
from storage.corpus.terms import count_terms
from storage.documents import Passage

SEARCHES = ("dense", "lexical", "fused")
DEPTH = 10  # chunks that are ranked and reranked: of an article's forty about what 50 are of a corpus
Values = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Chunks:
    """The chunks of one article with their vectors [n, d], of the part that the encoder reads."""

    article: MarkedArticle
    places: Sequence[Range]
    vectors: Values
    tokens: Sequence[int]
    ruler: Ruler

    @classmethod
    def embed(
        cls, article: MarkedArticle, places: Sequence[Range], ruler: Ruler, encoder: Encoder, room: int
    ) -> Chunks:
        """Without a title: within one article it tells nothing, and windows of 512 leave no room."""
        heads = [ruler.head(place, room) for place in places]
        vectors = encoder.encode_passages([("", article.text[slice(*head)]) for head in heads])
        return cls(article, places, vectors, [ruler.tokens(place) for place in places], ruler)

    def search(self, question: str, asked: Values) -> Mapping[str, list[int]]:
        """Places of the best chunks, best first, by each search; ties go to the earlier chunk."""
        similarity = self.vectors @ asked
        share = self._bm25_shares(question)
        scores = {"dense": similarity, "lexical": share, "fused": similarity + LEXICAL_WEIGHT * share}
        return {name: best(values) for name, values in scores.items()}

    def _bm25_shares(self, question: str) -> Values:
        """BM25 over the article's chunks as a share of its ceiling, as the corpus scores it."""
        counted = [count_terms(self.article.text[slice(*place)]) for place in self.places]
        lengths = np.array([counts.total() for counts in counted], dtype=float)
        norm = K1 * (1 - B + B * lengths / max(1.0, float(lengths.mean())))
        scores, ceiling, n = np.zeros(len(counted)), 0.0, len(counted)
        for term, asked in count_terms(question).items():
            times = np.array([counts[term] for counts in counted], dtype=float)
            df = int((times > 0).sum())
            weight = asked * log(1 + (n - df + 0.5) / (df + 0.5)) * (K1 + 1)
            scores += weight * times / (times + norm)
            ceiling += weight
        return scores / ceiling if ceiling else scores

    def stored(self, places: Sequence[int], section_of: Sequence[str | None]) -> list[StoredPassage]:
        """Chunks as a reranker is given them; `passage_id` is the place."""
        article = self.article.article
        found = []
        for place in places:
            start, end = self.places[place]
            passage = Passage(
                doc_id=article.doc_id,
                idx=place,
                text=self.article.text[start:end],
                start=start,
                own_start=start,
                end=end,
                n_tokens=self.tokens[place],
                section=section_of[place],
            )
            found.append(StoredPassage(place, passage, article, len(self.places)))
        return found


def best(scores: Values) -> list[int]:
    return [int(place) for place in np.lexsort((np.arange(len(scores)), -np.round(scores, 9)))[:DEPTH]]


async def rerank(
    reranker: Reranker, question: str, passages: Sequence[StoredPassage], order: Sequence[int]
) -> list[int]:
    """`order` by the reranker's scores; equals stay as they were."""
    scores = await reranker.rank(question, passages)
    return [order[at] for at in sorted(range(len(order)), key=lambda at: (-scores[at], at))]
