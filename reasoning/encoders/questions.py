"""A question longer than the window is shortened on purpose, and what went is told (case F16)."""

from __future__ import annotations

import re
from itertools import pairwise

from reasoning.encoders.interface import ShortQuestion
from reasoning.encoders.tokens import Tokens

# A full stop counts only after a word of four letters or more, so that "vs." or "e.g." end no sentence: a
# question that begins too early still says what is asked, one that begins too late does not.
_BOUNDARY = re.compile(r"(?<=[？！。])\s*|(?<=[?!])\s+|(?<=\w{4}\.)\s+|\n+")
_ASKS = ("?", "？", "؟")


def shorten_question(text: str, room: int, tokens: Tokens) -> ShortQuestion:
    """Keep the last sentence that asks, and before it as much of the start as fits (our choice).

    A long vignette ends in its question, so cutting the end would search for the patient's history; the start
    holds age, sex and complaint. Without a question mark the start is kept.
    """
    text = text.strip()
    if tokens.count(text) <= room:
        return ShortQuestion(text)
    begin, end = _asking_sentence(text)
    asked = tokens.tail(text[begin:end], room)
    begin = end - len(asked)
    head = tokens.head(text[:begin], room - tokens.count(asked))
    kept = f"{head.rstrip()} {asked.lstrip()}".strip()
    dropped = " ".join(part for part in (text[len(head) : begin].strip(), text[end:].strip()) if part)
    return ShortQuestion(kept, dropped, tokens.count(dropped))


def _asking_sentence(text: str) -> tuple[int, int]:
    """Span of the last sentence that ends in a question mark; empty at the end where there is none."""
    edges = sorted({0, len(text), *(match.end() for match in _BOUNDARY.finditer(text))})
    for begin, end in reversed(list(pairwise(edges))):
        if text[begin:end].rstrip().endswith(_ASKS):
            return begin, end
    return len(text), len(text)
