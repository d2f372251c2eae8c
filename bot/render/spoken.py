"""What is said, before any platform draws it: paragraphs of spans.

A look (terminal, Slack, Telegram) decides only how a span looks. It adds no words and leaves none out, but
for the number of a part ("1/3") and the names of buttons.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Role = Literal["text", "strong", "mark", "title", "caution", "fact", "struck"]
Kind = Literal["warning", "choice", "text", "heading", "source", "notice", "quiet"]

_LINE_END = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# What turns the reading order of digits behind a reader's back; marks (U+200E, U+200F) turn nothing.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_CONTROL = re.compile("[\x00-\x09\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Telegram's server drops these three marks from any text, but not a letter composed with the first.
_RING, _DROPPED = re.compile(".\u030a"), re.compile("[\u030a\u0333\u033f]")


@dataclass(frozen=True, slots=True)
class Span:
    """Text of one look; `url` is where a mark or a title leads."""

    text: str
    role: Role = "text"
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Spans that stand together; `gap` are the blanks between it and what comes before, empty within a word.

    A source with its facts is one paragraph. `quiet` is what carecite says about itself in fixed words.
    """

    kind: Kind
    spans: tuple[Span, ...]
    gap: str = "\n\n"

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


def read(paragraphs: Iterable[Paragraph]) -> str:
    """The whole text with its gaps, as a part begins with the gap to the one before it."""
    return "".join(paragraph.gap + paragraph.text for paragraph in paragraphs)


def pieces_of(paragraphs: Sequence[Paragraph]) -> Iterator[str]:
    """The text in the steps in which a preview may grow: a span with its marks, a source, a notice.

    Together they are `read(paragraphs)` without its first gap.
    """
    for at, paragraph in enumerate(paragraphs):
        step = paragraph.gap if at else ""
        for place, span in enumerate(paragraph.spans):
            step += span.text
            following = paragraph.spans[place + 1].role if place + 1 < len(paragraph.spans) else None
            if paragraph.kind == "text" and span.role == "mark" and following != "mark":
                yield step
                step = ""
        if step:
            yield step


def clean(text: str) -> str:
    """The text without blanks around it and without what no platform takes as it is.

    Line ends become newlines, controls blanks, half a surrogate U+FFFD; overrides of the reading order go.
    Idempotent.
    """
    if text.isascii() and text.isprintable():
        return text.strip()
    text = _SURROGATE.sub("\ufffd", _LINE_END.sub("\n", text))
    text = _CONTROL.sub(" ", _TURNING.sub("", text))
    text = _RING.sub(lambda match: unicodedata.normalize("NFC", match[0]), text)
    return _DROPPED.sub("", text).strip()
