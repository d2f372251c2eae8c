"""The small pattern language of the red-flag lexicons, compiled to regular expressions.

A pattern is a row of elements: `a|b` either, `c_d` or `c-d` two words in a row, `{slot}` one word of a named
slot, `x?` may be missing, `x*` a word that begins so, `~` a gap of up to four words (Chinese: eight
characters) without a negation. Rows joined by `&` stand near each other in any order (in signs, not in cues).
In a joined language (written without blanks) the elements follow each other directly and may hold regular
expressions. Gaps and reach are bounded: matching is linear.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

Slots = Mapping[str, str]
Span = tuple[int, int]

_SLOT = re.compile(r"\{(\w+)\}")
_OPTIONAL_CHARACTER = re.compile(r".\?")
_SPECIAL = re.compile(r"[\\^$|?*+()\[\]{}]")
_SPACED_GAP = (
    r"(?: (?!(?:no|not|never|without|nicht|kein|keine|ohne|ni|sin|nunca|pas|sans|jamais) )[^ ]+){0,4}?"
)
_JOINED_GAP = r"[^不没无未]{0,8}?"
_REACH = {False: 64, True: 18}  # characters over which parts joined by & may spread


@dataclass(frozen=True, slots=True)
class Matcher:
    """Finds rows in one pass, and sets of parts that stand near each other."""

    rows: re.Pattern[str] | None
    sets: tuple[tuple[re.Pattern[str], ...], ...]
    reach: int

    def find(self, text: str) -> Iterator[tuple[Span, ...]]:
        """The spans of every match: one for a row, one per part for a set, in the order of the text."""
        if self.rows:
            yield from ((match.span(),) for match in self.rows.finditer(text))
        for parts in self.sets:
            yield from self._find_set(parts, text)

    def _find_set(self, parts: tuple[re.Pattern[str], ...], text: str) -> Iterator[tuple[Span, ...]]:
        found = []
        for part in parts:
            spans = [match.span() for match in part.finditer(text)]
            if not spans:
                return
            found.append(spans)
        for first in found[0]:
            chosen = [first]
            for spans in found[1:]:
                near = self._find_nearest(spans, chosen)
                if near is None:
                    break
                chosen.append(near)
            else:
                yield tuple(sorted(chosen))

    def _find_nearest(self, spans: list[Span], chosen: list[Span]) -> Span | None:
        low, high = min(a for a, _ in chosen), max(b for _, b in chosen)
        best: Span | None = None
        for i in range(bisect_left(spans, (high - self.reach,)), len(spans)):
            a, b = spans[i]
            if a > low + self.reach:
                break
            if max(b, high) - min(a, low) > self.reach or any(a < d and c < b for c, d in chosen):
                continue
            if best is None or abs(a - low) < abs(best[0] - low):
                best = spans[i]
        return best


def compile_matcher(patterns: Iterable[str], slots: Slots, *, joined: bool) -> Matcher:
    patterns = list(patterns)
    rows = compile_rows((p for p in patterns if " & " not in p), slots, joined=joined)
    sets = []
    for pattern in patterns:
        parts = [compile_rows([part], slots, joined=joined) for part in pattern.split(" & ")]
        if len(parts) > 1:
            sets.append(tuple(part for part in parts if part))
    return Matcher(rows, tuple(sets), _REACH[joined])


def compile_rows(patterns: Iterable[str], slots: Slots, *, joined: bool) -> re.Pattern[str] | None:
    """One expression for all rows, or None without any. Spaced text must begin and end with a blank."""
    parts = [_to_regex(_fill(pattern, slots), joined) for pattern in patterns]
    if not parts:
        return None
    return re.compile("|".join(parts) if joined else f"(?:{'|'.join(parts)})(?= )")


def choose_anchor(pattern: str, slots: Slots, common: frozenset[str], *, joined: bool) -> tuple[str, ...]:
    """The words one of which every match of the pattern holds, rare enough to wake it up.

    Raises ValueError where each element is optional or holds a common word.
    """
    best: tuple[str, ...] = ()
    for element in _fill(pattern, slots).split():
        words = tuple(_rarest(word, common) for word in _literals(element, joined))
        if not words or "" in words:
            continue
        if not best or min(map(len, words)) > min(map(len, best)):
            best = words
    if not best:
        raise ValueError(f"pattern without a rare word: {pattern!r}")
    return best


def _fill(pattern: str, slots: Slots) -> str:
    return _SLOT.sub(lambda match: "|".join(slots[match[1]].split()), pattern)


def _words(element: str) -> list[str]:
    return [
        word if word == "-" else re.sub(r"_|(?<=[a-z])-(?=[a-z])", " ", word)
        for word in element.removesuffix("?").split("|")
        if word not in ("", "~", "&")
    ]


def _rarest(words: str, common: frozenset[str]) -> str:
    return max((word for word in words.split() if word not in common), key=len, default="")


def _literals(element: str, joined: bool) -> tuple[str, ...]:
    """Literal alternatives of a mandatory element; empty where it is not one."""
    if element in ("~", "&") or (not joined and element.endswith("?")):
        return ()
    words = element.split("|") if joined else _words(element)
    bare = tuple(_OPTIONAL_CHARACTER.sub("", word) if joined else word for word in words)
    return (
        ()
        if any(not word or _SPECIAL.search(word if joined else word.replace("*", "")) for word in bare)
        else bare
    )


def _to_regex(pattern: str, joined: bool) -> str:
    if joined:
        return "".join(_JOINED_GAP if e == "~" else f"(?:{e})" for e in pattern.split())
    parts = []
    for element in pattern.split():
        if element == "~":
            parts.append(_SPACED_GAP)
            continue
        words = "|".join(re.sub(r"[.()]", r"\\\g<0>", word).replace("*", "[^ ]*") for word in _words(element))
        parts.append(f"(?: (?:{words}))" + ("?" if element.endswith("?") else ""))
    return "".join(parts)
