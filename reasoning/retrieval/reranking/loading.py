"""From the name in the settings to a reranker. Models are loaded here, in some seconds."""

from __future__ import annotations

from pathlib import Path

from reasoning.encoders import (
    AsyncEncoder,
    AsyncScorer,
    CachedEncoder,
    ModelThread,
    load_cross_scorer,
    load_encoder,
)
from reasoning.encoders.cross_encoder import CROSS_ENCODER
from reasoning.retrieval.reranking.bi_encoder import BiEncoderReranker
from reasoning.retrieval.reranking.cross_encoder import CrossEncoderReranker
from reasoning.retrieval.reranking.interface import Reranker, Similarity
from reasoning.retrieval.reranking.lexical import LexicalReranker
from storage.encoders import Dtype
from storage.vector_cache import VectorCache


def load_reranker(
    name: str,
    similarity: Similarity,
    *,
    vectors: Path,
    thread: ModelThread,
    models_dir: Path | None = None,
    dtype: Dtype = "float32",
    allow_download: bool = False,
    window: int | None = None,
) -> Reranker:
    """`lexical`, `MedCPT-Cross-Encoder`, or an encoder by name; both of the latter lie in `models_dir`.

    Blocking. `vectors` is the folder where a second encoder keeps what it embedded once. Raises EncoderError.
    """
    if name == LexicalReranker.name:
        return LexicalReranker(similarity)
    if name == CROSS_ENCODER:
        scorer = load_cross_scorer(models_dir=models_dir, dtype=dtype, allow_download=allow_download)
        return CrossEncoderReranker(AsyncScorer(scorer, thread=thread))
    encoder = load_encoder(
        name, models_dir=models_dir, dtype=dtype, allow_download=allow_download, window=window
    )
    cache = VectorCache(vectors / f"{encoder.manifest.name}.sqlite", encoder.manifest)
    return BiEncoderReranker(
        AsyncEncoder(encoder, thread=thread), AsyncEncoder(CachedEncoder(encoder, cache), thread=thread)
    )
