"""What a feedback button carries: the id of an answer, and whether it helped; never text."""

from __future__ import annotations

from typing import NamedTuple

from reasoning.types import Answer

ACTION = "feedback"  # Slack's action_id
_PREFIX = "fb"
_LONGEST = 64  # bytes of Telegram's callback data


class Feedback(NamedTuple):
    answer_id: str
    good: bool


def write_feedback(answer_id: str, *, good: bool) -> str:
    """Raises ValueError where the id is empty or too long for a button (59 bytes)."""
    data = f"{_PREFIX}:{'g' if good else 'b'}:{answer_id}"
    if not answer_id or len(data.encode()) > _LONGEST:
        raise ValueError("an id of 1 to 59 bytes fits a button")
    return data


def read_feedback(data: str) -> Feedback | None:
    """What a click says; None for anything that no button of ours carries."""
    prefix, _, rest = data.partition(":")
    mark, _, answer_id = rest.partition(":")
    if prefix != _PREFIX or mark not in ("g", "b") or not answer_id:
        return None
    return Feedback(answer_id, mark == "g")


def offers_feedback(answer: Answer) -> bool:
    """No cheerful buttons below a reply to somebody in danger (chat.md 6)."""
    return answer.triage.level not in ("emergency", "self_harm")
