"""Stretches of a question that may be names, and the forms in which a graph may have them (stage 1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from config.resources import read_toml
from reasoning.linking.opposites import negated_before
from reasoning.routing.words import HAN, Word, fold, is_abbreviation
from storage.words import STOP_WORDS

LONGEST, LONGEST_HAN = 8, 14  # words, characters of a name; our choice
_OF = frozenset({"of", "in", "on"})
_WHOSE = frozenset(["the", "a", "an", "my", "his", "her", "our", "their", "your"])
_HAN = re.compile(f"[{HAN}]")
_LOOSE = re.compile(r"[\s\-‐‑–/·,']*")


@dataclass(frozen=True, slots=True)
class Span:
    """Words `first` to `last`, exclusive; [start, end) of the text. `names` are its forms."""

    first: int
    last: int
    start: int
    end: int
    names: tuple[str, ...]

    def overlaps(self, first: int, last: int) -> bool:
        return self.first < last and first < self.last


def find_spans(text: str, words: Sequence[Word]) -> list[Span]:
    """Longest first, then from the left; nothing that is grammar or a category alone."""
    return sorted(_spans(text, words), key=lambda span: (span.first - span.last, span.first))


def span_of(text: str, words: Sequence[Word], first: int, last: int) -> Span:
    start, end = words[first].start, words[last - 1].end
    return Span(first, last, start, end, tuple(dict.fromkeys(_forms(text[start:end], words[first:last]))))


def is_han(word: Word) -> bool:
    return _HAN.match(word.raw) is not None


def _spans(text: str, words: Sequence[Word]) -> Iterator[Span]:
    for first, word in enumerate(words):
        if not _may_begin(text, word):
            continue
        longest = LONGEST_HAN if is_han(word) else LONGEST
        for last in range(first + 1, min(first + longest, len(words)) + 1):
            if last > first + 1 and not _LOOSE.fullmatch(text, words[last - 2].end, words[last - 1].start):
                break
            if _is_name(words[first:last]):
                yield span_of(text, words, first, last)


def _may_begin(text: str, word: Word) -> bool:
    return not negated_before(text, word.start)


def _is_name(words: Sequence[Word]) -> bool:
    if len(words) > 1:
        return not all(word.key in STOP_WORDS or (len(word.raw) == 1 and not is_han(word)) for word in words)
    (word,) = words
    if is_han(word) or (len(word.raw) == 1):
        return False
    return word.capitals is not None or (
        word.raw.casefold() not in STOP_WORDS and word.key not in _categories()
    )


def _forms(written: str, words: Sequence[Word]) -> Iterator[str]:
    """As written; singular and plural; "pain in the knee" as "knee pain"."""
    yield written
    if any(map(is_han, words)):
        return
    raws = [word.raw for word in words]
    head, last = " ".join(raws[:-1]), words[-1]
    for form in (*_numbers(last), " ".join(word.key for word in words)):
        yield f"{head} {form}".strip() if " " not in form else form
    for at, raw in enumerate(raws[1:-1], start=1):
        if raw.casefold() in _OF:
            rest = [each for each in words[at + 1 :] if each.raw.casefold() not in _WHOSE]
            if rest:
                yield " ".join([*(each.raw for each in rest), *raws[:at]])
                yield " ".join([*(each.key for each in rest), *(each.key for each in words[:at])])


@cache
def _categories() -> frozenset[str]:
    """Words that name a category and no concept (methods.md 2.3)."""
    return frozenset(fold(word) for word in read_toml("lexicons/mirage.toml")["generic"].split("|"))


def _numbers(word: Word) -> Iterator[str]:
    """Singular and plural of a word's folded form."""
    if is_abbreviation(word.raw) or not word.key.isalpha() or len(word.key) < 3:
        return
    yield word.key
    if word.key.endswith("y") and word.key[-2] not in "aeiou":
        yield f"{word.key[:-1]}ies"
    elif word.key.endswith(("s", "x", "ch", "sh")):
        yield f"{word.key}es"
    else:
        yield f"{word.key}s"
