"""The talk before a question, as the assistant reads it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from reasoning.followups import Earlier, remember
from reasoning.language import detect_language
from reasoning.types import Answer
from storage.history.chat import Turn


def recall(turns: Iterable[Turn]) -> list[Earlier]:
    """In the same order."""
    return [recall_turn(turn.text, turn.answer, turn.owner) for turn in turns]


def recall_turn(text: str, answer: dict[str, Any] | None, owner: str) -> Earlier:
    """A turn has no answer where we apologised, or where an older carecite kept it in a shape that is no
    longer read."""
    try:
        read = Answer.model_validate(answer)
    except ValidationError:
        return Earlier(text, detect_language(text), owner)
    return remember(text, read, owner)
