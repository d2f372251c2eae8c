"""What can go wrong in the reasoning.

ReasoningError
├── EmptyQuestion
├── QuestionTooLong
└── UnknownMethod
"""

from __future__ import annotations


class ReasoningError(Exception):
    """The question could not be worked on."""

    retryable = False
    remedy = "Ask in one or two sentences."

    def __init__(self, detail: str | None = None) -> None:
        message = (self.__doc__ or "").strip().splitlines()[0]
        super().__init__(f"{message} {detail}" if detail else message)


class EmptyQuestion(ReasoningError):
    """There is no question in this text."""

    remedy = 'Ask in words, for example: carecite ask "What are the symptoms of lung cancer?"'


class QuestionTooLong(ReasoningError):
    """The question is too long."""

    remedy = "Keep to what you want to know and the facts that matter for it."


class UnknownMethod(ReasoningError):
    """There is no such method."""

    remedy = "Choose auto, cometa, mirage, sema-rag or literature."
