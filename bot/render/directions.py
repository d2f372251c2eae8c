"""Reading order where scripts meet: a span that runs the other way stands in an isolate (Unicode UAX 9).

Without it, the number of a source or a year beside a title in Arabic or Hebrew is read on the wrong side.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from bot.render.spoken import Paragraph

_BEGIN, _END = "\u2068", "\u2069"  # first strong isolate, pop


def isolate(paragraphs: Iterable[Paragraph]) -> tuple[Paragraph, ...]:
    """The same, with isolates around spans that run against the first of their paragraph."""
    return tuple(_isolate(paragraph) for paragraph in paragraphs)


def without_isolates(text: str) -> str:
    return text.replace(_BEGIN, "").replace(_END, "")


def _isolate(paragraph: Paragraph) -> Paragraph:
    ways = [_direction(span.text) for span in paragraph.spans]
    main = next(filter(None, ways), None)
    spans = [
        replace(span, text=f"{_BEGIN}{span.text}{_END}") if way not in (None, main) else span
        for span, way in zip(paragraph.spans, ways, strict=True)
    ]
    return replace(paragraph, spans=tuple(spans))


def _direction(text: str) -> str | None:
    """Of the first letter that has one: "L", or "R" for the other way."""
    if text.isascii():
        return "L" if any(map(str.isalpha, text)) else None
    ways = map(unicodedata.bidirectional, text)
    return next(("L" if way == "L" else "R" for way in ways if way in ("L", "R", "AL")), None)
