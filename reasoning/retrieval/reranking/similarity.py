"""The first encoder's similarity for passages that the corpus holds: their vectors are there already."""

from __future__ import annotations

from collections.abc import Sequence

from reasoning.encoders import AsyncEncoder
from reasoning.retrieval.reranking.interface import Similarity
from storage.corpus import Corpus
from storage.corpus.reading import StoredPassage


def stored_similarity(corpus: Corpus, encoder: AsyncEncoder) -> Similarity:
    """Of passages read from this corpus; one without a vector counts as the least similar of the others."""

    async def measure(question: str, passages: Sequence[StoredPassage]) -> Sequence[float]:
        asked = await encoder.encode_query(question)
        hits = await corpus.score_dense(asked.vector, [each.passage_id for each in passages])
        found = {hit.passage_id: hit.score for hit in hits}
        least = min(found.values(), default=0.0)
        return [found.get(each.passage_id, least) for each in passages]

    return measure
