"""Blocks for Slack. The text of a `rich_text` block is literal: no markup, no escapes, no mentions, no emoji
names, so nothing in an answer can be changed or can ping (docs.slack.dev, rich text block). What would be a
mention or an address elsewhere is dealt to two elements as well, so that no single one holds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from bot.render.addresses import opens
from bot.render.feedback import ACTION, write_feedback
from bot.render.parts import Said, part, utf16
from bot.render.spoken import Paragraph, Span, read
from reasoning.notices import notice

Block = dict[str, Any]
TEXT = 3_000  # UTF-16 units in one block: Slack's limit of sections, kept for every kind of block
_LINE = 2_000  # of an element of a context block, our choice
_ELEMENTS = 10  # in a context block
_SIGNS = frozenset("&<>")
_DEALT = re.compile(r"(?<=<)(?=[!@#])|(?<=:)(?=//)")
_BOLD, _ITALIC = {"bold": True}, {"italic": True}
_STYLES = {"strong": _BOLD, "caution": _ITALIC, "fact": _ITALIC, "struck": {"strike": True}}


def draw_blocks(said: Said) -> list[tuple[str, Block]]:
    """Each block with the gap before it. What carecite says of itself stands in small type (context)."""
    drawn: list[tuple[str, Block]] = []
    for small, group in groupby(said, _is_small):
        paragraphs = tuple(group)
        pieces = _lines(paragraphs) if small else part(paragraphs, lambda some: utf16(read(some)) <= TEXT)
        for piece in pieces:
            block = context(*(paragraph.text for paragraph in piece)) if small else _rich(piece)
            drawn.append((piece[0].gap, block))
    return drawn


def _lines(paragraphs: Said) -> list[Said]:
    """What goes into one context block: lines, ten at most."""
    blocks: list[Said] = []
    for paragraph in paragraphs:
        if blocks and paragraph.gap == "\n" and len(blocks[-1]) < _ELEMENTS:
            blocks[-1] = (*blocks[-1], paragraph)
        else:
            blocks.append((paragraph,))
    return blocks


def draw_plain(said: Said) -> list[tuple[str, Block]]:
    """The same words without a look or a link."""
    pieces = part(said, lambda some: utf16(escape(read(some))) <= TEXT)
    return [(piece[0].gap, _section(read(piece)[len(piece[0].gap) :])) for piece in pieces]


def context(*lines: str) -> Block:
    elements = [{"type": "plain_text", "text": line, "emoji": False} for line in lines]
    return {"type": "context", "elements": elements}


def feedback(answer_id: str, language: str) -> Block:
    """Two buttons that carry the answer's id. Raises ValueError where the id does not fit."""

    def button(code: str, good: bool) -> Block:
        words = notice(f"feedback_{code}", language)
        text = {"type": "plain_text", "text": words, "emoji": False}
        return {"text": text, "value": write_feedback(answer_id, good=good), "accessibility_label": words}

    buttons = {"positive_button": button("good", True), "negative_button": button("bad", False)}
    return {
        "type": "context_actions",
        "elements": [{"type": "feedback_buttons", "action_id": ACTION, **buttons}],
    }


def escape(text: str) -> str:
    """For texts in which Slack reads markup: nothing in it is a mention or a link."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unescape(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _is_small(paragraph: Paragraph) -> bool:
    return (
        paragraph.kind == "quiet" and len(paragraph.text) <= _LINE and not _SIGNS.intersection(paragraph.text)
    )


def _rich(paragraphs: Said) -> Block:
    elements: list[Block] = []
    for at, paragraph in enumerate(paragraphs):
        if at and paragraph.gap:
            elements.append({"type": "text", "text": paragraph.gap})
        elements += map(_element, paragraph.spans)
    dealt = [part for element in _join(elements) for part in _deal(element)]
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": dealt}]}


def _element(span: Span) -> Block:
    style = {"style": _STYLES[span.role]} if span.role in _STYLES else {}
    if span.url and opens(span.url) and not _DEALT.search(span.text):
        return {"type": "link", "url": span.url, "text": span.text, **style}
    return {"type": "text", "text": span.text, **style}


def _join(elements: Sequence[Block]) -> list[Block]:
    """Neighbours of one look as one element."""
    joined: list[Block] = []
    for element in elements:
        last = joined[-1] if joined else {}
        if last and {**last, "text": ""} == {**element, "text": ""} and element["type"] == "text":
            joined[-1] = {**element, "text": last["text"] + element["text"]}
        else:
            joined.append(element)
    return joined


def _deal(element: Block) -> Iterator[Block]:
    for text in split_markup(element["text"]):
        yield {**element, "text": text}


def split_markup(text: str) -> list[str]:
    """The text in pieces, none of which holds `<!`, `<@`, `<#` or `://`."""
    return _DEALT.split(text)


def _section(text: str) -> Block:
    return {"type": "section", "text": {"type": "plain_text", "text": text, "emoji": False}}
