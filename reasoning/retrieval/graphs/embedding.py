"""Vectors for the names of entities."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import numpy as np
from numpy.typing import NDArray

from reasoning.encoders import BadVector, Encoder
from storage.corpus.graph import Graph

BATCH = 1024


async def embed_names(graph: Graph, encoder: Encoder) -> AsyncIterator[tuple[int, int]]:
    """Embed each name that has no vector of this encoder, yielding how many are done and how many there were.

    As a question is embedded, not as a passage: a name is compared with a patient's word, both are short.
    """
    total, done, last = await graph.count_missing(), 0, 0
    while batch := await graph.missing_names(last, BATCH):
        texts = list(dict.fromkeys(name for _, name in batch))
        vectors = await asyncio.to_thread(_encode, encoder, texts)
        await graph.store_vectors([key for key, _ in batch], np.array([vectors[name] for _, name in batch]))
        done, last = done + len(batch), batch[-1][0]
        yield done, total


def _encode(encoder: Encoder, texts: list[str]) -> dict[str, NDArray[np.float32]]:
    """A name that the model gives no usable vector has zeros, which are not stored."""
    try:
        return {name: query.vector for name, query in zip(texts, encoder.encode_queries(texts), strict=True)}
    except BadVector as error:
        return dict(zip(texts, error.vectors, strict=True))
