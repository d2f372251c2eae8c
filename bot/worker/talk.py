"""The talk before a question, as the assistant reads it."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import ValidationError

from reasoning.followups import Earlier, remember
from reasoning.language import detect_language
from reasoning.types import Answer
from storage.history.chat import Turn


def recall(turns: Iterable[Turn]) -> list[Earlier]:
    """In the same order. A turn has no answer where we apologised, or where an older carecite kept it in a
    shape that is no longer read."""
    return [_recall(turn) for turn in turns]


def _recall(turn: Turn) -> Earlier:
    try:
        answer = Answer.model_validate(turn.answer)
    except ValidationError:
        return Earlier(turn.text, detect_language(turn.text), turn.owner)
    return remember(turn.text, answer, turn.owner)
