"""An inverted index with positions over the texts of all records, in arrays.

Every word of every text has a place on one long line; between two texts lies a gap, so that no phrase and
no proximity reaches across. A set of records is a mask over them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import Stemmer
from numpy.typing import NDArray

from tests.emulators.eutils import fields
from tests.emulators.eutils.records import Record
from tests.emulators.eutils.words import americanise, split_words

Mask = NDArray[np.bool_]
Places = NDArray[np.int64]
_GAP = 100_000


@dataclass(frozen=True, slots=True)
class Postings:
    """Where words stand: places on the line, their records, their texts (bits of `fields`)."""

    places: Places
    records: NDArray[np.int32]
    texts: NDArray[np.uint8]

    def take(self, chosen: Mask) -> Postings:
        return Postings(self.places[chosen], self.records[chosen], self.texts[chosen])

    def within(self, texts: int) -> Postings:
        return self if texts == fields.ALL else self.take((self.texts & texts) != 0)


NOTHING = Postings(np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.uint8))


def join(parts: Sequence[Postings]) -> Postings:
    """Postings of any of them, in order of their places."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return NOTHING
    places = np.concatenate([part.places for part in parts])
    order = np.argsort(places, kind="stable")
    return Postings(
        places[order],
        np.concatenate([part.records for part in parts])[order],
        np.concatenate([part.texts for part in parts])[order],
    )


def texts_of(record: Record) -> Iterable[tuple[int, str]]:
    """Searchable texts, each with its bit; the parts of one never run into another."""
    yield fields.TITLE, record.title
    yield fields.ABSTRACT, record.abstract_text
    yield from ((fields.KEYWORDS, keyword) for keyword in record.keywords)
    for heading in record.mesh:
        yield fields.MESH, heading.name
        yield from ((fields.MESH, qualifier) for qualifier in heading.qualifiers)
    yield from ((fields.TYPES, name) for name in (*record.types, *record.substances))
    yield from ((fields.AFFILIATION, text) for text in record.affiliations)
    yield fields.REST, record.journal
    yield from ((fields.REST, f"{author.last} {author.initials}") for author in record.authors)


class TextIndex:
    """Words, beginnings of words, phrases and proximity over `size` records."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.size = len(records)
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        words, lengths = array("i"), array("i")
        owners, bits = array("i"), array("B")
        for owner, record in enumerate(records):
            for bit, text in texts_of(record):
                found = split_words(text)
                words.extend(map(numbers.__getitem__, found))
                lengths.append(len(found))
                owners.append(owner)
                bits.append(bit)
        self.words = sorted(numbers)
        renumbered = np.empty(len(numbers), np.int32)
        renumbered[[numbers[word] for word in self.words]] = np.arange(len(numbers), dtype=np.int32)
        counts = np.asarray(lengths)
        ids = renumbered[np.asarray(words)] if len(words) else np.empty(0, np.int32)
        starts = np.repeat(np.arange(len(counts), dtype=np.int64) * _GAP, counts)
        places = np.arange(len(ids), dtype=np.int64) + starts
        order = np.argsort(ids, kind="stable")
        self._places = places[order]
        self._records = np.repeat(np.asarray(owners), counts).astype(np.int32)[order]
        self._texts = np.repeat(np.asarray(bits), counts).astype(np.uint8)[order]
        self._ends = np.searchsorted(ids[order], np.arange(len(self.words) + 1))
        self._numbers = {word: number for number, word in enumerate(self.words)}
        self._stem = Stemmer.Stemmer("english")
        self.lengths = np.bincount(self._records, minlength=self.size).astype(np.float32)

    @cached_property
    def _families(self) -> dict[str, list[str]]:
        families: defaultdict[str, list[str]] = defaultdict(list)
        stems = self._stem.stemWords([americanise(word) for word in self.words])
        for word, stem in zip(self.words, stems, strict=True):
            families[stem].append(word)
        return families

    def prepare(self) -> None:
        """Do now what the first question would wait for."""
        _ = self._families, self.frequencies

    @cached_property
    def frequencies(self) -> Counter[str]:
        """Records in whose title or abstract a word stands, over the vocabulary."""
        numbers = np.repeat(np.arange(len(self.words)), np.diff(self._ends))
        chosen = (self._texts & (fields.TITLE | fields.ABSTRACT)) != 0
        numbers, records = numbers[chosen], self._records[chosen]  # both in order already
        first = np.ones(len(numbers), np.bool_)
        first[1:] = (np.diff(numbers) != 0) | (np.diff(records) != 0)
        counts = np.bincount(numbers[first], minlength=len(self.words))
        return Counter({word: int(count) for word, count in zip(self.words, counts, strict=True) if count})

    def vocabulary(self, start: str) -> list[str]:
        """Words that begin so, in order."""
        low, high = self._span(start)
        return self.words[low:high]

    def variants(self, word: str) -> list[str]:
        """Other forms of the word that occur (plural, spelling, derived), as term mapping adds them."""
        stem = self._stem.stemWord(americanise(word))
        return [other for other in self._families.get(stem, ()) if other != word]

    def word(self, word: str, texts: int = fields.ALL) -> Postings:
        number = self._numbers.get(word)
        return NOTHING if number is None else self._slice(number, number + 1).within(texts)

    def beginning(self, start: str, texts: int = fields.ALL) -> Postings:
        """Postings of all words with that beginning."""
        low, high = self._span(start)
        found = self._slice(low, high).within(texts)
        order = np.argsort(found.places, kind="stable")
        return Postings(found.places[order], found.records[order], found.texts[order])

    def phrase(self, words: Sequence[str], texts: int = fields.ALL, open_end: bool = False) -> Postings:
        """Where the words stand side by side in this order; the postings are of the first word.
        With `open_end` the last word is a beginning."""
        parts = [self.word(word, texts) for word in words[:-1]]
        parts.append(self.beginning(words[-1], texts) if open_end else self.word(words[-1], texts))
        shift = min(range(len(parts)), key=lambda at: len(parts[at].places))
        starts = parts[shift].places - shift
        for at, part in enumerate(parts):
            if at != shift and len(starts):
                starts = starts[_contains(part.places, starts + at)]
        return parts[0].take(_contains(starts, parts[0].places))

    def near(self, words: Sequence[str], distance: int, texts: int) -> Postings:
        """Where all the words stand, in any order, with at most `distance` others between them in all."""
        wanted = Counter(words)
        parts = {word: self.word(word, texts) for word in wanted}
        common = np.logical_and.reduce([self.mask(part) for part in parts.values()])
        parts = {word: part.take(common[part.records]) for word, part in parts.items()}
        every = join(list(parts.values()))
        span = len(words) + distance
        fits = np.ones(len(every.places), np.bool_)
        for word, times in wanted.items():
            low = np.searchsorted(parts[word].places, every.places)
            high = np.searchsorted(parts[word].places, every.places + span)
            fits &= (high - low) >= times
        return every.take(fits)

    def mask(self, postings: Postings) -> Mask:
        found = np.zeros(self.size, np.bool_)
        found[postings.records] = True
        return found

    def _slice(self, low: int, high: int) -> Postings:
        part = slice(int(self._ends[low]), int(self._ends[high]))
        return Postings(self._places[part], self._records[part], self._texts[part])

    def _span(self, start: str) -> tuple[int, int]:
        return bisect_left(self.words, start), bisect_left(self.words, start + "\U0010ffff")


def _contains(ordered: Places, wanted: Places) -> Mask:
    """Which of `wanted` are in `ordered`, which is sorted."""
    if not len(ordered):
        return np.zeros(len(wanted), np.bool_)
    at = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    return np.asarray(ordered[at] == wanted)
