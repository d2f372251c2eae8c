"""What PubMed went on without: the words asked for against those it searched (case F04).

The index does not know a word, PubMed drops it and runs the rest, and the count looks healthy.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from reasoning.retrieval.eutils.documents import Found
from storage.query import TEXT, Query, search_terms
from storage.words import STOP_WORDS, split_words

_TAG = re.compile(r"\[[^\]]*\]")
_STEM = 4  # letters that two forms of a word share at least


def words_asked(query: Query) -> list[str]:
    """Words that are asked for as such: PubMed writes headings its own way."""
    return [word for term in search_terms(query) if term.field in TEXT for word in split_words(term.text)]


def find_dropped(found: Found, asked: Collection[str]) -> tuple[str, ...]:
    """What PubMed names as not found, and asked words that its translation lacks without a word.

    A translation is compared only where there is one, and only by plain words of four letters and more.
    """
    named = tuple(_TAG.sub("", phrase).strip().strip('"') for phrase in found.phrases_not_found)
    if not found.translation:
        return named
    told = set(split_words(" ".join((*named, *found.quoted_phrases_not_found, *found.ignored))))
    used = set(split_words(found.translation)) | set(split_words(" ".join(found.rewritten or ())))
    silent = [
        word
        for word in dict.fromkeys(asked)
        if len(word) >= _STEM
        and word.isascii()
        and word not in STOP_WORDS
        and word not in told
        and not any(_akin(word, other) for other in used)
    ]
    return (*named, *silent)


def _akin(word: str, other: str) -> bool:
    """The same word, or one of its forms: one begins with the other."""
    short, long = sorted((word, other), key=len)
    return word == other or (len(short) >= _STEM and long.startswith(short))
