"""A message cut into sentences and clauses, with the cues of a lexicon looked up at most once each."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property

from reasoning.safety.red_flags import Lexicon

Span = tuple[int, int]

_SENTENCE = re.compile(r"(?:[^.!?。！？;；\n]|\.(?=\d)){1,400}(?:[^\s.!?。！？;；]{0,40})[.!?。！？;；]*")


def cut_sentences(text: str) -> list[str]:
    """Sentences with their end marks; one of more than 400 characters is cut after a word."""
    return [match[0] for match in _SENTENCE.finditer(text)]


class Sentence:
    """One sentence, rewritten as the patterns expect it, idioms blanked out."""

    def __init__(self, raw: str, lexicon: Lexicon) -> None:
        self._raw = raw
        self._lexicon = lexicon
        self._known: dict[tuple[str, Span], bool] = {}
        text = lexicon.rewrite(raw)
        if lexicon.has("laughter", text):  # what is laughed about is a figure of speech; other signs stay
            text = _blank(lexicon.cues["figure"], text)
        self.text = _blank(lexicon.cues["idiom"], text)

    @cached_property
    def affirmed(self) -> str:
        """The text with phrases blanked out that only look like a negation; same positions."""
        return _blank(self._lexicon.cues["pseudo_negation"], self.text)

    @cached_property
    def supposed_from(self) -> int:
        """Where an "if" begins to hold, to the end of the sentence; beyond the end without one."""
        direct = _blank(self._lexicon.cues["indirect"], self.text)
        match = self._lexicon.cues["hypothetical"].search(direct)
        return match.end() if match else len(self.text) + 1

    @cached_property
    def is_question(self) -> bool:
        return self._raw.rstrip().endswith(("?", "？")) or self._lexicon.asks(self.text)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(
            sorted({0} | {match.start() for match in self._lexicon.cues["clause"].finditer(self.text)})
        )

    @property
    def whole(self) -> Span:
        return 0, len(self.text)

    def list_clauses(self, before: int) -> Iterator[Span]:
        """Clauses that end at or before a position, the last first."""
        ends = (*self._starts[1:], len(self.text))
        for i in reversed(range(bisect_right(ends, before))):
            yield self._starts[i], ends[i]

    def find_clause(self, start: int, end: int) -> Span:
        """The clauses that [start, end) touches, as one span."""
        left = self._starts[bisect_right(self._starts, start) - 1]
        after = bisect_left(self._starts, end)
        return left, self._starts[after] if after < len(self._starts) else len(self.text)

    def asks(self, clause: Span) -> bool:
        """Whether this clause of a question is what is asked."""
        return self.is_question and (
            clause[1] == len(self.text) or self._lexicon.asks(self.text[slice(*clause)])
        )

    def has(self, cue: str, span: Span) -> bool:
        """Whether a cue occurs within a span."""
        if (cue, span) not in self._known:
            self._known[cue, span] = self._lexicon.has(cue, self.text[slice(*span)])
        return self._known[cue, span]


def _blank(cue: re.Pattern[str], text: str) -> str:
    """Replace by as many underscores, so that positions stay; a leading blank stays too."""
    return cue.sub(lambda m: m[0][: m[0].startswith(" ")] + "_" * (len(m[0]) - m[0].startswith(" ")), text)
