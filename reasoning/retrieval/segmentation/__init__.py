"""SEOS segmentation: an article's text to passages (methods.md 1.6)."""

from reasoning.retrieval.segmentation.encoder import SentenceEncoder
from reasoning.retrieval.segmentation.errors import (
    CountMismatch,
    LimitTooSmall,
    SegmentationError,
    VectorsUnusable,
)
from reasoning.retrieval.segmentation.lexicon import opens_with_anaphor
from reasoning.retrieval.segmentation.neighbours import needs_next, needs_previous
from reasoning.retrieval.segmentation.segmenter import segment, segment_many, segment_traced
from reasoning.retrieval.segmentation.sentences import Span, split_sentences
from reasoning.retrieval.segmentation.seos import SeosParams
from reasoning.retrieval.segmentation.trace import Segmentation, SegmentationTrace, UnitTrace
from reasoning.retrieval.segmentation.units import document_text

__all__ = [
    "CountMismatch",
    "LimitTooSmall",
    "Segmentation",
    "SegmentationError",
    "SegmentationTrace",
    "SentenceEncoder",
    "SeosParams",
    "Span",
    "UnitTrace",
    "VectorsUnusable",
    "document_text",
    "needs_next",
    "needs_previous",
    "opens_with_anaphor",
    "segment",
    "segment_many",
    "segment_traced",
    "split_sentences",
]
