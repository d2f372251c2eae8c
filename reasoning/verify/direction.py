"""Whether a sentence turns a direction round: more or less, before or after, better or worse."""

from __future__ import annotations

from collections.abc import Sequence

from reasoning.verify.ground import Ground
from reasoning.verify.statement import Pole, poles_in
from reasoning.verify.words import keys_in, terms_in

_HALF = 0.5


def object_to_direction(ground: Ground) -> str | None:
    mine = poles_in(ground.text, ground.language)
    theirs = poles_in(ground.said, ground.source_language)
    for pole in mine:
        if clashes(pole, theirs, aligned=not ground.translated):
            return f"turns the direction round (“{pole.word}”)"
    if not ground.translated and _sides_are_swapped(ground):
        return "compares the other way round"
    return None


def clashes(pole: Pole, theirs: Sequence[Pole], *, aligned: bool) -> bool:
    """Whether the source has the same axis, and where it speaks of the same thing only another sign."""
    same_axis = [other for other in theirs if other.axis == pole.axis]
    if not same_axis:
        return False
    if aligned:
        overlap = [len(pole.near & other.near) for other in same_axis]
        best = max(overlap)
        same_axis = [o for o, n in zip(same_axis, overlap, strict=True) if n >= _HALF * best]
    return all(_differs(pole, other) for other in same_axis)


def _differs(pole: Pole, other: Pole) -> bool:
    """Up differs from down and from not up; "not up" is content with "down"."""
    if pole.negated == other.negated:
        return pole.sign != other.sign and not pole.negated
    return pole.sign == other.sign


def _sides_are_swapped(ground: Ground) -> bool:
    """ "A more than B" against "B more than A": what stands before "than" stands behind it there."""
    mine, theirs = _sides(ground.text, ground.language), _sides(ground.said, ground.source_language)
    if mine is None or theirs is None:
        return False
    (a, b), (c, d) = mine, theirs
    a, b, c, d = a - b, b - a, c - d, d - c
    return len(a & d) + len(b & c) > len(a & c) + len(b & d) and bool(a & d) and bool(b & c)


def _sides(text: str, language: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Keys before and behind the only "than" (als, que, 比) of a sentence."""
    lowered = text.lower()
    word = {"en": " than ", "de": " als "}.get(language)
    if word is None or lowered.count(word) != 1 or "\n" in text:
        return None
    at = lowered.index(word)
    if not terms_in(text[at + len(word) :], language):
        return None
    return keys_in(text[:at], language), keys_in(text[at + len(word) :], language)
