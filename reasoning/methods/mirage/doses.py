"""Doses as ranges that can be compared: one unit a kind, and for what they are (methods.md 2.6 step 2)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from reasoning.verify.quantities import LOWER, UPPER, Quantity, quantities_in
from reasoning.verify.units import periods_in

_DOSED = (
    "mass",
    "volume",
    "activity",
    "substance",
)  # kinds of units; others, such as tablets, tell no amount
_TIMES = {"once": 1, "twice": 2, "thrice": 3, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_A_DAY = re.compile(
    r"\b(once|twice|thrice|(?:(\d+|one|two|three|four|five|six) times?))\s*"
    r"(?:/|per|a|each|every)?\s*(?:day|daily)\b"
)
_EVERY = re.compile(r"\b(?:every|each|q)\s*(\d+)(?:\s*(?:-|to)\s*(\d+))?\s*(?:h|hr|hrs|hours?)\b")
_SHORT = {"qd": 1, "od": 1, "bid": 2, "bd": 2, "tid": 3, "tds": 3, "qid": 4, "qds": 4}
_IN_A_DAY = re.compile(r"\b(?:in|within|over) (?:24 hours|a day|one day)\b|\bdaily\b")
_SAME = 0.02  # of a value: rounding, not another dose; our choice


@dataclass(frozen=True, slots=True)
class Dose:
    """`low` to `high` in the base of the unit's kind; `per` holds day, kg, week and the like, or nothing for
    a single dose."""

    low: float
    high: float
    kind: str
    per: frozenset[str]

    def comparable(self, other: Dose) -> bool:
        return self.kind == other.kind and self.per == other.per

    def is_apart(self, other: Dose) -> bool:
        """Whether both say an amount of the same sort and have no value in common."""
        if not self.comparable(other):
            return False
        gap = max(self.low, other.low) - min(self.high, other.high)
        return gap > _SAME * max(abs(self.low), abs(other.low))


def read_dose(text: str, language: str = "en") -> Dose | None:
    """The one amount that a text names, per day where it says how often; None for no amount or several."""
    lower = text.casefold()
    found = [q for q in quantities_in(lower, language) if q.kind in _DOSED and not q.part]
    if len(found) != 1:
        return None
    low, high = (float(f"{end:.9g}") for end in _ends(found[0]))
    per = periods_in(lower) - {"hour", "minute"}
    often = _times_a_day(lower)
    if often:
        low, high, per = low * often[0], high * often[1], per | {"day"}
    elif _IN_A_DAY.search(lower):
        per = per | {"day"}
    return Dose(float(f"{low:.9g}"), float(f"{high:.9g}"), str(found[0].kind), frozenset(per))


def _ends(quantity: Quantity) -> tuple[float, float]:
    """A bound opens the range on its other side."""
    low, high = quantity.ends
    if quantity.bound in UPPER:
        return 0.0, high
    return (low, math.inf) if quantity.bound in LOWER else (low, high)


def _times_a_day(text: str) -> tuple[float, float] | None:
    """How often a day, from and to."""
    if match := _A_DAY.search(text):
        word = match[2] or match[1]
        often = float(word) if word.isdecimal() else float(_TIMES[word])
        return often, often
    if match := _EVERY.search(text):
        hours = sorted(float(each) for each in match.groups() if each and float(each))
        return (24 / hours[-1], 24 / hours[0]) if hours else None
    for name, times in _SHORT.items():
        if re.search(rf"\b{name}\b", text):
            return float(times), float(times)
    return None
