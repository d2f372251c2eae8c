"""What somebody is told whose answer was found wrong, and how the wrong answer is marked.

Each message of the answer is edited: a warning with the day comes before its text, which stays, struck out,
and its buttons go; advice to call for help is not struck. Below, a new message says what is right, in words
of a reviewer, or that the answer is withdrawn.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import cast

from pydantic import ValidationError

from bot.intake.desk import PLACEHOLDER
from bot.render.look import Body, Look, parts_of
from bot.render.looks import LOOKS
from reasoning.notices import notice
from reasoning.types import Answer
from storage.history.chat import CORRECTION, WITHDRAWN, Part, Platform
from storage.history.review import Actor, Prospect, ReviewRoom, Wronged

_ANSWERS = ("answer", "reply")  # names of parts: of a worker, and of who helps at once


async def tell_person(room: ReviewRoom, actor: Actor, run_id: str) -> Prospect:
    """Once, and only whom it may be told; what hinders it is told back. Raises NotThere."""
    return await room.telling.tell(actor, run_id, compose)


def compose(wronged: Wronged) -> list[Part]:
    """The wrong messages marked, then the correction."""
    look = LOOKS[cast(Platform, wronged.platform)]
    bodies = _withdraw(look, wronged, datetime.now(UTC).date())
    marks = [
        Part(f"{WITHDRAWN} {n}", bodies[n - 1] if n <= len(bodies) else bodies[0], "edit", target)
        for n, target in _messages(wronged)
    ]
    return [*marks, *parts_of(CORRECTION, look.reply(_words(wronged), "urgent"))]


def _messages(wronged: Wronged) -> list[tuple[int, str]]:
    """Number and name of each part that shows a message of the answer. The first one of a worker has taken
    the place of the placeholder, unless that was gone."""
    shown: dict[int, str] = {1: PLACEHOLDER} if PLACEHOLDER in wronged.shown else {}
    for name in wronged.shown:
        kind, _, number = name.partition(" ")
        if kind in _ANSWERS:
            shown[int(number)] = name
    return sorted(shown.items())


def _withdraw(look: Look, wronged: Wronged, today: date) -> list[Body]:
    """An answer that an older carecite kept in a shape that is no longer read leaves the mark alone."""
    mark = notice("correction_mark", wronged.language, date=today)
    try:
        bodies = look.withdraw(Answer.model_validate(wronged.answer), mark)
    except ValidationError:
        bodies = []
    return bodies or look.reply(mark, "urgent")


def _words(wronged: Wronged) -> str:
    """In the language of the question; a reviewer's words are in the language they chose."""
    given = "given" if wronged.corrected else "withdrawn"
    code = f"correction_{given}_{wronged.verdict}"
    words = notice(code, wronged.language, date=wronged.asked_at.astimezone(UTC).date())
    return f"{words}\n\n{wronged.corrected}" if wronged.corrected else words
