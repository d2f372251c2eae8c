"""What can go wrong with the models that turn text into numbers.

EncoderError
├── ModelMissing
├── ModelUnusable
├── WindowUnknown
├── TextTooLong
├── BadVector
├── BadScore
├── CountMismatch
└── EncoderClosed
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from config.errors import CareciteError

if TYPE_CHECKING:
    import numpy as np


class EncoderError(CareciteError):
    """The encoder could not do what was asked."""


class ModelMissing(EncoderError):
    """The model is not in its folder."""

    remedy = (
        "Put the model's files there, allow the download in the settings, or set CARECITE_ENCODER=minilm."
    )

    def __init__(self, folder: Path, detail: str, *, remedy: str | None = None) -> None:
        super().__init__(f"{folder}: {detail}.", remedy=remedy)
        self.folder = folder


class ModelUnusable(EncoderError):
    """The model's files are there but do not fit together."""

    remedy = "Fetch the folder anew, or choose another encoder in the settings."

    def __init__(self, folder: Path, detail: str, *, remedy: str | None = None) -> None:
        super().__init__(f"{folder}: {detail}.", remedy=remedy)
        self.folder = folder


class WindowUnknown(EncoderError):
    """The model does not say how many tokens it reads."""

    remedy = "State the model's window in the settings."


class TextTooLong(EncoderError):
    """A text is longer than the encoder's window, and a cut one would be embedded wrongly."""

    remedy = "Ingest the document again with this encoder, so that its passages are cut to fit."

    def __init__(self, positions: Sequence[int], lengths: Sequence[int], window: int) -> None:
        """`positions` in the input, with the length of each in tokens, all counted as the window counts."""
        shown = ", ".join(
            f"no. {at} ({length} tokens)" for at, length in list(zip(positions, lengths, strict=True))[:5]
        )
        more = f" and {len(positions) - 5} more" if len(positions) > 5 else ""
        super().__init__(f"Window: {window} tokens; {shown}{more}.")
        self.positions, self.lengths, self.window = tuple(positions), tuple(lengths), window


class BadVector(EncoderError):
    """The encoder returned a vector of the wrong length, a zero vector, or one that is not finite."""

    remedy = "Leave these texts out of the index; if it happens to all, fetch the model anew."

    def __init__(self, positions: Sequence[int], vectors: np.ndarray) -> None:
        """`vectors` is the whole batch: all rows but those of `positions` are good (case F20)."""
        super().__init__(
            f"Texts no. {', '.join(map(str, positions[:10]))}{' ...' if len(positions) > 10 else ''}."
        )
        self.positions, self.vectors = tuple(positions), vectors


class BadScore(EncoderError):
    """The cross-encoder returned a score that is not finite."""

    def __init__(self, positions: Sequence[int]) -> None:
        super().__init__(f"Passages no. {', '.join(map(str, positions))}.")
        self.positions = tuple(positions)


class CountMismatch(EncoderError):
    """The encoder returned more or fewer results than it was given texts."""

    def __init__(self, given: int, returned: int) -> None:
        super().__init__(f"{given} texts, {returned} results.")
        self.given, self.returned = given, returned


class EncoderClosed(EncoderError):
    """The encoder is shutting down and takes no more work."""

    remedy = "Ask again after the restart."
