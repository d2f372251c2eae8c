"""Marks that point to references or notes: left out, without touching words, numbers or brackets (F13.4)."""

from __future__ import annotations

import re

from lxml.etree import _Element

MARK = "\0"  # stands where a mark was; no XML text can contain it

_KINDS = frozenset({"bibr", "ref", "fn", "table-fn", "aff", "corresp", "author-notes", "contrib"})
_WORD = re.compile(r"[^\W\d_]{3,}|\b(?:1[89]|20)\d\d[a-z]?\b")
_BETWEEN = r"(?:\s*(?:[,;–—-]|and|&|to)?\s*)"
_RUN = rf"{MARK}(?:{_BETWEEN}{MARK})*"
_GROUP = rf"(?:\s*\[\s*{_RUN}\s*\]|\s*\(\s*{_RUN}\s*\)|{_RUN})"
_MARKS = re.compile(
    rf"(?<=[\[(])\s*{_RUN}\s*[,;]\s*|\s*[,;]\s*{_RUN}(?=\s*[\])])|\s*{_GROUP}(?:{_BETWEEN}{_GROUP})*"
)


def is_mark(xref: _Element) -> bool:
    """Whether a cross-reference is a mere mark (`12`, `[3]`, `a`, `*`), no name or year in the sentence."""
    if xref.get("ref-type") not in _KINDS:
        return False
    return not _WORD.search("".join(xref.itertext()))


def only_marks(raised: str) -> bool:
    """Whether raised text holds marks and punctuation alone, so that nothing of it is to be kept."""
    return MARK in raised and not any(sign.isalnum() for sign in raised)


def without_marks(text: str) -> str:
    """`text` without its marks and the brackets and commas that belong to them."""
    return _MARKS.sub(_closed, text) if MARK in text else text


def _closed(found: re.Match[str]) -> str:
    """Nothing; but a blank where there was one before a word, or where two words or numbers would meet."""
    text, start, end = found.string, found.start(), found.end()
    following = text[end : end + 1]
    if not start or not (following.isalnum() or following in ("(", "[")):
        return ""
    return " " if text[start].isspace() or text[start - 1].isalnum() else ""
