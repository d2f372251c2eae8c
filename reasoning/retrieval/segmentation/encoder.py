"""What cutting asks of an encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from reasoning.retrieval.segmentation.errors import CountMismatch, VectorsUnusable

Vectors = NDArray[np.floating]


class SentenceEncoder(Protocol):
    """Both answer in the order asked, one result a text."""

    def count_tokens(self, texts: list[str]) -> list[int]:
        """Tokens of each text by the encoder's own tokenizer, without special tokens, never truncated."""
        ...

    def encode_sentences(self, texts: list[str]) -> Vectors:
        """[n, d], any scale."""
        ...


def count_all(encoder: SentenceEncoder, texts: Sequence[str]) -> list[int]:
    """Raises CountMismatch."""
    counts = encoder.count_tokens(list(texts)) if texts else []
    if len(counts) != len(texts):
        raise CountMismatch(f"{len(texts)} texts, {len(counts)} counts.")
    return counts


def encode_all(encoder: SentenceEncoder, texts: Sequence[str]) -> Vectors:
    """[n, d]. Raises CountMismatch (case F14) and VectorsUnusable."""
    vectors = np.asarray(encoder.encode_sentences(list(texts)))
    if len(vectors) != len(texts):
        raise CountMismatch(f"{len(texts)} sentences, {len(vectors)} vectors.")
    if vectors.ndim != 2 or not np.isfinite(vectors).all():
        raise VectorsUnusable(f"Shape {vectors.shape}.")
    return vectors
