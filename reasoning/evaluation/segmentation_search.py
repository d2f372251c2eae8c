"""Searching the chunks of one article as the product searches its corpus: dense, lexical, fused, reranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reasoning.encoders import Encoder
from reasoning.evaluation.segmentation_ruler import Ruler
from reasoning.evaluation.segmentation_set import MarkedArticle, Range
from reasoning.retrieval.bm25 import bm25_shares
from reasoning.retrieval.hybrid import LEXICAL_WEIGHT
from reasoning.retrieval.reranking import Reranker
from storage.corpus.reading import StoredPassage
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
        share = np.array(bm25_shares(question, [self.article.text[slice(*place)] for place in self.places]))
        scores = {"dense": similarity, "lexical": share, "fused": similarity + LEXICAL_WEIGHT * share}
        return {name: best(values) for name, values in scores.items()}

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
