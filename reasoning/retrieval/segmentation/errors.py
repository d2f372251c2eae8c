"""What can go wrong while text is cut.

SegmentationError
├── CountMismatch
├── VectorsUnusable
└── LimitTooSmall
"""

from __future__ import annotations

from config.errors import CareciteError


class SegmentationError(CareciteError):
    """The text could not be cut into passages."""

    remedy = "Check the encoder with `carecite doctor`."


class CountMismatch(SegmentationError):
    """The encoder gave back another number of results than it was given texts."""


class VectorsUnusable(SegmentationError):
    """The encoder gave back something other than a table of finite numbers."""


class LimitTooSmall(SegmentationError):
    """A single character has more tokens than a passage may have."""

    remedy = "Choose an encoder with a longer window, or raise its limit."
