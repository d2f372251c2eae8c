"""A weighed vocabulary: how much a message sounds like danger, also where the patterns have no words for it.

Every word, pair of words and stretch of 4 to 7 characters has a weight, learned from messages written for it
(tests/weighing.py says how); a message weighs the sum of its parts. A part is found by its hash, so the table
has one size, and a message in any language, mixed or misspelt, is read the same way. Nothing is loaded but a
file of little more than a megabyte: it needs no model and no server.

Method: logistic regression over hashed n-grams (Joachims 1998; Weinberger et al. 2009), rare ones before
common ones (Sparck Jones 1972); its parts and sizes are our choice, by messages of authors who were left out.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from config.resources import read_bytes

FILE = "lexicons/danger_weights.npz"
BUCKETS = 1 << 20  # of each kind of part
_WORD = re.compile(r"[^\W_]+")  # no marks: in haste people leave them out
HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_PARTS = range(1, 4)  # characters; Chinese has no blanks
_FRAGMENTS = range(4, 8)  # characters, blanks among them


@dataclass(frozen=True, slots=True)
class Weight:
    """Log-odds: of danger, and of self-harm where there is danger."""

    danger: float
    self_harm: float


@dataclass(frozen=True, slots=True)
class Table:
    """`parts` has shape (2, 2, BUCKETS): danger and self-harm, phrases and fragments; in steps of `step`.
    `shift` is added to the danger by the level that the patterns found."""

    parts: NDArray[np.int8]
    step: NDArray[np.float64]
    bias: NDArray[np.float64]
    shift: dict[str, float]


def weigh(folded: str) -> Weight:
    """The weight of a folded text; a text without a word weighs as little as can be."""
    table = load_table()
    sums = table.bias.copy()
    places = hash_parts(folded)
    if not any(places):
        return Weight(-math.inf, -math.inf)
    for kind, found in enumerate(places):
        if found:
            sums += (
                table.step * table.parts[:, kind, found].sum(axis=1, dtype=np.int64) / math.sqrt(len(found))
            )
    return Weight(float(sums[0]), float(sums[1]))


def shift_of(level: str) -> float:
    """What the level of the patterns adds to the danger."""
    return load_table().shift[level]


def hash_parts(folded: str) -> tuple[list[int], list[int]]:
    """The buckets of its phrases and of its fragments, each once, in order."""
    words = _WORD.findall(folded)
    return _hash(_phrases(words)), _hash(_fragments(f" {' '.join(words)} "))


def _phrases(words: list[str]) -> Iterator[str]:
    spaced = []
    for word in words:
        if HAN.search(word):
            yield from (word[i : i + n] for n in _HAN_PARTS for i in range(len(word) - n + 1))
        else:
            spaced.append(word)
    yield from spaced
    yield from (f"{a} {b}" for a, b in pairwise(spaced))


def _fragments(text: str) -> Iterator[str]:
    yield from (text[i : i + n] for n in _FRAGMENTS for i in range(len(text) - n + 1))


def _hash(parts: Iterable[str]) -> list[int]:
    return sorted({crc32(part.encode()) % BUCKETS for part in parts})


@cache
def load_table() -> Table:
    with np.load(io.BytesIO(read_bytes(FILE)), allow_pickle=False) as file:
        shift = dict(zip(file["levels"].tolist(), file["shift"].tolist(), strict=True))
        return Table(file["parts"], file["step"], file["bias"], shift)
