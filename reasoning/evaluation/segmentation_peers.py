"""Semantic chunkers of other libraries, all on the same sentence vectors as ours (extra `peers`).

Each is used as its documentation shows, with one number left free: the percentile of distances above which
LangChain and LlamaIndex break, the threshold of chonkie's minima.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoning.errors import ReasoningError
from reasoning.evaluation.segmentation_set import Range

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Count = Callable[[Sequence[str]], list[int]]
Split = Callable[[str], list[Range]]

MODULES = {
    "langchain": "langchain_experimental.text_splitter",
    "llamaindex": "llama_index.core",
    "chonkie": "chonkie",
}


class PeerChangedText(ReasoningError):
    """A chunker gave back other text than it was given."""


def missing_peer(name: str) -> str | None:
    """How to install it, if it is not."""
    try:
        importlib.import_module(MODULES[name])
    except ImportError:
        return f"{name} is left out; `pip install -c constraints.txt 'carecite[peers]'` installs it."
    return None


def langchain(embed: Embed, percentile: float) -> Split:
    """SemanticChunker of langchain-experimental."""
    from langchain_core.embeddings import Embeddings
    from langchain_experimental.text_splitter import SemanticChunker

    class Ours(Embeddings):  # type: ignore[misc, unused-ignore]
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[float(x) for x in row] for row in embed(texts)]

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    chunker = SemanticChunker(Ours(), breakpoint_threshold_amount=percentile)
    return lambda text: ranges_of(text, chunker.split_text(text))


def llamaindex(embed: Embed, percentile: float) -> Split:
    """SemanticSplitterNodeParser of llama-index-core; it takes whole percentiles only."""
    from llama_index.core import Document
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.node_parser import SemanticSplitterNodeParser

    class Ours(BaseEmbedding):  # type: ignore[misc, unused-ignore]
        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return [[float(x) for x in row] for row in embed(texts)]

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    parser = SemanticSplitterNodeParser.from_defaults(
        embed_model=Ours(embed_batch_size=2048), breakpoint_percentile_threshold=round(percentile)
    )

    def split(text: str) -> list[Range]:
        nodes = parser.build_semantic_nodes_from_documents([Document(text=text)])
        return ranges_of(text, (node.get_content() for node in nodes))

    return split


def chonkie(embed: Embed, count: Count, size: int, threshold: float) -> Split:
    """SemanticChunker of chonkie, with the encoder's window as its largest chunk."""
    from chonkie import SemanticChunker
    from chonkie.embeddings import BaseEmbeddings

    class Ours(BaseEmbeddings):  # type: ignore[misc, unused-ignore]
        def embed(self, text: str) -> Any:
            return embed([text])[0]

        def embed_batch(self, texts: list[str]) -> list[Any]:
            return list(embed(texts)) if texts else []

        @property
        def dimension(self) -> int:
            return len(self.embed("a"))

        def get_tokenizer(self) -> Any:
            return lambda text: count([text])[0]

    chunker = SemanticChunker(Ours(), threshold=threshold, chunk_size=size)
    return lambda text: ranges_of(text, (chunk.text for chunk in chunker.chunk(text)))


def ranges_of(text: str, chunks: Iterable[str]) -> list[Range]:
    """Where chunks stand that follow each other and differ from the text in blanks at most.

    Raises PeerChangedText.
    """
    found: list[Range] = []
    at = 0
    for chunk in chunks:
        start: int | None = None
        for char in chunk:
            if char.isspace():
                continue
            while at < len(text) and text[at].isspace():
                at += 1
            if at >= len(text) or text[at] != char:
                raise PeerChangedText(f"At character {at}.")
            start = at if start is None else start
            at += 1
        if start is not None:
            found.append((start, at))
    return found
