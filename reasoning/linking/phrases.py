"""What is left of a question after names were found: phrases that may describe an entity (stages 2 and 3)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from config.resources import read_toml
from reasoning.linking.drugs import sounds_like_drug
from reasoning.linking.spans import is_han
from reasoning.linking.synonyms import is_vocabulary
from reasoning.retrieval.subject import zipf
from reasoning.routing.words import Word
from storage.words import STOP_WORDS

MOST = 32  # phrases of one question, so that one batch encodes them; our choice
_CONTENT = 4  # content words of a phrase
_BETWEEN = 3  # other words within it: "burning when I pee"
_MISSPELT = 5  # letters
_KNOWN = 1.3  # Zipf frequency from which general English has a word
_PLAIN = 4.6  # from which a single word says too little
_BREAK = re.compile(r"[^\w\s'’\-‐‑–/]")
_BREAKING = frozenset(
    "and or but because that which who whose if than then while although not no without nor".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words `first` to `last`, exclusive; [start, end) of the text. `said` is what is compared."""

    first: int
    last: int
    start: int
    end: int
    said: str
    misspelt: tuple[Word, ...] = ()
    whole: bool = False  # a concept that the tables know


def find_phrases(text: str, words: Sequence[Word], taken: Collection[int]) -> list[Phrase]:
    """Phrases of one to four content words within a clause, those with more of them first; at most MOST."""
    runs = list(_runs(text, words, taken))
    found = [phrase for run in runs for phrase in _windows(text, words, run)]
    return sorted(found, key=lambda one: (_rank(one, words), one.first))[:MOST]


def is_misspelt(word: Word) -> bool:
    """Whether no table and no general English has a word that is long enough to be a misspelt one."""
    return (
        len(word.key) >= _MISSPELT
        and word.key.isalpha()
        and word.key.isascii()
        and not is_vocabulary(word.key)
        and zipf(word.key) < _KNOWN
        and zipf(word.raw.casefold()) < _KNOWN
    )


def is_content(word: Word) -> bool:
    raw = word.raw.casefold()
    return raw not in STOP_WORDS and word.key not in STOP_WORDS and len(raw) > 1


def _runs(text: str, words: Sequence[Word], taken: Collection[int]) -> Iterator[range]:
    first = 0
    for at in range(len(words) + 1):
        ends = at == len(words) or at in taken or words[at].raw.casefold() in _BREAKING or is_han(words[at])
        broken = 0 < at < len(words) and _BREAK.search(text, words[at - 1].end, words[at].start)
        if (ends or broken) and at > first:
            yield range(first, at)
        if ends:
            first = at + 1
        elif broken:
            first = at


def _windows(text: str, words: Sequence[Word], run: range) -> Iterator[Phrase]:
    content = [at for at in run if is_content(words[at])]
    for place, first in enumerate(content):
        for size in range(1, _CONTENT + 1):
            if place + size > len(content):
                break
            inner = content[place : place + size]
            last = inner[-1] + 1
            if last - first - size > _BETWEEN or not _says_something([words[at] for at in inner]):
                continue
            misspelt = tuple(words[at] for at in inner if is_misspelt(words[at]))
            start, end = words[first].start, words[last - 1].end
            yield Phrase(first, last, start, end, text[start:end], misspelt)


def _says_something(content: Sequence[Word]) -> bool:
    """Not made of the words that stories are full of; a single word is neither common nor a drug."""
    telling = [word for word in content if word.raw.casefold() not in _filler() and word.key not in _filler()]
    if not telling:
        return False
    return len(content) > 1 or is_misspelt(telling[0]) or zipf(telling[0].raw.casefold()) < _PLAIN


def has_strange_word(phrase: Phrase, words: Sequence[Word]) -> bool:
    """Whether it holds a drug or a word that nobody knows: an encoder would compare its letters."""
    return bool(phrase.misspelt) or any(
        sounds_like_drug(word.key) for word in words[phrase.first : phrase.last]
    )


def _rank(phrase: Phrase, words: Sequence[Word]) -> int:
    """Misspelt words, then two and three content words, then one, then four."""
    size = sum(is_content(word) for word in words[phrase.first : phrase.last])
    return 0 if phrase.misspelt else {2: 1, 3: 2, 1: 3}.get(size, 4)


@cache
def _filler() -> frozenset[str]:
    return frozenset(
        (
            *read_toml("lexicons/stop_words.toml")["filler"].split(),
            *read_toml("lexicons/rewriting.toml")["story"].split(),
        )
    )
