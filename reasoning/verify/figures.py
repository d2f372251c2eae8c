"""Numbers, units, ranges and bounds of a sentence against those of what it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise

from reasoning.verify.derived import derive, follows_from_two, is_difference
from reasoning.verify.ground import Ground
from reasoning.verify.number_words import prepare
from reasoning.verify.quantities import LOWER, UPPER, Quantity, quantities_in
from reasoning.verify.units import Unit, periods_in, unit_after

_CONVERTED = 0.015  # of the value: what rounding may cost when a unit is converted
_ROUGHLY = 0.12  # the same where the sentence says "about" or "a little over"
_JUST = 0.25  # of the value: how far before it a bound may stand
_ROUGH_SHARE = 0.03  # of the whole: "about a third" for 34 %
_MAY_GO_UNSAID = frozenset({"year", "mmHg", "C", "F", "bpm", "share", "times"})  # "over 65", "130/80"
_FEW = 4  # spelled-out counts up to here may sum up a list: "two kinds: A and B"
_YEAR = unit_after("year", 0)[0]
_ALIKE = 0.08  # of the value: figures of two groups that hardly differ
_INTERVAL = re.compile(r"ratio[^;()]{0,20},?\s*\d+(?:\.\d+)?% ci,? (\d+\.\d+)(?:-| to )(\d+\.\d+)")
_RATE = 24  # characters behind a quantity in which its period stands
_BESIDE = re.compile(r"\s*(before|prior to|after|following|antes|después|avant|après|前|后)")
_RECURS = re.compile(r"\b(?:once|per|every|each|daily|weekly|monthly|yearly|annual(?:ly)?|hourly)\b")
_RATE_GAP = 0.05
_SECONDS = {"hour": 3600.0, "day": 86400.0, "week": 604800.0, "month": 2629800.0, "year": 31557600.0}
_AGE = re.compile(r"\bage|old|young|edad|años|alt\b|alter|âge|ans\b|岁|龄")


def object_to_figures(ground: Ground) -> str | None:
    """A number, unit, range or bound that the quotes do not bear out."""
    mine = [q for q in quantities_in(ground.text, ground.language) if not q.part]
    if mine:
        theirs = quantities_in(ground.said, ground.source_language)
        named = theirs + quantities_in(ground.headings, ground.source_language)
        for q in mine:
            label = q.kind is not None and q.kind.startswith("label:")
            age = q.unit is None or q.unit.name == "year"
            reason = _object(q, named if label or age else theirs, mine, ground)
            if reason:
                return reason
    return _clashing_period(ground)


def _object(q: Quantity, theirs: Sequence[Quantity], mine: Sequence[Quantity], ground: Ground) -> str | None:
    said = prepare(ground.said)
    units = {other.unit for other in mine if other.unit}
    matching = [other for other in theirs if agree(q, other, said, units)]
    if not matching:
        if _spelled_count(q) and not _exchanged(q, theirs, mine):
            return None
        if q.weak and q.unit and q.unit.name in said:  # "one week to the next"
            return None
        if _is_same_rate(q, theirs, ground):
            return None
        if _ends_are_said(q, theirs, said) or follows_from_two(q, theirs, ground.said):
            return None
        if is_difference(q, theirs, ground.text):
            return None
        if any(_follows(q, other) for other in derive(theirs, ground.said)):
            return None
        if any(_same_digits(q, other) and other.unit != q.unit for other in theirs):
            return f"the unit of “{q.written}” is not the source's"
        return f"the number “{q.written}” is not in the source"
    if all(_opposed(q, other) for other in matching):
        return f"the limit at “{q.written}” is turned round"
    if all(_side(q, prepare(ground.text)) * _side(other, said) < 0 for other in matching):
        return f"“{q.written}” stands on the other side in time"
    return None


def _side(q: Quantity, text: str) -> int:
    """-1 for "30 minutes before", 1 for "30 minutes after", else 0."""
    match = _BESIDE.match(text, q.end)
    return 0 if match is None else -1 if match[1] in ("before", "prior to", "antes", "vor", "avant", "前") else 1


def _is_same_rate(q: Quantity, theirs: Sequence[Quantity], ground: Ground) -> bool:
    """ "twice a year" is every six months."""
    mine, said = _rate(q, prepare(ground.text)), prepare(ground.said)
    rates = [_rate(other, said) for other in theirs]
    return mine is not None and any(rate and abs(rate - mine) <= _RATE_GAP * rate for rate in rates)


def _rate(q: Quantity, text: str) -> float | None:
    """How often a second: so many times a period, or every so many units of time."""
    if q.low != q.high or not q.low:
        return None
    if q.kind == "fold":
        found = periods_in(text[q.end : q.end + _RATE]) & _SECONDS.keys()
        return q.low / _SECONDS[min(found)] if len(found) == 1 else None
    every = q.kind == "time" and text[: q.start].rstrip().endswith(("every", "each", "cada", "alle", "每"))
    return 1 / q.ends[0] if every else None


def _follows(q: Quantity, derived: Quantity) -> bool:
    if q.kind == derived.kind and q.low == q.high and q.bound in LOWER | UPPER:
        return _just_past(q.ends[0], derived.ends[0], q)
    if q.spelled and q.kind == derived.kind and q.low == q.high:
        return abs(q.ends[0] - derived.ends[0]) <= _ROUGHLY * q.ends[0]
    return agree(replace(q, bound=q.bound or "about"), derived)


def _ends_are_said(q: Quantity, theirs: Sequence[Quantity], said: str) -> bool:
    """ "from 0.9 to 2.3" where the source gives both figures apart."""
    if q.low == q.high:
        return False
    ends = (replace(q, high=q.low), replace(q, low=q.high))
    return all(any(agree(end, other, said) for other in theirs) for end in ends)


def agree(q: Quantity, other: Quantity, said: str = "", units: Set[Unit] = frozenset()) -> bool:
    """Whether two quantities have the same value in the same kind of unit.

    `units` are those of the sentence: "after five days and after ten" leaves the second unsaid.
    """
    if q.kind != other.kind:
        if q.unit is None and other.unit in units:
            q = replace(q, unit=other.unit)
        elif q.unit is None and other.kind == "time" and other.unit and other.unit.name != "year":
            q = replace(q, unit=_YEAR) if _AGE.search(said) or "month" in other.unit.name else q
        if q.kind != other.kind and not _unit_unsaid(q, other, said):
            return False
    (low, high), (their_low, their_high) = q.ends, other.ends
    if q.kind != other.kind:
        low, high, their_low, their_high = q.low, q.high, other.low, other.high
    if _near(low, their_low, q, other) and _near(high, their_high, q, other):
        return True
    if q.low == q.high and other.low != other.high:  # one end of a range
        at_low, at_high = _near(low, their_low, q, other), _near(high, their_high, q, other)
        return (at_low and q.bound in LOWER) or (at_high and (q.bound in UPPER or not their_low))
    return q.low == q.high and other.low == other.high and _just_past(low, their_low, q)


def _just_past(mine: float, theirs: float, q: Quantity) -> bool:
    """ "over half" for 52 %, "under a tenth" for 0.09: a bound may stand a little before the value."""
    if q.bound in UPPER:
        return (1 - _JUST) * mine <= theirs <= mine
    return q.bound in LOWER and mine <= theirs <= (1 + _JUST) * mine


def _near(mine: float, theirs: float, q: Quantity, other: Quantity) -> bool:
    gap = abs(mine - theirs)
    if gap <= 1e-9 * max(abs(mine), abs(theirs), 1e-12):
        return True
    names = {q.unit.name if q.unit else "", other.unit.name if other.unit else ""}
    if q.kind == "ratio" and "share" in names:
        return gap <= (_ROUGH_SHARE if q.bound or other.bound or q.spelled else 0.006)
    factor = q.unit.factor if q.unit and q.kind == other.kind else 1.0
    if other.step < q.step and (len(names) == 1 or q.kind != other.kind) and gap <= 0.5 * q.step * factor + 1e-9:  # 69 % for 69.2 %
        return True
    if q.bound == "about" and gap <= max(q.step, _last_place(q)) / 2 * factor:
        return True
    if len(names) > 1 and q.kind == other.kind:
        return gap <= (_CONVERTED if not q.bound else _ROUGHLY) * abs(theirs)
    return q.kind == "fold" and q.bound == "about" and gap <= _ROUGHLY * theirs


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


def figures_are_level(text: str, language: str) -> bool:
    """Whether a ratio's interval holds the one, or the first two figures of one kind are the same."""
    interval = _INTERVAL.search(prepare(text))
    if interval:
        return float(interval[1]) < 1 < float(interval[2])
    figures = [q for q in quantities_in(text, language) if q.kind == "ratio" and q.low == q.high]
    return len(figures) > 1 and figures[0].low == figures[1].low


def has_equal_figures(ground: Ground) -> bool:
    """Whether the source gives two figures of one kind that hardly differ: "no longer" may be said of them."""
    interval = _INTERVAL.search(prepare(ground.said))
    if interval and float(interval[1]) < 1 < float(interval[2]):  # a ratio that may as well be one
        return True
    figures = [q for q in quantities_in(ground.said, ground.source_language) if q.low == q.high and q.low]
    return any(
        one.kind == other.kind and abs(one.ends[0] - other.ends[0]) <= _ALIKE * abs(other.ends[0])
        for one, other in pairwise(figures)
    )


def _spelled_count(q: Quantity) -> bool:
    counts = q.unit is None or q.unit.kind.startswith("counted:")
    return q.spelled and counts and q.low == q.high and q.low <= _FEW


def _exchanged(q: Quantity, theirs: Sequence[Quantity], mine: Sequence[Quantity]) -> bool:
    """Whether the source has a small count of its own that the sentence leaves out."""
    said = {other.low for other in mine if other.unit is None or other.unit.kind.startswith("counted:")}
    return any(
        (other.unit is None or other.unit.kind.startswith("counted:")) and 1 <= other.low <= 2 * _FEW and other.step >= 1 and other.low not in said
        for other in theirs
    )


def _clashing_period(ground: Ground) -> str | None:
    """A rate ("500 mg a day") for another period than any that the source names."""
    text = prepare(ground.text)
    mine = {
        period
        for q in quantities_in(ground.text, ground.language)
        for period in periods_in(re.split(r"[,;.]", text[q.end : q.end + _RATE])[0])
    }
    if not mine and _RECURS.search(text):
        mine = periods_in(text)
    theirs = periods_in(prepare(ground.said))
    times = {q.unit.name for q in quantities_in(ground.said, ground.source_language) if q.unit}
    new = mine - theirs - times
    return f"per {sorted(new)[0]} is not what the source says" if new and theirs else None
