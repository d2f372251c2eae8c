"""The messages of an answer on Slack.

Every part says the whole of itself twice: in blocks, and escaped as `text`, which notifications and screen
readers use, and which an edit takes up to 4,000 characters. So parts are cut for `text`, and are far below
the 50 blocks and 13,200 characters of all blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from bot.render.directions import isolate
from bot.render.errors import TextChanged
from bot.render.feedback import offers_feedback
from bot.render.integrity import find_change
from bot.render.parts import Said, number, part, utf16
from bot.render.saying import LONGEST_NAME, say_answer, say_reply, say_stored
from bot.render.slack.blocks import (
    Block,
    context,
    draw_blocks,
    draw_plain,
    escape,
    feedback,
    split_markup,
    unescape,
)
from bot.render.spoken import read
from reasoning.types import Answer, Level

_TEXT = 3_960  # UTF-16 units, escaped: 4,000 in an edit, less the number of the part
_ALL = 11_000  # of texts and addresses: 13,200 in all blocks, less their names and buttons
_SPAN = 32  # for the names of one element
_BLOCKS = 40  # of 50: the number of the part and the buttons are blocks too

# `parse` is none, since an edit else looks for channels and people in the text ("client").
EDIT: dict[str, Any] = {"parse": "none", "link_names": False}
POST: dict[str, Any] = EDIT | {"unfurl_links": False, "unfurl_media": False, "mrkdwn": False}
Form = Literal["body", "plain", "words"]
_FORMS: tuple[Form, ...] = ("body", "plain", "words")
_Draw = Callable[[Said], list[tuple[str, Block]]]


@dataclass(frozen=True, slots=True)
class SlackPart:
    """One message. `body` is what is said, with the gap before each block; `plain` the same as sections of
    plain text, should Slack refuse the blocks; `words` the same, escaped; `label` is "1/3" or None."""

    words: str
    body: tuple[tuple[str, Block], ...]
    plain: tuple[tuple[str, Block], ...]
    label: str | None = None
    buttons: Block | None = None

    @property
    def text(self) -> str:
        """For notifications and screen readers."""
        return f"{self.words}\n\n{self.label}" if self.label else self.words

    @property
    def blocks(self) -> list[Block]:
        return self._blocks(plain=False)

    def post(self, *, plain: bool = False) -> dict[str, Any]:
        """Arguments of chat.postMessage, but for the channel and thread."""
        return {"text": self.text, "blocks": self._blocks(plain), **POST}

    def edit(self, *, plain: bool = False) -> dict[str, Any]:
        """Arguments of chat.update, but for the channel and time stamp."""
        return {"text": self.text, "blocks": self._blocks(plain), **EDIT}

    def _blocks(self, plain: bool) -> list[Block]:
        said = [block for _, block in (self.plain if plain else self.body)]
        label = [context(self.label)] if self.label else []
        return [*said, *label, *([self.buttons] if self.buttons else [])]


def draw_answer(answer: Answer, answer_id: str | None = None) -> list[SlackPart]:
    """The messages of an answer in order; buttons for `answer_id` on the last, unless somebody is in danger.

    Raises TextChanged where what would be shown is not what is stored, ValueError for an id that fits no
    button.
    """
    buttons = feedback(answer_id, answer.language) if answer_id and offers_feedback(answer) else None
    said = isolate(say_answer(answer, LONGEST_NAME))
    for paragraphs, draw in ((said, draw_blocks), (say_stored(answer, LONGEST_NAME), draw_plain)):
        parts = _draw(paragraphs, draw, buttons)
        if not any(find_change(answer.answer.text, shown_text(parts, form)) for form in _FORMS):
            return parts
    raise TextChanged


def draw_reply(text: str, level: Level = "none") -> list[SlackPart]:
    """A fixed reply, a notice or a word of progress: no buttons."""
    return _draw(isolate(say_reply(text, level)), draw_blocks, None)


def shown_text(parts: Iterable[SlackPart], form: Form = "body") -> str:
    """What a reader sees of what is said, read back from the blocks or from the words beside them."""
    said = ""
    for one in parts:
        if form == "words":
            said += one.body[0][0] + unescape(one.words)
        else:
            said += "".join(gap + _read(block) for gap, block in (one.body if form == "body" else one.plain))
    return said


def _fits(said: Said) -> bool:
    if utf16(escape(read(said))) > _TEXT:
        return False
    spans = [span for paragraph in said for span in paragraph.spans]
    size = sum(
        utf16(span.text) + utf16(span.url or "") + _SPAN * len(split_markup(span.text)) for span in spans
    )
    return size <= _ALL and (len(said) <= _BLOCKS or len(draw_blocks(said)) <= _BLOCKS)


def _draw(paragraphs: Said, draw: _Draw, buttons: Block | None) -> list[SlackPart]:
    dealt = part(paragraphs, _fits)
    parts = []
    for at, said in enumerate(dealt, start=1):
        words = escape(read(said)[len(said[0].gap) :])
        last = buttons if at == len(dealt) else None
        label = number(len(dealt), at)
        parts.append(SlackPart(words, tuple(draw(said)), tuple(draw_plain(said)), label, last))
    return parts


def _read(block: Block) -> str:
    if block["type"] == "rich_text":
        return "".join(element["text"] for section in block["elements"] for element in section["elements"])
    if block["type"] == "context":
        return "\n".join(element["text"] for element in block["elements"])
    return str(block["text"]["text"])
