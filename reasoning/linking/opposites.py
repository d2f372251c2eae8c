"""Names that are near and not the same: type 1 and type 2, hyper- and hypo-, left and right (case F22).

Whoever ties names by likeness asks here first. A name is given marks: its numbers, its single letters, and
its values on the axes of `lexicons/opposites.toml`. Two names whose marks differ are never one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from config.resources import read_toml
from reasoning.routing.words import Word, fold, split_words

_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_ROMAN = {
    "i": "1",
    "ii": "2",
    "iii": "3",
    "iv": "4",
    "v": "5",
    "vi": "6",
    "vii": "7",
    "viii": "8",
    "ix": "9",
    "x": "10",
}
_NUMBERED = {
    "type",
    "stage",
    "grade",
    "class",
    "factor",
    "phase",
    "group",
    "degree",
    "level",
    "category",
    "trisomy",
}
_LETTERED = {
    "hepatitis",
    "vitamin",
    "influenza",
    "flu",
    "group",
    "type",
    "strep",
    "hemophilia",
    "haemophilia",
    "factor",
}
_NUMBERS = {
    word: str(number)
    for number, words in enumerate(
        ("one first", "two second", "three third", "four fourth", "five fifth"), start=1
    )
    for word in words.split()
}
_STEM = 3  # letters that a prefix must leave

Mark = tuple[str, str]


def differ(one: str, other: str) -> bool:
    """Whether two names cannot mean the same, however alike they look."""
    return marks_of(one) != marks_of(other) or _turned(one, other)


@lru_cache(maxsize=20_000)
def marks_of(name: str) -> frozenset[Mark]:
    """The numbers of a name, its letters, and its values on the axes."""
    words = split_words(name)
    return frozenset((*_count(words), *_place(name, words)))


def _count(words: list[Word]) -> Iterator[Mark]:
    before = ""
    for word in words:
        raw = word.raw.casefold()
        for digits in _DIGITS.findall(raw):
            yield "number", str(float(digits))
        if before in _NUMBERED and raw in _ROMAN:
            yield "number", str(float(_ROMAN[raw]))
        elif before in _NUMBERED and raw in _NUMBERS:
            yield "number", str(float(_NUMBERS[raw]))
        elif (
            len(raw) == 1
            and raw.isalpha()
            and raw.isascii()
            and (before in _LETTERED or word.raw.isupper())
            and raw != "i"
        ):
            yield "letter", raw
        before = word.key


def _place(name: str, words: list[Word]) -> Iterator[Mark]:
    folded = f" {' '.join(word.key for word in words)} "
    for phrase, mark in _words().items():
        if f" {phrase} " in folded:
            yield mark
    for word in words:
        for start, mark in _ends("prefixes"):
            stem = len(word.key) - len(start)
            if word.key.startswith(start) and (stem >= _STEM or stem == 0):
                yield mark
        yield from (mark for end, mark in _ends("suffixes") if word.key.endswith(end))


def _turned(one: str, other: str) -> bool:
    """Whether a word of one is a word of the other with something turning it round: atypical."""
    first = {word.key for word in split_words(one)}
    second = {word.key for word in split_words(other)}
    alone, beside = first - second, second - first
    return any(
        long == prefix + short
        for prefix in _turning()
        for long, short in (
            *((a, b) for a in alone for b in beside),
            *((b, a) for a in alone for b in beside),
        )
        if len(short) > _STEM
    )


def _read(section: str) -> Iterator[tuple[str, Mark]]:
    axes: Mapping[str, Mapping[str, str]] = read_toml("lexicons/opposites.toml")[section]
    for axis, values in axes.items():
        for value, words in values.items():
            yield from ((word, (axis, value)) for word in words.split("|"))


@cache
def _words() -> dict[str, Mark]:
    return {" ".join(fold(part) for part in re.split(r"[ \-]", word)): mark for word, mark in _read("words")}


@cache
def _ends(section: str) -> tuple[tuple[str, Mark], ...]:
    return tuple(_read(section))


@cache
def _turning() -> tuple[str, ...]:
    return tuple(read_toml("lexicons/opposites.toml")["pairs"]["turning"].split("|"))


def negated_before(text: str, start: int) -> bool:
    """Whether the word that begins here is glued to one that turns it round: non-Hodgkin."""
    found = re.search(r"([A-Za-z]+)[\-‐‑]$", text[:start])
    starts = {word for word, _ in _ends("prefixes")} | set(_turning())
    return found is not None and found.group(1).casefold() in starts
