"""An encoder that embeds each text once, ever: for bulk embedding and measuring."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reasoning.encoders.interface import (
    Counts,
    Encoder,
    QueryVector,
    Role,
    ShortQuestion,
    TitledText,
    Vectors,
)
from storage.encoders import EncoderManifest, PassageBudget
from storage.vector_cache import VectorCache

_AT_ONCE = 256  # texts that are embedded before their vectors are kept: what an interrupted run loses


class CachedEncoder:
    """See `Encoder`; the counts are those of the encoder inside, with hits added."""

    def __init__(self, encoder: Encoder, cache: VectorCache) -> None:
        self._encoder, self._cache = encoder, cache

    @property
    def manifest(self) -> EncoderManifest:
        return self._encoder.manifest

    @property
    def counts(self) -> Counts:
        return self._encoder.counts

    @property
    def budget(self) -> PassageBudget:
        return self._encoder.budget

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._encoder.count_tokens(texts)

    def special_tokens(self, pair: bool) -> int:
        return self._encoder.special_tokens(pair)

    def measure_passages(self, passages: Sequence[TitledText]) -> list[int]:
        return self._encoder.measure_passages(passages)

    def encode_passages(self, passages: Sequence[TitledText]) -> Vectors:
        self._encoder.measure_passages(passages)  # so that positions in TextTooLong are those of the caller
        return self._remember("passage", list(passages), self._encoder.encode_passages)

    def encode_sentences(self, texts: Sequence[str]) -> Vectors:
        def encode(some: Sequence[TitledText]) -> Vectors:
            return self._encoder.encode_sentences([text for _, text in some])

        return self._remember("sentence", [("", text) for text in texts], encode)

    def shorten_question(self, text: str) -> ShortQuestion:
        return self._encoder.shorten_question(text)

    def encode_queries(self, texts: Sequence[str]) -> list[QueryVector]:
        import numpy as np

        def encode(some: Sequence[TitledText]) -> Vectors:
            return np.stack(
                [query.vector for query in self._encoder.encode_queries([text for _, text in some])]
            )

        questions = [self.shorten_question(text) for text in texts]
        vectors = self._remember("query", [("", question.kept) for question in questions], encode)
        return [QueryVector(vector, question) for vector, question in zip(vectors, questions, strict=True)]

    def encode_query(self, text: str) -> QueryVector:
        return self.encode_queries([text])[0]

    def _remember(
        self, role: Role, texts: Sequence[TitledText], encode: Callable[[Sequence[TitledText]], Vectors]
    ) -> Vectors:
        """[n, dimensions]; equal texts are embedded once."""
        import numpy as np

        keys = [self._cache.key(role, title, text) for title, text in texts]
        known = self._cache.find(list(dict.fromkeys(keys)))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        self.counts.add(role, hits=len(texts) - len(missing))
        order = list(missing)
        for start in range(0, len(order), _AT_ONCE):
            some = order[start : start + _AT_ONCE]
            fresh = dict(zip(some, encode([missing[key] for key in some]), strict=True))
            self._cache.keep(fresh)
            known.update(fresh)
        out = np.empty((len(texts), self.manifest.dimensions), dtype=np.float32)
        for row, key in zip(out, keys, strict=True):
            row[:] = known[key]
        return out
