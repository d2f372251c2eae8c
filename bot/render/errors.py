"""What can go wrong in drawing an answer.

RenderError
└── TextChanged
"""

from __future__ import annotations

from config.errors import CareciteError


class RenderError(CareciteError):
    """The answer could not be drawn."""


class TextChanged(RenderError):
    """What would be shown differs from the answer that was stored, so it is not sent."""

    remedy = "Read the answer with: carecite history show, and report this as a fault of carecite."
