"""What can go wrong in the reasoning.

ReasoningError
├── EmptyQuestion
└── QuestionTooLong
"""

from __future__ import annotations

from config.errors import BAD_USAGE, CareciteError


class ReasoningError(CareciteError):
    """The question could not be worked on."""

    remedy = "Ask in one or two sentences."
    exit_code = BAD_USAGE


class EmptyQuestion(ReasoningError):
    """There is no question in this text."""

    remedy = 'Ask in words, for example: carecite ask "What are the symptoms of lung cancer?"'


class QuestionTooLong(ReasoningError):
    """The question is too long."""

    remedy = "Keep to what you want to know and the facts that matter for it."
