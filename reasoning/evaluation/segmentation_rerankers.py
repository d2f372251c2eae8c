"""The product's rerankers on the chunks of one article."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from reasoning.encoders import Encoder
from reasoning.evaluation.segmentation_search import Chunks
from reasoning.retrieval.reranking import LexicalReranker, Reranker, Similarity
from storage.corpus.reading import StoredPassage

MakeReranker = Callable[[Chunks, Encoder], Reranker]
LONGEST = 254  # tokens of a chunk that a second model is given: with title and question they fit its window


async def _unknown(question: str, passages: Sequence[StoredPassage]) -> Sequence[float]:
    return [0.0] * len(passages)


def for_chunks(name: str, load: Callable[[Similarity], Reranker]) -> MakeReranker:
    """`lexical` is given the chunks' own vectors; a model of its own is loaded once. Raises EncoderError."""
    if name == LexicalReranker.name:
        return lambda chunks, encoder: load(_similarity_of(chunks, encoder))
    loaded = load(_unknown)
    return lambda chunks, encoder: _OfHeads(loaded, chunks)


class _OfHeads:
    """A reranker that is given no more of a chunk than its model can read."""

    def __init__(self, inner: Reranker, chunks: Chunks) -> None:
        self._inner, self._chunks = inner, chunks

    @property
    def name(self) -> str:
        return self._inner.name

    async def rank(self, question: str, passages: Sequence[StoredPassage]) -> Sequence[float]:
        return await self._inner.rank(question, [self._shorten(each) for each in passages])

    def _shorten(self, each: StoredPassage) -> StoredPassage:
        start, end = self._chunks.ruler.head((each.passage.start, each.passage.end), LONGEST)
        text = each.passage.text[: end - start]
        return replace(each, passage=replace(each.passage, text=text, end=end))


def _similarity_of(chunks: Chunks, encoder: Encoder) -> Similarity:
    async def measure(question: str, passages: Sequence[StoredPassage]) -> Sequence[float]:
        asked = encoder.encode_query(question).vector
        return [float(chunks.vectors[each.passage_id] @ asked) for each in passages]

    return measure
