"""Counting and cutting by an encoder's own tokens (case F16: limits in characters or words are wrong)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class Tokens:
    """A private copy of a tokenizer, without truncation, padding or special tokens.

    A copy, because the model sets truncation and padding on its own one while it works in another thread.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = type(tokenizer).from_str(tokenizer.to_str())
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def count(self, text: str) -> int:
        return self.count_all([text])[0]

    def count_all(self, texts: Sequence[str]) -> list[int]:
        return [len(e) for e in self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]

    def split(self, text: str, room: int) -> list[str]:
        """Parts of at most `room` tokens, by whole words; laid end to end they are `text`."""
        starts, parts, begin = self._starts(text), [], 0
        while self.count(text[begin:]) > room:
            first = bisect_left(starts, begin)
            for take in range(
                room, 0, -1
            ):  # a cut can change the tokens beside it: check, else take one less
                end = _blank_before(text, begin, starts[first + take])
                if self.count(text[begin:end]) <= room:
                    break
            parts.append(text[begin:end])
            begin = end
        return [*parts, text[begin:]]

    def head(self, text: str, room: int) -> str:
        """The longest start of `text` that has at most `room` tokens."""
        return self.split(text, room)[0] if room > 0 else ""

    def tail(self, text: str, room: int) -> str:
        """The longest end of `text` that has at most `room` tokens."""
        starts = self._starts(text)
        for take in range(min(room, len(starts)), 0, -1):
            begin = _blank_after(text, starts[-take])
            if self.count(text[begin:]) <= room:
                return text[begin:]
        return ""

    def _starts(self, text: str) -> list[int]:
        return [start for start, _ in self._tokenizer.encode(text, add_special_tokens=False).offsets]


# Chinese and some names have no blanks: a boundary that would cost more than half is not used.


def _blank_before(text: str, begin: int, at: int) -> int:
    end = at
    while end > begin and not text[end - 1].isspace():
        end -= 1
    return end if end - begin > (at - begin) // 2 else at


def _blank_after(text: str, at: int) -> int:
    begin = at
    while begin < len(text) and begin and not text[begin - 1].isspace():
        begin += 1
    return begin if len(text) - begin > (len(text) - at) // 2 else at
