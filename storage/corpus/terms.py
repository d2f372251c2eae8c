"""How text becomes lexical terms; the same for what is stored and what is asked (our choice).

Words are folded, unaccented and stemmed; names with digits or inner hyphens (EGFR-T790M, PD-L1) count whole
and by part; Chinese and Japanese text is cut into pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

import Stemmer

from storage.words import STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
_LONGEST = 64  # characters; PostgreSQL refuses index entries of 2,700 bytes, as a printed gene sequence makes
_stem = Stemmer.Stemmer("english").stemWord


@lru_cache(maxsize=200_000)
def _terms_of_word(word: str) -> tuple[str, ...]:
    parts = _PART.findall(word)
    terms = [_stem(part) for part in parts if part not in STOP_WORDS]
    if len(parts) > 1 and len(terms) > 1 and "'" not in word and "’" not in word:
        terms.append("-".join(parts))
    return tuple(term[:_LONGEST] for term in terms)


def terms_of(text: str) -> list[str]:
    """Terms of a text in order, repeats included."""
    folded = unicodedata.normalize("NFKD", text.lower())
    for mark in {c for c in set(folded) if unicodedata.combining(c)}:
        folded = folded.replace(mark, "")
    terms: list[str] = []
    for word in _WORD.findall(folded):
        if not word.isascii() and _CJK.search(word):
            for run in _CJK.findall(word):
                terms += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
            terms += [part[:_LONGEST] for part in re.findall(r"[a-z0-9]+", word)]
        else:
            terms += _terms_of_word(word)
    return terms


def count_terms(text: str) -> Counter[str]:
    return Counter(terms_of(text))
