"""What a feedback button carries: the id of an answer, whether it helped, and a reason; never text."""

from __future__ import annotations

from typing import NamedTuple

from reasoning.types import Answer

ACTION = "feedback"  # Slack's action_id
REASONS = ("other_question", "incomplete", "unsupported", "unclear", "unsafe")  # why an answer did not help
_PREFIX = "fb"
_LONGEST = 64  # bytes of Telegram's callback data


class Feedback(NamedTuple):
    answer_id: str
    good: bool
    reason: str | None = None


def write_feedback(answer_id: str, *, good: bool, reason: str | None = None) -> str:
    """Raises ValueError where the id is empty or too long for a button (59 bytes, with a reason 44)."""
    mark = "g" if good else f"b.{reason}" if reason else "b"
    data = f"{_PREFIX}:{mark}:{answer_id}"
    if not answer_id or len(data.encode()) > _LONGEST:
        raise ValueError("an id of 1 to 59 bytes fits a button, one of 1 to 44 with a reason")
    return data


def read_feedback(data: str) -> Feedback | None:
    """What a click says; None for anything that no button of ours carries."""
    prefix, _, rest = data.partition(":")
    mark, _, answer_id = rest.partition(":")
    sign, _, reason = mark.partition(".")
    known = mark in ("g", "b") or (sign == "b" and reason in REASONS)
    if prefix != _PREFIX or not known or not answer_id:
        return None
    return Feedback(answer_id, sign == "g", reason or None)


def offers_feedback(answer: Answer) -> bool:
    """No cheerful buttons below a reply to somebody in danger (chat.md 6)."""
    return answer.triage.level not in ("emergency", "self_harm")
