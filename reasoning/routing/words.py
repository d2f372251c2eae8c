"""Text as words that compare well: plurals, British spellings, accents and case folded (our choice).

A Chinese character is a word of its own, so that one search serves both writing systems.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

HAN = "㐀-鿿"
_WORD = re.compile(rf"[{HAN}]|[^\W_{HAN}]+(?:['’][^\W_{HAN}]+)?")
_GLUE = re.compile(r"[\s\-‐‑–/·]*")  # what may stand between the words of one name
_SHOUTED = 0.7  # share of capitals from which they say nothing
_KEEPS_S = ("ss", "us", "is")


@dataclass(frozen=True, slots=True)
class Word:
    """`key` is the folded form, `capitals` the raw one of an abbreviation; `glued` to the word before."""

    key: str
    raw: str
    start: int
    end: int
    glued: bool
    capitals: str | None = None


@lru_cache(maxsize=50_000)
def fold(raw: str) -> str:
    """The form in which lexicon and text are compared: `Leukaemias` and `leukemia` are one."""
    lower = unicodedata.normalize("NFKD", raw.casefold())
    word = "".join(character for character in lower if not unicodedata.combining(character))
    word = re.sub(r"['’]s?$", "", word).replace("’", "'")
    word = word.replace("ae", "e").replace("oe", "e").replace("tumour", "tumor")
    return _singular(word) if len(word) > 3 and word.isalpha() else word


def _singular(word: str) -> str:
    if word.endswith("omata"):
        return word[:-2]
    if word.endswith("sis"):  # metastasis, metastases
        return word[:-2] + "e"
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "uses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(_KEEPS_S) else word


def is_abbreviation(raw: str) -> bool:
    """Whether a word says more by its capitals: ALL, MS, PSA, T2DM, but no Chinese character."""
    return 2 <= len(raw) <= 6 and raw.isupper() and raw.isascii()


def _dot(text: str, word: Word) -> int:
    """1 where the full stop after a word belongs to it: St. John's wort, H. pylori."""
    return int(word.end - word.start <= 2 and word.raw.isascii() and text.startswith(".", word.end))


def split_words(text: str) -> list[Word]:
    """The words of a text in order, with their places in it. Linear."""
    letters = [character for character in text if character.isascii() and character.isalpha()]
    shouted = len(letters) > 20 and sum(map(str.isupper, letters)) > _SHOUTED * len(letters)
    words: list[Word] = []
    end = 0
    for match in _WORD.finditer(text):
        raw = match.group()
        glued = bool(words) and _GLUE.fullmatch(text, end + _dot(text, words[-1]), match.start()) is not None
        base = re.sub(r"s$|['’]s$", "", raw)
        capitals = base if is_abbreviation(base) and not shouted else None
        words.append(Word(fold(raw), raw, match.start(), match.end(), glued, capitals))
        end = match.end()
    return words
