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
_WORST = 8


@dataclass(frozen=True, slots=True)
class Border:
    """The first piece ends at `end`, the next begins at `start`; `rank` 0 is best."""

    end: int
    start: int
    rank: int


def break_off(
    paragraph: Paragraph, fits: Callable[[Paragraph], bool], *, anywhere: bool
) -> tuple[Paragraph, Paragraph] | None:
    """The longest good beginning that fits, and the rest.

    None where only a bad border would do, unless `anywhere`: then some beginning is broken off even where
    none fits, so that callers come to an end.
    """
    borders = borders_of(paragraph)
    low, high = 0, len(borders)
    while low < high:  # what fits grows with the beginning
        middle = (low + high) // 2
        if fits(_cut(paragraph, borders[middle])[0]):
            low = middle + 1
        else:
            high = middle
    if not low:
        return _cut(paragraph, borders[0]) if anywhere and borders else None
    late = borders[low - 1].end // 2
    best = min((b for b in borders[:low] if b.end >= late), key=lambda b: (b.rank, -b.end))
    return _cut(paragraph, best) if anywhere or best.rank <= 4 else None


def borders_of(paragraph: Paragraph) -> list[Border]:
    """Every border, in order; those inside a grapheme only where there is a single one."""
    text = paragraph.text
    whole = {match.start() for match in regex.finditer(r"\X", text)}
    closed, ends = _marks(paragraph)
    found = []
    for end in sorted(whole - closed):
        start = end
        while start < len(text) and text[start].isspace():
            start += 1
        if end > 0 and start < len(text) and start in whole and not text[end - 1].isspace():
            found.append(Border(end, start, 0 if end in ends else _rank(text, end, start)))
    if not found and len(whole) == 1:
        found = [Border(at, at, _WORST) for at in range(1, len(text))]
    return found


def _marks(paragraph: Paragraph) -> tuple[set[int], set[int]]:
    """Places inside or right before citation marks, and those behind the last mark of a sentence."""
    closed: set[int] = set()
    ends: set[int] = set()
    at = 0
    for span, following in pairwise([*paragraph.spans, Span("")]):
        if paragraph.kind == "source":
            # a line is broken by its borders alone; its number stays with the title
            closed.update(range(at, at + len(span.text) + 2) if span.role == "mark" else ())
        elif span.role == "mark":
            closed.update(range(at - 1, at + len(span.text)))
            closed.update({at + len(span.text)} if following.role == "mark" else ())
            ends.update({at + len(span.text)} if following.role != "mark" else ())
        at += len(span.text)
    return closed, ends


def _rank(text: str, end: int, start: int) -> int:
    """1 a line, 2 a sentence, 3 a clause, 4 a word, 5 a word beside a number, 6 a sign, 7 the rest."""
    before, after = text[end - 1], text[start]
    blank = any(sign in _BLANKS for sign in text[end:start])  # others hold together what they part
    if "\n" in text[end:start]:
        return 1
    new = not (after.isnumeric() or after.islower() or after in _FIGURES)
    if before in _HAN_SENTENCE or (before in _SENTENCE and blank and new):
        return 2
    if before in _HAN_CLAUSE or (before in _CLAUSE and blank and new):
        return 3
    figures = any(sign.isnumeric() or sign in _FIGURES for sign in (before, after))
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
