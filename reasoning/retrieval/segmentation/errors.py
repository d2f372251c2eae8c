"""What can go wrong while text is cut.

SegmentationError
├── CountMismatch
├── VectorsUnusable
└── LimitTooSmall
"""

from __future__ import annotations


class SegmentationError(Exception):
    """The text could not be cut into passages."""

    retryable = False
    remedy = "Check the encoder with `carecite doctor`."

    def __init__(self, detail: str | None = None) -> None:
        message = (self.__doc__ or "").strip().splitlines()[0]
        super().__init__(f"{message} {detail}" if detail else message)


class CountMismatch(SegmentationError):
    """The encoder gave back another number of results than it was given texts."""


class VectorsUnusable(SegmentationError):
    """The encoder gave back something other than a table of finite numbers."""


class LimitTooSmall(SegmentationError):
    """A single character has more tokens than a passage may have."""

    remedy = "Choose an encoder with a longer window, or raise its limit."
