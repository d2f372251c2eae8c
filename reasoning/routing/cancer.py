"""Whether a question is on cancer: the terms that say so, without look-alikes (issue 3, router).

Strong terms decide. A weak one (a lump, a biopsy, methotrexate) says little; two different ones decide, one
alone is a tie. "Benign", "not cancerous", the zodiac and names like glaucoma or tumor necrosis factor are no
terms.
Family history, risk and screening are; a relative's death told beside another matter is not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from reasoning.routing.lexicon import read_words
from reasoning.routing.phrases import Phrases
from reasoning.routing.words import Word, fold, split_words

LANGUAGES = ("en", "zh", "es", "de", "fr")
_NEAR = 40  # characters before a term in which a denial is sought
_LONG_MESSAGE = 25  # words; in fewer, nothing is said beside the matter
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？\n]*")


class Weight(Enum):
    STRONG = "strong"
    WEAK = "weak"
    NONE = "look_alike"


@dataclass(frozen=True, slots=True)
class CancerSigns:
    """Terms as they stand in the text; `incidental` where they belong to somebody else's past."""

    strong: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    incidental: bool = False

    @property
    def is_cancer(self) -> bool:
        return (bool(self.strong) and not self.incidental) or len(self.weak) > 1

    @property
    def is_tie(self) -> bool:
        """Too little to tell: one weak term, or a mention beside the matter."""
        return not self.is_cancer and bool(self.strong or self.weak)

    @property
    def terms(self) -> list[str]:
        return [*self.strong, *self.weak]


def find_cancer_signs(text: str) -> CancerSigns:
    """The cancer terms of a text in any of the five languages. Linear in the text."""
    words = split_words(text)
    if _speaks_of_stars(text):
        words = [word for word in words if word.key != "cancer"]
    terms = {Weight.STRONG: list[Word](), Weight.WEAK: list[Word]()}
    for weight, span in _weigh(words, text):
        if weight is not Weight.NONE and not _is_denied(text, span.start):
            terms[weight].append(span)
    strong, weak = terms[Weight.STRONG], terms[Weight.WEAK]
    return CancerSigns(
        _names(strong),
        _names(weak),
        incidental=bool(strong) and _is_beside_the_matter(text, strong, len(words)),
    )


def _weigh(words: Sequence[Word], text: str) -> Iterator[tuple[Weight, Word]]:
    """Names of the lexicon first, then single words by how they begin and end."""
    at = 0
    context: bool | None = None
    for found in _names_of_cancer().find(words):
        yield from _weigh_words(words[at : found.first])
        at = found.last
        first, last = words[found.first], words[found.last - 1]
        span = Word(first.key, text[first.start : last.end], first.start, last.end, first.glued)
        weight = found.value
        if span.raw in _lone_capitals():
            if context is None:
                context = next(iter(_context().find(words)), None) is not None
            if not context:
                continue
            weight = Weight.STRONG
        yield weight, span
    yield from _weigh_words(words[at:])


def _weigh_words(words: Sequence[Word]) -> Iterator[tuple[Weight, Word]]:
    ends, begins = _endings(), _beginnings()
    for word in words:
        if word.key.endswith(ends) or word.raw.casefold().endswith(ends) or word.key.startswith(begins):
            yield Weight.STRONG, word


def _names(words: Sequence[Word]) -> tuple[str, ...]:
    return tuple({word.raw.casefold(): " ".join(word.raw.split()) for word in reversed(words)}.values())[::-1]


def _is_denied(text: str, start: int) -> bool:
    """Whether the words just before take the term back, and no worry stands before those."""
    before = (
        re.split(r"[.!?;,。！？；，\n]", text[max(0, start - _NEAR) : start])[-1].casefold().replace("’", "'")
    )
    denial = _denials().search(before)
    return denial is not None and not _worries().search(before[: denial.start()])


def _is_beside_the_matter(text: str, terms: Sequence[Word], length: int) -> bool:
    """A long message whose only cancer terms stand in a sentence on somebody's past; it asks no risk."""
    if length < _LONG_MESSAGE or _listed("at_stake").search(text):
        return False
    sentences = [match.span() for match in _SENTENCE.finditer(text)]
    starts = [start for start, _ in sentences]
    holding = {sentences[max(0, bisect_right(starts, term.start) - 1)] for term in terms}
    return len(sentences) > 1 and all(_tells_past(text[start:end]) for start, end in holding)


def _tells_past(sentence: str) -> bool:
    return (
        "?" not in sentence
        and _listed("past").search(sentence) is not None
        and _listed("relatives").search(sentence) is not None
    )


def _speaks_of_stars(text: str) -> bool:
    return _listed("zodiac").search(text) is not None


@cache
def _names_of_cancer() -> Phrases[Weight]:
    order = (Weight.NONE, Weight.STRONG, Weight.WEAK)
    keys = {Weight.NONE: "look_alikes", Weight.STRONG: "strong", Weight.WEAK: "weak"}
    return Phrases(
        (name, weight) for weight in order for name in read_words("cancer", LANGUAGES, keys[weight])
    )


@cache
def _context() -> Phrases[bool]:
    return Phrases((name, True) for name in read_words("cancer", ("en",), "context"))


@cache
def _lone_capitals() -> frozenset[str]:
    return frozenset(read_words("cancer", ("en",), "needs_context"))


@cache
def _endings() -> tuple[str, ...]:
    words = read_words("cancer", LANGUAGES, "endings") + read_words("cancer", LANGUAGES, "drug_endings")
    return tuple(dict.fromkeys([*words, *map(fold, words)]))


@cache
def _beginnings() -> tuple[str, ...]:
    return tuple(fold(word) for word in read_words("cancer", LANGUAGES, "beginnings"))


@cache
def _listed(key: str) -> re.Pattern[str]:
    """Any of the listed words, from its beginning; Chinese ones anywhere."""
    words = read_words("cancer", LANGUAGES, key)
    return re.compile(
        "|".join((r"\b" if word.isascii() else "") + re.escape(word) for word in words), re.IGNORECASE
    )


@cache
def _denials() -> re.Pattern[str]:
    words = sorted(read_words("cancer", LANGUAGES, "denied_before"), key=len, reverse=True)
    latin = "|".join(re.escape(word) for word in words if word.isascii())
    han = "|".join(word for word in words if not word.isascii())
    return re.compile(
        rf"(?:\b(?:{latin})(?:\s+(?:a|an|the|any|skin|breast|brain|type of))*\s*|(?:{han})\w{{0,2}})$"
    )


@cache
def _worries() -> re.Pattern[str]:
    words = read_words("cancer", LANGUAGES, "worry")
    return re.compile("|".join((r"\b" if word.isascii() else "") + re.escape(word) for word in words))
