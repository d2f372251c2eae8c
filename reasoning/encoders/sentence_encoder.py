"""The encoder itself: one or two towers of sentence-transformers behind the interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reasoning.encoders.batches import plan_batches
from reasoning.encoders.checks import check_vectors
from reasoning.encoders.errors import CountMismatch, TextTooLong
from reasoning.encoders.interface import Counts, QueryVector, Role, ShortQuestion, TitledText, Vectors
from reasoning.encoders.questions import shorten_question
from reasoning.encoders.tokens import Tokens
from storage.encoders import EncoderManifest, PassageBudget, passage_budget
from storage.text import clean_text

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BATCH_TOKENS = 2048  # padded tokens that go through the model at once; more is not faster on a CPU


class SentenceEncoder:
    """See `Encoder`. The towers may be one and the same model; neither may be used by two threads at once."""

    def __init__(
        self, manifest: EncoderManifest, query_tower: SentenceTransformer, passage_tower: SentenceTransformer
    ) -> None:
        self.manifest = manifest
        self.counts = Counts()
        self._query_tower, self._passage_tower = query_tower, passage_tower
        self._query_tokens = Tokens(query_tower.tokenizer.backend_tokenizer)
        self._passage_tokens = Tokens(passage_tower.tokenizer.backend_tokenizer)
        self._prefix_tokens = self._passage_tokens.count(manifest.passage_prefix)
        self._sentence_room = manifest.passage_max_tokens - self.special_tokens(False) - self._prefix_tokens
        query_special: int = query_tower.tokenizer.num_special_tokens_to_add(pair=False)
        self._query_room = (
            manifest.query_max_tokens - query_special - self._query_tokens.count(manifest.query_prefix)
        )

    @property
    def budget(self) -> PassageBudget:
        return passage_budget(self.manifest, self._passage_overhead)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._passage_tokens.count_all([clean_text(text) for text in texts])

    def special_tokens(self, pair: bool) -> int:
        number: int = self._passage_tower.tokenizer.num_special_tokens_to_add(pair=pair)
        return number

    def measure_passages(self, passages: Sequence[TitledText]) -> list[int]:
        return self._measure([self._lay_out(title, text) for title, text in passages])

    def encode_passages(self, passages: Sequence[TitledText]) -> Vectors:
        inputs = [self._lay_out(title, text) for title, text in passages]
        return self._encode("passage", self._passage_tower, inputs, self._measure(inputs))

    def encode_sentences(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        cleaned = [clean_text(text) for text in texts]
        split = [self._passage_tokens.split(text, self._sentence_room) for text in cleaned]
        parts = [(self.manifest.passage_prefix, part) for whole in split for part in whole]
        lengths = self._passage_tokens.count_all([part for _, part in parts])
        inputs = [prefix + part for prefix, part in parts]
        vectors = self._encode("sentence", self._passage_tower, inputs, lengths, texts=len(texts))
        if len(parts) == len(texts):
            return vectors
        weights = np.maximum(lengths, 1).astype(np.float32)
        means = np.zeros((len(texts), self.manifest.dimensions), dtype=np.float32)
        owners = np.repeat(np.arange(len(texts)), [len(whole) for whole in split])
        np.add.at(means, owners, vectors * weights[:, None])
        return self._finish(means / np.bincount(owners, weights).astype(np.float32)[:, None], len(texts))

    def shorten_question(self, text: str) -> ShortQuestion:
        return shorten_question(clean_text(text), self._query_room, self._query_tokens)

    def encode_queries(self, texts: Sequence[str]) -> list[QueryVector]:
        questions = [self.shorten_question(text) for text in texts]
        inputs = [self.manifest.query_prefix + question.kept for question in questions]
        vectors = self._encode("query", self._query_tower, inputs, self._query_tokens.count_all(inputs))
        return [QueryVector(vector, question) for vector, question in zip(vectors, questions, strict=True)]

    def encode_query(self, text: str) -> QueryVector:
        return self.encode_queries([text])[0]

    @property
    def _passage_overhead(self) -> int:
        return self.special_tokens(self.manifest.title_pair) + self._prefix_tokens

    def _lay_out(self, title: str, text: str) -> str | tuple[str, str]:
        """What the model is given. MedCPT without a title: an empty first segment (methods.md section 4)."""
        title = self._passage_tokens.head(clean_text(title).strip(), self.manifest.title_max_tokens).rstrip()
        first = self.manifest.passage_prefix + title
        if self.manifest.title_pair:
            return first, clean_text(text)
        return f"{first}\n{clean_text(text)}" if title else first + clean_text(text)

    def _measure(self, inputs: Sequence[str | tuple[str, str]]) -> list[int]:
        """Lengths with special tokens. Raises TextTooLong."""
        special = self.special_tokens(self.manifest.title_pair)
        flat = [part for entry in inputs for part in (entry if isinstance(entry, tuple) else (entry, ""))]
        counts = self._passage_tokens.count_all(flat)
        lengths = [special + counts[at] + counts[at + 1] for at in range(0, len(counts), 2)]
        window = self.manifest.passage_max_tokens
        if over := [at for at, length in enumerate(lengths) if length > window]:
            raise TextTooLong(over, [lengths[at] for at in over], window)
        return lengths

    def _encode(
        self,
        role: Role,
        tower: SentenceTransformer,
        inputs: Sequence[str | tuple[str, str]],
        lengths: Sequence[int],
        *,
        texts: int | None = None,
    ) -> Vectors:
        """[len(inputs), dimensions] in the order of `inputs`, batched by length to save padding."""
        import numpy as np

        vectors = np.full((len(inputs), self.manifest.dimensions), np.nan, dtype=np.float32)
        for batch in plan_batches(lengths, BATCH_TOKENS):
            given = [inputs[at] for at in batch]
            encoded = tower.encode(given, prompt="", batch_size=len(batch), show_progress_bar=False)
            if len(encoded) != len(batch):
                raise CountMismatch(len(batch), len(encoded))
            vectors[batch] = encoded
        characters = sum(len(entry) if isinstance(entry, str) else sum(map(len, entry)) for entry in inputs)
        self.counts.add(role, texts=len(inputs) if texts is None else texts, characters=characters)
        return self._finish(vectors, len(inputs))

    def _finish(self, raw: Vectors, count: int) -> Vectors:
        import numpy as np

        vectors = check_vectors(raw, count=count, dimensions=self.manifest.dimensions)
        if self.manifest.normalised:  # again: bfloat16 leaves lengths between 0.996 and 1.004
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors
