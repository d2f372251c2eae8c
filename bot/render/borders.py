"""Where a paragraph may be broken when it is too long for one message, best places first.

Never inside a grapheme, a citation mark, or between a sentence and its marks; inside a number, a word, or
between a value and its unit only where nothing else is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import regex

from bot.render.spoken import Paragraph, Span

_BLANKS = " \n\u3000"
_SENTENCE, _HAN_SENTENCE = ".!?…", "。！？"
_CLAUSE, _HAN_CLAUSE = ",;:،؛", "，；：、"
_FIGURES = "<>≤≥=±+-−–—/^*×·%.,≈~"  # belong to the number beside them
_GOOD = 4  # between words
_FURTHER = 128  # characters beyond the last border, to see whether a grapheme ends there


@dataclass(frozen=True, slots=True)
class Border:
    """The first piece ends at `end`, the next begins at `start`; `rank` 0 is best."""

    end: int
    start: int
    rank: int = 0


def break_off(
    paragraph: Paragraph, fits: Callable[[Paragraph], bool], *, anywhere: bool
) -> tuple[Paragraph, Paragraph] | None:
    """A good beginning that fits, and the rest.

    None where only a bad border would do, unless `anywhere`: then some beginning is broken off even where
    none fits, so that callers come to an end; inside a grapheme only where a single one is too long.
    """
    low, high = 0, len(paragraph.text) - 1
    while low < high:  # what fits grows with the beginning
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(_cut(paragraph, Border(middle, middle))[0]) else (low, middle - 1)
    borders = borders_of(paragraph, low)
    best = min(borders, key=lambda border: _cost(border, low), default=None)
    if best and (anywhere or best.rank <= _GOOD):
        return _cut(paragraph, best)
    return _cut(paragraph, Border(max(1, low), max(1, low))) if anywhere else None


def _cost(border: Border, last: int) -> tuple[bool, bool, int, int]:
    """A good border before a bad one, one in the later half before an early one, the better, the later."""
    return border.rank > _GOOD, border.end < last // 2, border.rank, -border.end


def borders_of(paragraph: Paragraph, last: int) -> list[Border]:
    """The borders whose piece ends at `last` or before, in order."""
    text = paragraph.text
    whole = {match.start() for match in regex.finditer(r"\X", text[: last + _FURTHER])}
    closed, ends = _marks(paragraph)
    found = []
    for end in sorted(whole - closed):
        start = end
        while start < len(text) and text[start].isspace():
            start += 1
        if not 0 < end <= last or start == len(text) or text[end - 1].isspace():
            continue
        if start in whole or start >= last + _FURTHER:
            found.append(Border(end, start, 0 if end in ends else _rank(text, end, start)))
    return found


def _marks(paragraph: Paragraph) -> tuple[set[int], set[int]]:
    """Places inside or right before citation marks, and those behind the last mark of a sentence."""
    closed: set[int] = set()
    ends: set[int] = set()
    at = 0
    for span, following in pairwise([*paragraph.spans, Span("")]):
        end = at + len(span.text)
        if span.role == "mark" and paragraph.kind == "source":
            closed.update(range(at, end + 2))  # the number stays with the title
        elif span.role == "mark":
            closed.update(range(at - 1, end))
            ends.update({end} if following.role != "mark" else ())
        at = end
    return closed, ends


def _rank(text: str, end: int, start: int) -> int:
    """1 a line, 2 a sentence, 3 a clause, 4 a word, 5 a word beside a number, 6 a sign, 7 the rest."""
    before, after = text[end - 1], text[start]
    blank = any(sign in _BLANKS for sign in text[end:start])  # others hold together what they part
    if "\n" in text[end:start]:
        return 1
    words = not (after.isnumeric() or after in _FIGURES)
    if before in _HAN_SENTENCE or (before in _SENTENCE and blank and words and not after.islower()):
        return 2
    if before in _HAN_CLAUSE or (before in _CLAUSE and blank and words):
        return 3
    figures = before in _FIGURES or after in _FIGURES or before.isnumeric() or after.isnumeric()
    if blank:
        return 5 if figures else 4
    held = end != start or figures or (before.isalnum() and after.isalnum() and before.isascii())
    return 7 if held else 6


def _cut(paragraph: Paragraph, border: Border) -> tuple[Paragraph, Paragraph]:
    first: list[Span] = []
    rest: list[Span] = []
    at = 0
    for span in paragraph.spans:
        head, tail = span.text[: max(0, border.end - at)], span.text[max(0, border.start - at) :]
        first += [replace(span, text=head)] if head else []
        rest += [replace(span, text=tail)] if tail else []
        at += len(span.text)
    gap = paragraph.text[border.end : border.start]
    return replace(paragraph, spans=tuple(first)), Paragraph(paragraph.kind, tuple(rest), gap)
