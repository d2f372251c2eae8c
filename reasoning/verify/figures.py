"""Numbers, units, ranges and bounds of a sentence against those of what it cites."""

from __future__ import annotations

import re

from reasoning.verify.ground import Ground
from reasoning.verify.number_words import prepare
from reasoning.verify.quantities import LOWER, UPPER, Quantity, quantities_in
from reasoning.verify.units import periods_in

_CONVERTED = 0.015  # of the value: what rounding may cost when a unit is converted
_ROUGH_SHARE = 0.03  # of the whole: "about a third" for 34 %
_MAY_GO_UNSAID = frozenset({"year", "mmHg", "C", "F", "bpm", "share", "times"})  # "over 65", "130/80"
_FEW = 4  # spelled-out counts up to here may sum up a list: "two kinds: A and B"
_AGE = re.compile(r"\bage|old|young|edad|años|alt\b|alter|âge|ans\b|岁|龄")


def object_to_figures(ground: Ground) -> str | None:
    """A number, unit, range or bound that the quotes do not bear out."""
    mine = quantities_in(ground.text, ground.language)
    if mine:
        theirs = quantities_in(ground.said, ground.source_language)
        named = theirs + quantities_in(ground.headings, ground.source_language)
        for q in mine:
            label = q.kind is not None and q.kind.startswith("label:")
            reason = _object(q, named if label else theirs, mine, prepare(ground.said))
            if reason:
                return reason
    added = periods_in(prepare(ground.text)) - periods_in(prepare(ground.said))
    if mine and added and _is_rate(ground.text, ground.language):
        return _clashing_period(added, ground)
    return None


def _object(q: Quantity, theirs: tuple[Quantity, ...], mine: tuple[Quantity, ...], said: str) -> str | None:
    matching = [other for other in theirs if agree(q, other, said)]
    if not matching:
        if _spelled_count(q) and not _exchanged(q, theirs, mine):
            return None
        if any(_same_digits(q, other) and other.unit != q.unit for other in theirs):
            return f"the unit of “{q.written}” is not the source's"
        return f"the number “{q.written}” is not in the source"
    if all(_opposed(q, other) for other in matching):
        return f"the limit at “{q.written}” is turned round"
    return None


def agree(q: Quantity, other: Quantity, said: str = "") -> bool:
    """Whether two quantities have the same value in the same kind of unit."""
    if q.kind != other.kind and not _unit_unsaid(q, other, said):
        return False
    (low, high), (their_low, their_high) = q.ends, other.ends
    if q.kind != other.kind:
        low, high, their_low, their_high = q.low, q.high, other.low, other.high
    if _near(low, their_low, q, other) and _near(high, their_high, q, other):
        return True
    if q.low == q.high and other.low != other.high:  # one end of a range
        at_low, at_high = _near(low, their_low, q, other), _near(high, their_high, q, other)
        return (at_low and q.bound in LOWER) or (at_high and q.bound in UPPER)
    if q.low != q.high and other.low == other.high:  # "5 to 10" where "at least 5, at most 10" was said
        return False
    return False


def _near(mine: float, theirs: float, q: Quantity, other: Quantity) -> bool:
    if abs(mine - theirs) <= 1e-9 * max(abs(mine), abs(theirs), 1e-12):
        return True
    names = {q.unit.name if q.unit else "", other.unit.name if other.unit else ""}
    if q.kind == "ratio" and "share" in names:
        return abs(mine - theirs) <= (_ROUGH_SHARE if q.bound or other.bound or q.spelled else 0.006)
    factor = q.unit.factor if q.unit and q.kind == other.kind else 1.0
    if q.bound == "about" and abs(mine - theirs) <= max(q.step, _last_place(q)) / 2 * factor:
        return True
    return len(names) > 1 and q.kind == other.kind and abs(mine - theirs) <= _CONVERTED * abs(theirs)


def _last_place(q: Quantity) -> float:
    """Rounded numbers end in zeros: "about 1,200" is rounded to hundreds."""
    place = q.step
    while q.high >= 100 * place and q.high % (10 * place) == 0:
        place *= 10
    return place


def _unit_unsaid(q: Quantity, other: Quantity, said: str) -> bool:
    if q.unit is None and other.unit is not None:
        return other.unit.name in _MAY_GO_UNSAID or other.unit.kind.startswith("counted:")
    if other.unit is None and q.unit is not None:
        if q.unit.name == "year":
            return bool(_AGE.search(said))
        return q.unit.kind.startswith("counted:")
    return False


def _same_digits(q: Quantity, other: Quantity) -> bool:
    return (q.low, q.high) == (other.low, other.high)


def _opposed(q: Quantity, other: Quantity) -> bool:
    return (q.bound in LOWER and other.bound in UPPER) or (q.bound in UPPER and other.bound in LOWER)


def _spelled_count(q: Quantity) -> bool:
    return q.spelled and q.unit is None and q.low == q.high and q.low <= _FEW


def _exchanged(q: Quantity, theirs: tuple[Quantity, ...], mine: tuple[Quantity, ...]) -> bool:
    """Whether the source has a small count of its own that the sentence leaves out."""
    said = {other.low for other in mine}
    return any(other.unit is None and other.low <= 2 * _FEW and other.low not in said for other in theirs)


def _is_rate(text: str, language: str) -> bool:
    """Whether a quantity stands right before what it is taken for: "500 mg a day"."""
    ready = prepare(text)
    return any(periods_in(ready[q.end : q.end + 18]) for q in quantities_in(text, language))


def _clashing_period(added: set[str], ground: Ground) -> str | None:
    """A rate for another period than any that the source names."""
    theirs = periods_in(prepare(ground.said))
    times = {q.unit.name for q in quantities_in(ground.said, ground.source_language) if q.unit}
    new = added - times
    if new and theirs:
        return f"per {sorted(new)[0]} is not what the source says"
    return None
