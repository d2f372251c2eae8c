"""Words of a lexicon as one pattern: `a|b c|stem*`, a star for any ending; Han words have no borders."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

_NEVER = re.compile(r"(?!)")
_HAN = re.compile(r"[㐀-鿿]")


def compile_cues(*lists: str) -> re.Pattern[str]:
    """One pattern over lower-case text, longer words first; no word at all matches nothing."""
    return _compile(tuple(lists))


@cache
def _compile(lists: tuple[str, ...]) -> re.Pattern[str]:
    words = sorted({word for one in lists for word in one.split("|") if word}, key=len, reverse=True)
    if not words:
        return _NEVER
    return re.compile("|".join(_pattern(word) for word in words))


def _pattern(word: str) -> str:
    body = re.escape(word.rstrip("*")).replace(r"\ \~\ ", r"(?:\s+[\w-]+){0,4}?\s+")
    body = body.replace(r"\ ", r"[\s-]+").replace(r"\*", r"\w*")
    if _HAN.search(word):
        return body
    ending = r"\w*" if word.endswith("*") else "" if word.endswith("'") else r"(?![\w])"
    return rf"(?<![\w]){body}{ending}"


@lru_cache(maxsize=2048)
def fold(text: str) -> str:
    """Lower case with plain apostrophes; positions stay."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few letters grow when lowered
        lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lowered.replace("’", "'")


def blank(pattern: re.Pattern[str], text: str) -> str:
    """The text with what matches replaced by as many underscores."""
    return pattern.sub(lambda match: "_" * len(match[0]), text)


def starts(found: Iterable[re.Match[str]]) -> list[int]:
    return [match.start() for match in found]
