"""The small pattern language of the red-flag lexicons, compiled to regular expressions.

A pattern is a row of elements. `a|b` is either, `c_d` two words in a row, `{slot}` one word of a named slot, `x?`
may be missing, `~` is a gap of up to four words (Chinese: eight characters). In a joined language the elements follow each other without
blanks and may hold regular-expression characters. Gaps are bounded, so matching is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

Slots = Mapping[str, str]

_SLOT = re.compile(r"\{(\w+)\}")
_OPTIONAL_CHARACTER = re.compile(r".\?")
_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}]")
_SPACED_GAP = r"(?: [^ ]+){0,4}?"
_JOINED_GAP = r".{0,8}?"


def compile_patterns(patterns: Iterable[str], slots: Slots, *, joined: bool) -> re.Pattern[str] | None:
    """One expression for all patterns, or None without any. Spaced text must begin and end with a blank."""
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


def list_words(patterns: Iterable[str], slots: Slots) -> set[str]:
    """Every literal word of spaced patterns."""
    return {
        w
        for p in patterns
        for element in _fill(p, slots).split()
        for ws in _words(element)
        for w in ws.split()
    }


def _fill(pattern: str, slots: Slots) -> str:
    return _SLOT.sub(lambda match: "|".join(slots[match[1]].split()), pattern)


def _words(element: str) -> list[str]:
    return [word.replace("_", " ") for word in element.removesuffix("?").split("|") if word and word != "~"]


def _rarest(words: str, common: frozenset[str]) -> str:
    return max((word for word in words.split() if word not in common), key=len, default="")


def _literals(element: str, joined: bool) -> tuple[str, ...]:
    """Literal alternatives of a mandatory element; empty where it is not one."""
    if element.startswith("~") or (not joined and element.endswith("?")):
        return ()
    words = element.split("|") if joined else _words(element)
    bare = tuple(_OPTIONAL_CHARACTER.sub("", word) if joined else word for word in words)
    return () if any(not word or _SPECIAL.search(word.replace(".", "")) for word in bare) else bare


def _to_regex(pattern: str, joined: bool) -> str:
    if joined:
        return "".join(_JOINED_GAP if e.startswith("~") else f"(?:{e})" for e in pattern.split())
    parts = []
    for element in pattern.split():
        if element.startswith("~"):
            parts.append(_SPACED_GAP)
            continue
        words = "|".join(word if "\\" in word else word.replace(".", r"\.") for word in _words(element))
        parts.append(f"(?: (?:{words}))" + ("?" if element.endswith("?") else ""))
    return "".join(parts)
