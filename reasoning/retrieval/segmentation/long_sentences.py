"""Cutting what no passage could hold: a sentence or row longer than the limit (methods.md 1.6 step 8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import regex

from reasoning.retrieval.segmentation.sentences import Span

Count = Callable[[list[str]], list[int]]

# Best first: a line, a cell, a clause, a phrase (not inside 1,000), a word.
_SEPARATORS = tuple(
    regex.compile(pattern) for pattern in (r"\n\s*", r" \| ", r"[;；]\s*", r"[,，、](?!\d)\s*", r"\s+")
)


def cut_long(text: str, span: Span, count: Count, limit: int, *, level: int = 0) -> list[Span]:
    """Spans that tile `span`, each of at most `limit` tokens by `count`.

    Cut at the best separator that does; else between graphemes. Only a single character that is longer than
    the limit by itself stays so.
    """
    if level == len(_SEPARATORS):
        return _cut_hard(text, span, count, limit)
    cuts = [match.end() for match in _SEPARATORS[level].finditer(text, *span)]
    pieces = [
        Span(*pair) for pair in pairwise([span.start, *(cut for cut in cuts if cut < span.end), span.end])
    ]
    packed = _pack(pieces, count([text[slice(*piece)] for piece in pieces]), limit)
    result: list[Span] = []
    for piece, tokens in zip(packed, count([text[slice(*piece)] for piece in packed]), strict=True):
        result += [piece] if tokens <= limit else cut_long(text, piece, count, limit, level=level + 1)
    return result


def _pack(pieces: Sequence[Span], tokens: Sequence[int], limit: int) -> list[Span]:
    packed: list[Span] = []
    held = 0
    for piece, own in zip(pieces, tokens, strict=True):
        if packed and held + own <= limit:
            packed[-1] = Span(packed[-1].start, piece.end)
            held += own
        else:
            packed.append(piece)
            held = own
    return packed


def _cut_hard(text: str, span: Span, count: Count, limit: int) -> list[Span]:
    ends = [match.end() for match in regex.finditer(r"\X", text[slice(*span)])]
    if len(ends) == 1:  # one grapheme of many code points
        ends = list(range(1, span.end - span.start + 1))
    spans: list[Span] = []
    start, done = span.start, 0
    while done < len(ends):
        best = _longest(
            text, start, [span.start + end for end in ends[done : done + 8 * limit]], count, limit
        )
        done += best
        spans.append(Span(start, span.start + ends[done - 1]))
        start = spans[-1].end
    return spans


def _longest(text: str, start: int, ends: Sequence[int], count: Count, limit: int) -> int:
    """How many of `ends` the piece from `start` may take in; at least one. Bisects: few counts a piece."""
    low, high = 1, len(ends)
    while low < high:
        middle = (low + high + 1) // 2
        if count([text[start : ends[middle - 1]]])[0] <= limit:
            low = middle
        else:
            high = middle - 1
    return low
