"""Finding the names of a lexicon in a text: a trie over words, the longest name at each place.

Names written in capitals in the lexicon (MS, ALL, AIDS) match capitals only; all others match in any case.
A long word that is in no name may be a misspelt one: one edit from it, two from ten letters on, same first
letter, and no common English word itself (our choice). Within a name, words that only say whose or which side
are passed over: "pain in my left knee".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from reasoning.routing.words import Word, is_abbreviation, split_words

T = TypeVar("T")
_END = ""
_MOST_WORDS = 12  # of a name as it stands in a text
_LONG, _LONGER = 7, 10  # letters, from which one and two edits are forgiven
_PASSED_OVER = frozenset(
    ("the", "a", "my", "his", "her", "our", "their", "your", "left", "right", "both", "upper", "lower")
)
_COMMON = 2.7  # Zipf frequency in English


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """A name at words `first` to `last`, exclusive; `exact` unless a misspelling was read through."""

    value: T
    first: int
    last: int
    exact: bool


class Phrases(Generic[T]):
    """Names, each with a value; the first value given to a name stays."""

    def __init__(self, names: Iterable[tuple[str, T]]) -> None:
        self._root: dict[str, Any] = {}
        self._long: dict[str, list[str]] = {}
        seen: set[str] = set()
        for name, value in names:
            node = self._root
            for word in split_words(name):
                key = _capital_key(word.raw) if is_abbreviation(word.raw) else word.key
                node = node.setdefault(key, {})
                if len(key) >= _LONG - 1 and key.isalpha() and key not in seen:
                    seen.add(key)
                    self._long.setdefault(key[0], []).append(key)
            if node is not self._root:
                node.setdefault(_END, value)
        self._known = seen
        self._correct = lru_cache(maxsize=20_000)(self._look_up)

    def find(self, words: Sequence[Word]) -> Iterator[Found[T]]:
        """Names from left to right, none within another. Linear: a name has few words."""
        at = 0
        while at < len(words):
            found = self._longest(words, at)
            if found:
                yield found
            at = found.last if found else at + 1

    def _longest(self, words: Sequence[Word], first: int) -> Found[T] | None:
        best: Found[T] | None = None
        ending: dict[str, Any] | None = None  # passing over a word after a whole name makes it no longer
        states: list[tuple[dict[str, Any], bool]] = [(self._root, True)]
        for at in range(first, min(first + _MOST_WORDS, len(words))):
            if at > first and not words[at].glued:
                break
            states = [step for node, exact in states for step in self._steps(node, words[at], exact)]
            if not states:
                break
            for node, exact in states:
                if _END in node and node is not ending:
                    best, ending = Found(node[_END], first, at + 1, exact), node
                    break
        return best

    def _steps(self, node: dict[str, Any], word: Word, exact: bool) -> Iterator[tuple[dict[str, Any], bool]]:
        if word.capitals and (child := node.get(_capital_key(word.capitals))) is not None:
            yield child, exact
        if (child := node.get(word.key)) is not None:
            yield child, exact
        if word.key in _PASSED_OVER and node is not self._root:
            yield node, exact
        elif word.key not in node and len(word.key) >= _LONG and word.capitals is None:
            meant = self._correct(word.key)
            if meant and (child := node.get(meant)) is not None:
                yield child, False

    def _look_up(self, key: str) -> str | None:
        """The word of a name that was meant, or None."""
        if key in self._known or not key.isalpha() or not key.isascii():
            return None
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        edits = 2 if len(key) >= _LONGER else 1
        near = process.extractOne(key, self._long.get(key[0], ()), scorer=OSA.distance, score_cutoff=edits)
        if near is None:
            return None
        from wordfreq import zipf_frequency  # a quarter of a second to import, so only for a candidate

        return None if zipf_frequency(key, "en") >= _COMMON else str(near[0])


def _capital_key(raw: str) -> str:
    return "^" + raw
