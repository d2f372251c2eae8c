"""An article's text measured in tokens, by words: what fixed windows and all comparisons of size go by."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

from reasoning.evaluation.segmentation_set import Range

_WORD = re.compile(r"\S+")
CountTokens = Callable[[Sequence[str]], list[int]]


class Ruler:
    """Tokens of ranges, as the sum over their words: exact for tokenizers that split at blanks first."""

    def __init__(self, text: str, count: CountTokens) -> None:
        self.text = text
        spans = [match.span() for match in _WORD.finditer(text)]
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]
        self._sums = [0, *accumulate(count([text[start:end] for start, end in spans]) if spans else [])]

    @property
    def total(self) -> int:
        return self._sums[-1]

    def tokens(self, place: Range) -> int:
        """A word that the range cuts counts whole."""
        first, last = bisect_right(self._ends, place[0]), bisect_left(self._starts, place[1])
        return self._sums[max(first, last)] - self._sums[first]

    def head(self, place: Range, room: int) -> Range:
        """The longest start of a range that has at most `room` tokens, whole words."""
        first, last = bisect_right(self._ends, place[0]), bisect_left(self._starts, place[1])
        end = bisect_right(self._sums, self._sums[first] + room) - 1
        return place if end >= last else (place[0], self._ends[max(end, first + 1) - 1])

    def windows(self, size: int, overlap: int) -> list[Range]:
        """Windows of at most `size` tokens that repeat at most `overlap` of them, whole words."""
        found: list[Range] = []
        first, n = 0, len(self._starts)
        while first < n:
            last = max(first + 1, bisect_right(self._sums, self._sums[first] + size) - 1)
            found.append((self._starts[first], self._ends[last - 1]))
            if last >= n:
                break
            back = bisect_left(self._sums, self._sums[last] - overlap)
            first = max(first + 1, min(back, last))
        return found
