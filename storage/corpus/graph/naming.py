"""How names of entities are compared: equal when folded, alike when they share trigrams."""

from __future__ import annotations

import re
from itertools import groupby

from storage.words import split_words

_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


def fold_entity(name: str) -> str:
    """Case, accents, `_`, punctuation and a possessive s aside; a name of signs only stays as it is."""
    return " ".join(split_words(name)) or name.strip().casefold()


def trigrams(name: str) -> list[str]:
    """Of each word, set off by blanks as pg_trgm does it; of Chinese and Japanese, pairs of characters.

    Computed here because `vector` is the only extension a server must have (architecture 1).
    """
    grams: set[str] = set()
    for ideographs, words in groupby(fold_entity(name).split(), lambda word: bool(_IDEOGRAPH.match(word))):
        if ideographs:
            grams |= _windows(f" {''.join(words)} ", 2)
        else:
            for word in words:
                grams |= _windows(f"  {word} ", 3)
    return sorted(grams)


def _windows(text: str, length: int) -> set[str]:
    return {text[start : start + length] for start in range(len(text) - length + 1)}
