"""An answer that no longer holds: the warning first, the text kept below it and struck out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.render.directions import isolate
from bot.render.parts import Said, part
from bot.render.saying import LONGEST_NAME, say_answer, say_reply
from bot.render.spoken import Paragraph, Span
from reasoning.types import Answer


def strike_out(answer: Answer, mark: str, fits: Callable[[Said], bool]) -> list[Said]:
    """What each message of the answer says then. Advice to call for help still holds, and is not struck; of a
    message that was full the end goes, since it has no room for the mark otherwise.
    """
    warning = isolate(say_reply(mark, "urgent"))
    struck = []
    for said in part(isolate(say_answer(answer, LONGEST_NAME)), fits):
        kept = [_strike(paragraph) for paragraph in said]
        kept[0] = replace(kept[0], gap="\n\n")
        struck.append((*warning, *part(kept, lambda some: fits((*warning, *some)))[0]))
    return struck


def _strike(paragraph: Paragraph) -> Paragraph:
    """Without links: nobody should go on from it."""
    if paragraph.kind == "warning":
        return paragraph
    return replace(paragraph, kind="text", spans=(Span(paragraph.text, "struck"),))
