"""Finding a quote in a stored passage although its typography differs.

A model retypes quotation marks, dashes and blanks. They are levelled only to locate the span; what is kept
and shown is the stored text (architecture 2.6).
"""

from __future__ import annotations

import unicodedata

_LEVEL = str.maketrans(
    {mark: plain for plain, marks in {"'": "‘’‚‛′`´", '"': "“”„«»″", "-": "‐‑‒–—−"}.items() for mark in marks}
)
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """The span [start, end) of the text that the quote repeats, or None; a blank quote is nowhere."""
    if not quote.strip():
        return None
    at = text.find(quote)
    if at >= 0:
        return at, at + len(quote)
    levelled, offsets = level(text)
    wanted = level(quote)[0].strip()
    at = levelled.find(wanted) if wanted else -1
    if at < 0:
        return None
    return offsets[at], offsets[at + len(wanted) - 1] + 1


def level(text: str) -> tuple[str, list[int]]:
    """The text with plain marks and single blanks, and for each of its characters the place it came from.

    Letters, digits and their case stay as they are: a quote with another word is another quote.
    """
    characters: list[str] = []
    offsets: list[int] = []
    for at, character in enumerate(text):
        if character in _INVISIBLE:
            continue
        for part in unicodedata.normalize("NFC", character).translate(_LEVEL):
            blank = part.isspace()
            if blank and characters and characters[-1] == " ":
                continue
            characters.append(" " if blank else part)
            offsets.append(at)
    return "".join(characters), offsets
