"""Whether a sentence turns a direction round: more or less, before or after, better or worse."""

from __future__ import annotations

import re
from collections.abc import Sequence

from config.resources import read_toml
from reasoning.verify.arms import objects_to_arms, speaks_of_the_other_arm
from reasoning.verify.certainty import supporting_lines
from reasoning.verify.ground import Ground
from reasoning.verify.statement import Pole, negations_in, poles_in
from reasoning.verify.words import keys_in, terms_in

_HALF = 0.5
_LEAST, _LEAST_ASIDE = 1, 2  # keys that two pole words must have in common around them
_DEGREE = frozenset({"more", "less"})
_BESIDE = 32  # characters: "eased pain more", "more weight loss"
_WHOLE = 0.6  # of its sentences: a shorter quote is a fragment, compared without what stands around it
# Where "not" before one pole is the other pole; elsewhere negation has a check of its own.
_ADVICE = frozenset({"advice"})
_CORE = frozenset({"change", "nature", "result", "quality", "cause", "frequency", "threshold"})
_ANTONYMS = frozenset(
    frozenset(pair.split("/")) for pair in read_toml("lexicons/polarity.toml")["phrases"]["antonyms"].split()
)
LIMIT = re.compile(
    r"\bmore than\b|\bexceed|\bthe most\b|\bmaximum\b|\blimit|\bat most\b|\bno more\b|\bonly\b|\bunless\b"
)
_DEGREE = frozenset({"more", "less"})
_BESIDE = 32  # characters: "eased pain more", "more weight loss"
_ASIDE = frozenset({"life"})  # "a lower risk of death" and "longer survival" agree
_COMPARED = frozenset({"change", "quality", "length", "speed", "frequency", "level", "strength", "severity"})


def object_to_direction(ground: Ground) -> str | None:
    mine = poles_in(ground.text, ground.language)
    spans = poles_in("\n".join(cited.span for cited in ground.cited), ground.source_language)
    lines = ground.said if ground.translated else "\n".join(supporting_lines(ground))
    theirs = poles_in(lines, ground.source_language)
    spans = tuple(pole for pole in spans if pole in theirs) or spans
    fragment = sum(len(cited.span) for cited in ground.cited) < _WHOLE * len(ground.said)
    mixed = _both_ways(mine) & _both_ways(theirs)
    for pole in mine:
        if pole.word in _DEGREE and _goes_with_another(pole, mine):
            continue  # "fell more"
        if pole.axis in mixed or pole.axis in _ASIDE:
            continue  # "early or late" on both sides: nothing to turn round
        quoted = [other for other in spans if other.axis == pole.axis]
        if pole.axis in _ADVICE and LIMIT.search(f"{ground.text} {ground.said}".lower()):
            continue  # "the most you should take" and "should not take more"
        if pole.axis == "cause" and negations_in(ground.text, ground.language):
            continue
        if pole.axis in _COMPARED and not ground.translated and speaks_of_the_other_arm(ground, pole):
            continue
        others = quoted if quoted or fragment else theirs
        if pole.axis in _ADVICE:
            others = poles_in(ground.said, ground.source_language)
            if _agree_in_advice(mine, others):
                continue
        if clashes(pole, others, aligned=not ground.translated):
            return f"turns the direction round (“{pole.word}”)"
    if not ground.translated and (_sides_are_swapped(ground) or objects_to_arms(ground)):
        return "compares the other way round"
    return None


def _goes_with_another(pole: Pole, mine: Sequence[Pole]) -> bool:
    return any(o.axis == "change" and o is not pole and abs(o.start - pole.start) < _BESIDE for o in mine)


def _agree_in_advice(mine: Sequence[Pole], theirs: Sequence[Pole]) -> bool:
    """Whether both advise for, or both against, somewhere."""
    ours, yours = ({_turned(p) for p in poles if p.axis in _ADVICE} for poles in (mine, theirs))
    return bool(ours & yours)


def _both_ways(poles: Sequence[Pole]) -> set[str]:
    """Axes other than of change on which both poles stand."""
    signs = {(pole.axis, pole.sign) for pole in poles}
    return {axis for axis, sign in signs if (axis, -sign) in signs and axis not in _COMPARED}


def clashes(pole: Pole, theirs: Sequence[Pole], *, aligned: bool) -> bool:
    """Whether the source has the same axis, and where it speaks of the same thing only another sign.

    Across languages what stands around a word cannot be compared; only plain directions are then.
    """
    same_axis = [other for other in theirs if other.axis == pole.axis]
    if not same_axis or not (aligned or pole.axis in _CORE):
        return False
    if aligned:
        overlap = [len(pole.near & other.near) for other in same_axis]
        best = max(overlap)
        if best < (_LEAST if pole.axis in _CORE | _ADVICE else _LEAST_ASIDE):
            return False
        same_axis = [o for o, n in zip(same_axis, overlap, strict=True) if n >= _HALF * best]
        if _antonym_is_nearer(pole, same_axis):
            return True
    return all(_differs(pole, other) for other in same_axis)


def _antonym_is_nearer(pole: Pole, others: Sequence[Pole]) -> bool:
    """ "less" where the source has "more" of the same thing, whatever else goes up or down there."""
    words = {other.word for other in others}
    if pole.negated or pole.word in words:
        return False
    against = [o for o in others if frozenset((pole.word, o.word)) in _ANTONYMS and not o.negated]
    along = [len(pole.near & o.near) for o in others if o.sign == pole.sign]
    return bool(against) and max(len(pole.near & o.near) for o in against) >= max(along, default=0)


def _differs(pole: Pole, other: Pole) -> bool:
    """Up differs from down; in advice "not" turns a pole into the other one."""
    if pole.axis in _ADVICE:
        return _turned(pole) != _turned(other)
    if _are_opposite_things(pole, other) or _are_opposite_things(other, pole):
        return pole.sign == other.sign and not pole.negated and not other.negated
    return pole.negated == other.negated and pole.sign != other.sign and not pole.negated


def _are_opposite_things(pole: Pole, other: Pole) -> bool:
    """ "fewer died" and "higher survival" agree."""
    dying = "@death" in pole.near and "@survival" not in pole.near
    return dying and "@survival" in other.near and "@death" not in other.near


def _turned(pole: Pole) -> int:
    return -pole.sign if pole.negated else pole.sign


def _sides_are_swapped(ground: Ground) -> bool:
    """ "A more than B" against "B more than A": what stands before "than" stands behind it there."""
    mine = _sides(ground.text, ground.language)
    if mine is None:
        return False
    for line in ground.said.split("\n"):
        theirs = _sides(line, ground.source_language)
        if theirs is None:
            continue
        (sign, a, b), (other, c, d) = mine, theirs
        a, b, c, d = a - b, b - a, c - d, d - c
        crossed = bool(a & d) and bool(b & c) and not b & d
        straight = bool(b & d) and not b & c
        if (crossed and sign == other) or (straight and sign == -other):
            return True
    return False


def _sides(text: str, language: str) -> tuple[int, frozenset[str], frozenset[str]] | None:
    """Sign of the comparison and the keys before and behind the only "than" of a sentence."""
    lowered = text.lower()
    word = {"en": " than ", "de": " als "}.get(language)
    if word is None or lowered.count(word) != 1:
        return None
    at = lowered.index(word)
    poles = [p for p in poles_in(text, language) if p.start < at and p.axis in _COMPARED]
    if not poles or not terms_in(text[at + len(word) :], language):
        return None
    pole = poles[-1]
    return pole.sign, keys_in(text[:at], language), keys_in(text[at + len(word) :], language)
