"""Embedding and cross-encoder models: text in, checked numbers out.

`load_encoder` gives an encoder, `AsyncEncoder` lets a server use it, `CachedEncoder` remembers vectors for
measuring. Importing this package loads no model library.
"""

from reasoning.encoders.batching import AsyncEncoder, AsyncScorer
from reasoning.encoders.cache import CachedEncoder
from reasoning.encoders.cross_encoder import CrossScorer
from reasoning.encoders.errors import (
    BadScore,
    BadVector,
    CountMismatch,
    EncoderClosed,
    EncoderError,
    ModelMissing,
    ModelUnusable,
    TextTooLong,
    WindowUnknown,
)
from reasoning.encoders.interface import Counts, Encoder, QueryVector, RoleCount, ShortQuestion, TitledText
from reasoning.encoders.loading import load_cross_scorer, load_encoder, load_wide_minilm
from reasoning.encoders.model_thread import ModelThread

__all__ = [
    "AsyncEncoder",
    "AsyncScorer",
    "BadScore",
    "BadVector",
    "CachedEncoder",
    "CountMismatch",
    "Counts",
    "CrossScorer",
    "Encoder",
    "EncoderClosed",
    "EncoderError",
    "ModelMissing",
    "ModelThread",
    "ModelUnusable",
    "QueryVector",
    "RoleCount",
    "ShortQuestion",
    "TextTooLong",
    "TitledText",
    "WindowUnknown",
    "load_cross_scorer",
    "load_encoder",
    "load_wide_minilm",
]
