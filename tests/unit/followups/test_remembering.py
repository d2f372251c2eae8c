"""What an answer adds to its turn of a talk, and what the worker makes of turns as the store has them."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.worker.talk import recall
from reasoning.followups import Earlier, remember
from reasoning.followups.rule import complete_by_rule
from reasoning.types import Answer
from storage.history.chat import Turn
from tests.unit.rendering.answers import build

PATCHES = "What are those silver patches on elbows?"


def answered(**changes: object) -> Answer:
    said = ["Psoriasis gives silver patches.", "Psoriasis often runs in families.", "Eczema itches more."]
    return build([said]).model_copy(update={"question": PATCHES, **changes})


def turn(number: int, text: str, answer: dict[str, object] | None, person: int | None = 1) -> Turn:
    return Turn(number, person, text, answer, datetime.now(UTC))


def test_what_an_answer_speaks_of_is_kept_where_the_question_names_nothing() -> None:
    found = remember(PATCHES, answered(), "A")
    assert [name.lower() for name in found.answered[:2]] == ["psoriasis", "eczema"]
    assert "psoriasis" in complete_by_rule((found,), "is it contagious?", "en", "A").question.lower()
    named = remember("What is gout?", answered(standalone=None), "A")
    assert named == Earlier("What is gout?", "en", "A")
    assert remember("and it?", answered(standalone="gout: and it?"), "A").standalone == "gout: and it?"


def test_turns_without_an_answer_that_can_be_read() -> None:
    """None after an apology; another shape from an older carecite; nobody, who is never the same nobody."""
    kept = answered().model_dump(mode="json")
    found = recall(
        [
            turn(1, "What is gout?", None),
            turn(2, "Wie wird Gicht behandelt und was hilft dagegen?", {"run_id": "r"}),
            turn(3, PATCHES, kept, None),
            turn(4, PATCHES, kept, None),
        ]
    )
    assert found[0] == Earlier("What is gout?", "en", "person:1")
    assert (found[1].language, found[1].answered) == ("de", ())
    assert len({one.person for one in found}) == 3
