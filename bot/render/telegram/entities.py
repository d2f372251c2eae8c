"""Entities for Telegram: where a look or a link begins, and its length, in UTF-16 units of the final text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.render.addresses import opens
from bot.render.parts import Said, utf16
from bot.render.spoken import Span
from reasoning.safety.links import find_foreign_links

Entity = dict[str, object]
_STYLES = {"strong": "bold", "caution": "italic", "fact": "italic", "struck": "strikethrough"}
# What Telegram makes a command of by itself: " /day" behind a dose would be one to tap on.
_COMMAND = re.compile(r"(?<![\w/<>])/\w{1,64}", re.ASCII)


def draw_entities(said: Said) -> list[Entity]:
    """The entities of a part, in order and side by side, never within another."""
    entities: list[Entity] = []
    offset = -utf16(said[0].gap)
    for paragraph in said:
        offset += utf16(paragraph.gap)
        for span in paragraph.spans:
            entities += _entities(span, offset)
            offset += utf16(span.text)
    return entities


def _entities(span: Span, offset: int) -> Iterator[Entity]:
    if span.url and opens(span.url):
        yield _entity("text_link", span.text, 0, len(span.text), offset) | {"url": span.url}
        return
    at = 0
    for start, end in [*_strays(span.text), (len(span.text), len(span.text))]:
        if span.role in _STYLES and span.text[at:start].strip():
            yield _entity(_STYLES[span.role], span.text, at, start, offset)
        if start < end:
            yield _entity("code", span.text, start, end, offset)
        at = end


def _entity(kind: str, text: str, start: int, end: int, offset: int) -> Entity:
    """Without blanks at its ends, which Telegram may move."""
    inside = text[start:end]
    start += len(inside) - len(inside.lstrip())
    words = inside.strip()
    return {"type": kind, "offset": offset + utf16(text[:start]), "length": utf16(words)}


def _strays(text: str) -> list[tuple[int, int]]:
    """Handles, addresses and commands that Telegram would make a link or a ping of. As `code` they stay text:
    a client looks for none in it."""
    found = sorted([*find_foreign_links(text, ()), *(match.span() for match in _COMMAND.finditer(text))])
    apart: list[tuple[int, int]] = []
    for start, end in found:
        if text[start:end].strip() and (not apart or start >= apart[-1][1]):
            apart.append((start, end))
    return apart
