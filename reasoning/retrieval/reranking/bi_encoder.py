"""The similarity of a second, larger encoder: too slow for a corpus, quick enough for what was recalled."""

from __future__ import annotations

from collections.abc import Sequence

from reasoning.encoders import AsyncEncoder
from storage.corpus.reading import StoredPassage


class BiEncoderReranker:
    """Similarity as its manifest measures it.

    `passages` may remember vectors, since what is found for one question is found for others too; `questions`
    must not: nothing derived from a question is kept outside the history.
    """

    def __init__(self, questions: AsyncEncoder, passages: AsyncEncoder) -> None:
        self._questions, self._passages = questions, passages

    @property
    def name(self) -> str:
        return self._questions.manifest.name

    async def rank(self, question: str, passages: Sequence[StoredPassage]) -> Sequence[float]:
        """Raises TextTooLong where a passage was cut for a longer window than this encoder's."""
        if not passages:
            return []
        asked = await self._questions.encode_query(question)
        vectors = await self._passages.encode_passages(
            [(each.article.title, each.passage.text) for each in passages]
        )
        return [float(value) for value in vectors @ asked.vector]
