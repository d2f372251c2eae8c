"""What a server said, made fit for an operator: no mark-up, no key, none of the words that were asked.

A search term is made of the patient's words, and servers print their requests in error pages (case F02.3-4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from reasoning.llm.errors import tidy_words
from storage.words import STOP_WORDS

_WORD = re.compile(r"[^\W_]+")
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_LONGEST_READ = 20_000  # characters
_LEAST_SECRET = 5  # characters; less is no key


def tell(words: str, secrets: Iterable[str], asked: str) -> str:
    """The words of a server, cut and cleaned; `asked` is the term that was sent."""
    text = unquote(words[:_LONGEST_READ])
    for secret in secrets:
        if len(secret) >= _LEAST_SECRET:
            text = text.replace(secret, "…")
    known = {word.lower() for word in _WORD.findall(asked)}
    return tidy_words(_without(tidy_words(_without(text, known)), known))


def title_of(page: str) -> str:
    """The title of a web page; its text is mostly an echo of what was asked."""
    found = _TITLE.search(page[:_LONGEST_READ])
    return found.group(1) if found else ""


def _without(text: str, asked: set[str]) -> str:
    """Each asked word that is more than grammar, and each pair of any, becomes a dash."""
    if not asked:
        return text
    parts: list[str] = []
    at = 0
    words = [(found, found.group().lower() in asked) for found in _WORD.finditer(text)]
    for place, (found, known) in enumerate(words):
        beside = (place and words[place - 1][1]) or (place + 1 < len(words) and words[place + 1][1])
        if known and (beside or found.group().lower() not in STOP_WORDS):
            parts += [text[at : found.start()], "…"]
            at = found.end()
    return "".join((*parts, text[at:]))
