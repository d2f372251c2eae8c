"""Ordering what was found anew: by words, a larger encoder, or a model that reads both (methods.md 1.7).

`load_reranker` gives the one of the settings.
"""

from reasoning.retrieval.reranking.bi_encoder import BiEncoderReranker
from reasoning.retrieval.reranking.cross_encoder import CrossEncoderReranker
from reasoning.retrieval.reranking.features import Features, describe
from reasoning.retrieval.reranking.interface import Judge, Reranker, Similarity, refuses_all
from reasoning.retrieval.reranking.lexical import LexicalReranker
from reasoning.retrieval.reranking.loading import load_reranker
from reasoning.retrieval.reranking.similarity import stored_similarity

__all__ = [
    "BiEncoderReranker",
    "CrossEncoderReranker",
    "Features",
    "Judge",
    "LexicalReranker",
    "Reranker",
    "Similarity",
    "describe",
    "load_reranker",
    "refuses_all",
    "stored_similarity",
]
