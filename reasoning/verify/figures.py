"""Numbers, units, ranges and bounds of a sentence against those of what it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise

from reasoning.verify.derived import adds_up, derive, follows_from_two, is_difference, without_asides
from reasoning.verify.ground import Ground
from reasoning.verify.number_words import prepare
from reasoning.verify.quantities import LOWER, UPPER, Quantity, quantities_in
from reasoning.verify.statement import negations_in
from reasoning.verify.units import Unit, periods_in, unit_after
from reasoning.verify.words import Term, terms_in

_CONVERTED = 0.015  # of the value: what rounding may cost when a unit is converted
_IN_TIME = 0.09  # three months are 12 weeks
_ROUGHEST = 0.2  # of a share: small ones are not rounded to others
_YOUNGEST, _OLDEST = 10, 100  # years that a bare bound may mean
_ROUGHLY = 0.12  # the same where the sentence says "about" or "a little over"
_WIDE = 3.0  # times: how wide a range may be that stands for one value
_HALF = 0.5  # of an upper bound: "fewer than 1 in 100" for 0.6 %
_JUST = 0.25  # of the value: how far before it a bound may stand
_ROUGH_WORD = 0.05  # "nearly half" for 46 %
_ROUGH_SHARE = 0.03  # of the whole: "about a third" for 34 %
_MAY_GO_UNSAID = frozenset({"year", "mmHg", "C", "F", "bpm", "share", "times"})  # "over 65", "130/80"
_FEW = 4  # spelled-out counts up to here may sum up a list: "two kinds: A and B"
_YEAR = unit_after("year", 0)[0]
_PERCENT = unit_after("percent", 0)[0]
_ALIKE = 0.10  # of the value: figures of two groups that hardly differ
_INTERVAL = re.compile(
    r"(?:ratio|\b[hro]r)\b[^;()]{0,20},?\s*\d+(?:\.\d+)?% ci,? (\d+\.\d+)(?:-| to )(\d+\.\d+)"
)
_RATE = 24  # characters behind a quantity in which its period stands
_BESIDE = re.compile(r"\s*(before|prior to|after|following|antes|después|avant|après|前|后)")
_CHANCE = re.compile(r"\bp ?[=>] ?0?\.(?:0[6-9]|[1-9])")
_CUT_BY = re.compile(
    r"\b(?:cut|reduc|lower|fell|drop|decreas)\w*\b[^.]{0,60}\bby (?:about |nearly |roughly )?\d"
)
_LEFT = re.compile(r"\b(?:rest|others?|remaining|lost|failed|alive|died|free|left)\b")
_YOUNGER, _OLDER = re.compile(r"younger"), re.compile(r"older (?!than|or\b)")
_SPAN = re.compile(
    r"\b(?:in|within|for|after|over|of|than|nearly|about|almost|half|and|during|by|is|took|lasts?) an? "
    r"(?:hour|minute|day|week|month|year)"
)
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
        aged = named + tuple(
            other
            for other in quantities_in(ground.passages, ground.source_language)
            if other.bound in LOWER | UPPER or (other.unit and other.unit.name == "year")
        )
        for q in mine:
            label = q.kind is not None and q.kind.startswith("label:")
            age = q.unit is None or q.unit.name == "year"
            reason = _object(q, named if label else aged if age else theirs, mine, ground)
            if reason:
                return reason
    return _clashing_period(ground)


def _object(q: Quantity, theirs: Sequence[Quantity], mine: Sequence[Quantity], ground: Ground) -> str | None:
    said = prepare(ground.said)
    units = {other.unit for other in mine if other.unit}
    matching = [other for other in theirs if agree(q, other, said, units)]
    if not matching:
        if _spelled_count(q) and not _exchanged(q, theirs, mine, ground):
            return None
        if q.weak and not (q.written.startswith(("one", "single")) and _has_another(q, theirs, mine)):
            return None  # "one week to the next"
        if _is_same_rate(q, theirs, ground):
            return None
        if _ends_are_said(q, theirs, said):
            return None
        if follows_from_two(
            q, quantities_in(without_asides(ground.said), ground.source_language), ground.said
        ):
            return None
        plain = quantities_in(without_asides(ground.said), ground.source_language)
        if is_difference(q, plain, ground.text) or adds_up(q, plain, turned=_is_turned(ground)):
            return None
        if any(_follows(q, other) for other in derive(theirs, ground.said)):
            return None
        if any(_same_digits(q, other) and other.unit != q.unit for other in theirs):
            return f"the unit of “{q.written}” is not the source's"
        return f"the number “{q.written}” is not in the source"
    if all(_opposed(q, other) for other in matching) and not _is_complement(q, ground):
        return f"the limit at “{q.written}” is turned round"
    if all(_side(q, prepare(ground.text)) * _side(other, said) < 0 for other in matching):
        return f"“{q.written}” stands on the other side in time"
    return None


def _side(q: Quantity, text: str) -> int:
    """-1 for "30 minutes before", 1 for "30 minutes after", else 0."""
    match = _BESIDE.match(text, q.end)
    return (
        0 if match is None else -1 if match[1] in ("before", "prior to", "antes", "vor", "avant", "前") else 1
    )


def _is_same_rate(q: Quantity, theirs: Sequence[Quantity], ground: Ground) -> bool:
    """ "twice a year" is every six months."""
    mine, said = _rate(q, prepare(ground.text)), prepare(ground.said)
    ends = [end for one in theirs for end in (replace(one, high=one.low), replace(one, low=one.high))]
    rates = [_rate(end, said) for end in ends]
    return mine is not None and any(rate and abs(rate - mine) <= _RATE_GAP * rate for rate in rates)


def _rate(q: Quantity, text: str) -> float | None:
    """How often a second: so many times a period, or every so many units of time."""
    if not q.low:
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


def _is_complement(q: Quantity, ground: Ground) -> bool:
    """ "under 60" where the source says "60 and older" and speaks of the younger, too."""
    return bool((_YOUNGER if q.bound in UPPER else _OLDER).search(ground.said.lower()))


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
        elif q.unit is None and other.kind == "ratio" and any(unit.kind == "ratio" for unit in units):
            q = replace(q, unit=_PERCENT)  # "3 rather than 5 in every 100"
        elif q.unit is None and other.kind == "time" and other.unit and other.unit.name != "year":
            q = replace(q, unit=_YEAR) if _AGE.search(said) or "month" in other.unit.name else q
        if q.kind != other.kind and not _unit_unsaid(q, other, said):
            return False
    (low, high), (their_low, their_high) = q.ends, other.ends
    if q.kind != other.kind:
        low, high, their_low, their_high = q.low, q.high, other.low, other.high
    at_low, at_high = _near(low, their_low, q, other), _near(high, their_high, q, other)
    if at_low and at_high:
        return True
    if q.low == q.high and other.low != other.high:  # one end of a range
        starts, stops = q.bound in LOWER or q.spelled, q.bound in UPPER or q.spelled or not their_low
        return (at_low and starts) or (_near(high, their_high, q, other) and stops)
    if q.low != q.high and other.low == other.high:  # "1 or 2 in 100" for 1.5 %
        return low <= their_low <= high <= _WIDE * max(low, 1e-12)
    return q.low == q.high and other.low == other.high and _just_past(low, their_low, q)


def _just_past(mine: float, theirs: float, q: Quantity) -> bool:
    """ "over half" for 52 %, "under a tenth" for 0.09: a bound may stand a little before the value."""
    if q.bound in UPPER:
        return _HALF * mine <= theirs <= mine
    return q.bound in LOWER and mine <= theirs <= (1 + _JUST) * mine


def _near(mine: float, theirs: float, q: Quantity, other: Quantity) -> bool:
    gap = abs(mine - theirs)
    if gap <= 1e-9 * max(abs(mine), abs(theirs), 1e-12):
        return True
    names = {q.unit.name if q.unit else "", other.unit.name if other.unit else ""}
    if q.kind == "ratio" and "share" in names:
        rough = _ROUGH_SHARE if q.bound or other.bound or q.spelled else 0.006
        rough = _ROUGH_WORD if q.spelled and q.bound else rough
        return gap <= min(rough, _ROUGHEST * max(mine, theirs))
    factor = q.unit.factor if q.unit and q.kind == other.kind else 1.0
    if (
        other.step < q.step
        and (len(names) == 1 or q.kind != other.kind)
        and gap <= 0.5 * q.step * factor + 1e-9
    ):  # 69 % for 69.2 %
        return True
    place = _last_place(q)
    if q.bound == "about" and gap <= max(q.step, place) / 2 * factor:
        return True
    if q.bound == "about" and place >= 10 * q.step and gap <= _ROUGHLY * abs(theirs):
        return True
    if len(names) > 1 and q.kind == other.kind:
        rough = _ROUGHLY if q.bound else _IN_TIME if q.kind == "time" else _CONVERTED
        return gap <= rough * abs(theirs)
    return q.kind == "fold" and q.bound == "about" and gap <= _ROUGHLY * theirs


def _last_place(q: Quantity) -> float:
    """Rounded numbers end in zeros: "about 1,200" is rounded to hundreds."""
    place = q.step
    while q.high >= 100 * place and q.high % (10 * place) == 0:
        place *= 10
    return place


def _unit_unsaid(q: Quantity, other: Quantity, said: str) -> bool:
    if q.unit is None and other.unit is not None:
        free = other.unit.kind.startswith("counted:") or other.unit.kind.endswith("/volume")
        return free or other.unit.name in _MAY_GO_UNSAID
    if other.unit is None and q.unit is not None:
        if q.unit.name == "year":
            return bool(_AGE.search(said)) or (bool(other.bound) and _YOUNGEST < other.low < _OLDEST)
        return q.unit.kind.startswith("counted:")
    return False


def _is_turned(ground: Ground) -> bool:
    """Whether one of the two denies and the other does not."""
    mine, theirs = (
        len(negations_in(text, language))
        for text, language in ((ground.text, ground.language), (ground.said, ground.source_language))
    )
    return mine % 2 != theirs % 2 or bool(
        _LEFT.search(ground.text.lower()) or _CUT_BY.search(ground.said.lower())
    )


def _same_digits(q: Quantity, other: Quantity) -> bool:
    return (q.low, q.high) == (other.low, other.high)


def _opposed(q: Quantity, other: Quantity) -> bool:
    return (q.bound in LOWER and other.bound in UPPER) or (q.bound in UPPER and other.bound in LOWER)


def figures_are_level(text: str, language: str) -> bool:
    """Whether a ratio's interval holds the one, or the first two figures of one kind are the same."""
    if _CHANCE.search(prepare(text)):
        return True
    interval = _INTERVAL.search(prepare(text))
    if interval:
        return float(interval[1]) < 1 < float(interval[2])
    plain = quantities_in(without_asides(text), language)
    figures = [q for q in plain if q.kind == "ratio" and q.low == q.high]
    return len(figures) > 1 and figures[0].low == figures[1].low


def has_equal_figures(ground: Ground) -> bool:
    """Whether two figures of one kind hardly differ in the source: "no longer" may be said of them."""
    if _CHANCE.search(prepare(ground.said)):
        return True
    interval = _INTERVAL.search(prepare(ground.said))
    if interval and float(interval[1]) < 1 < float(interval[2]):  # a ratio that may as well be one
        return True
    figures = [q for q in quantities_in(ground.said, ground.source_language) if q.low == q.high and q.low]
    return any(
        one.kind == other.kind and abs(one.ends[0] - other.ends[0]) <= _ALIKE * abs(other.ends[0])
        for one, other in pairwise(figures)
    )


def _has_another(q: Quantity, theirs: Sequence[Quantity], mine: Sequence[Quantity]) -> bool:
    """Whether the source has another number of the same unit that the sentence leaves out."""
    return any(o.unit == q.unit and not o.weak and not any(agree(m, o) for m in mine) for o in theirs)


def _spelled_count(q: Quantity) -> bool:
    counts = q.unit is None or q.unit.kind.startswith("counted:")
    return q.spelled and counts and q.low == q.high and q.low <= _FEW


def _exchanged(q: Quantity, theirs: Sequence[Quantity], mine: Sequence[Quantity], ground: Ground) -> bool:
    """Whether the source counts the same things, and gets another small number."""
    said = {other.low for other in mine if other.unit is None or other.unit.kind.startswith("counted:")}
    counted = _counted(q, ground.text, ground.language)
    return any(
        (other.unit is None or other.unit.kind.startswith("counted:"))
        and 1 <= other.low <= 2 * _FEW
        and other.step >= 1
        and other.low not in said
        and (other.unit == q.unit if q.unit else _same_thing(counted, other, ground))
        for other in theirs
    )


def _counted(q: Quantity, text: str, language: str) -> Term | None:
    """What a number counts: the term behind it."""
    return next((term for term in terms_in(text, language) if term.start >= q.end), None)


def _same_thing(counted: Term | None, other: Quantity, ground: Ground) -> bool:
    thing = _counted(other, ground.said, ground.source_language)
    return counted is None or thing is None or counted.covered_by(thing.keys | set(thing.parts))


def _clashing_period(ground: Ground) -> str | None:
    """A rate ("500 mg a day") for another period than any that the source names."""
    text = prepare(ground.text)
    mine = {
        period
        for q in quantities_in(ground.text, ground.language)
        for period in periods_in(_SPAN.sub(" ", re.split(r"[,;.]", text[q.end : q.end + _RATE])[0]))
    }
    if not mine and _RECURS.search(text):
        mine = periods_in(_SPAN.sub(" ", text))
    theirs = periods_in(prepare(ground.said))
    times = {q.unit.name for q in quantities_in(ground.said, ground.source_language) if q.unit}
    new = mine - theirs - times
    return f"per {sorted(new)[0]} is not what the source says" if new and theirs else None
