"""The messages of an answer on Telegram: 4,096 UTF-16 units and 100 entities each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from bot.render.directions import isolate
from bot.render.errors import TextChanged
from bot.render.feedback import offers_feedback, write_feedback
from bot.render.integrity import find_change
from bot.render.parts import Said, number, part, utf16
from bot.render.saying import LONGEST_NAME, say_answer, say_reply, say_stored
from bot.render.spoken import read
from bot.render.telegram.entities import Entity, draw_entities
from bot.render.withdrawing import strike_out
from reasoning.notices import notice
from reasoning.types import Answer, Level

_TEXT = 4_096 - 16  # the number of the part has room
_ENTITIES = 100  # those beyond lose their look without a word
Keyboard = dict[str, list[list[dict[str, str]]]]


@dataclass(frozen=True, slots=True)
class TelegramPart:
    """One message; `gap` are the blanks that stand between it and the one before in what is said, `label` is
    "1/3" or None."""

    words: str
    entities: tuple[Entity, ...]
    gap: str
    label: str | None = None
    keyboard: Keyboard | None = None

    @property
    def text(self) -> str:
        return f"{self.words}\n\n{self.label}" if self.label else self.words

    def send(self, *, plain: bool = False) -> dict[str, Any]:
        """Arguments of sendMessage or editMessageText, but for the chat; `plain` without entities, should
        Telegram refuse them."""
        entities = {"entities": [*self.entities]} if self.entities and not plain else {}
        keyboard = {"reply_markup": self.keyboard} if self.keyboard else {}
        return {"text": self.text, **entities, "link_preview_options": {"is_disabled": True}, **keyboard}


def draw_answer(answer: Answer, answer_id: str | None = None) -> list[TelegramPart]:
    """The messages of an answer in order; buttons for `answer_id` on the last, unless somebody is in danger.

    Raises TextChanged where what would be shown is not what is stored, ValueError for an id that fits no
    button.
    """
    keyboard = _keyboard(answer_id, answer.language) if answer_id and offers_feedback(answer) else None
    for said in (isolate(say_answer(answer, LONGEST_NAME)), say_stored(answer, LONGEST_NAME)):
        parts = _draw(said)
        if find_change(answer.answer.text, shown_text(parts)) is None:
            return [*parts[:-1], *(replace(last, keyboard=keyboard) for last in parts[-1:])]
    raise TextChanged


def draw_reply(text: str, level: Level = "none") -> list[TelegramPart]:
    """A fixed reply, a notice or a word of progress: no buttons."""
    return _draw(isolate(say_reply(text, level)))


def draw_withdrawn(answer: Answer, mark: str) -> list[TelegramPart]:
    """The messages of an answer that no longer holds, each with the mark before it; no buttons."""
    return [_part(said) for said in strike_out(answer, mark, _fits)]


def shown_text(parts: Iterable[TelegramPart]) -> str:
    """What a reader sees of what is said: all parts, without their numbers."""
    return "".join(one.gap + one.words for one in parts)


def _fits(said: Said) -> bool:
    return utf16(read(said)) <= _TEXT and len(draw_entities(said)) <= _ENTITIES


def _draw(paragraphs: Said) -> list[TelegramPart]:
    dealt = part(paragraphs, _fits)
    return [_part(said, number(len(dealt), at)) for at, said in enumerate(dealt, start=1)]


def _part(said: Said, label: str | None = None) -> TelegramPart:
    gap = said[0].gap
    return TelegramPart(read(said)[len(gap) :], tuple(draw_entities(said)), gap, label)


def _keyboard(answer_id: str, language: str) -> Keyboard:
    good, bad = (write_feedback(answer_id, good=mark) for mark in (True, False))
    row = [
        {"text": f"👍 {notice('feedback_good', language)}", "callback_data": good},
        {"text": f"👎 {notice('feedback_bad', language)}", "callback_data": bad},
    ]
    return {"inline_keyboard": [row]}
