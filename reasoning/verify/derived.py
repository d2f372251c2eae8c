"""Figures that follow from those of a source: a plain sentence says "a quarter less" for a ratio of 0.75.

Only what a reader can work out at sight (our choice): one minus a ratio as a share, a ratio as "times as
often", and, for words such as half and twice, the quotient of two figures of one kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from reasoning.verify.number_words import prepare
from reasoning.verify.quantities import LOWER, UPPER, Quantity
from reasoning.verify.units import Unit

_RATIO = re.compile(r"\bratios?\b|\b(?:a?hr|a?or|rr|irr)\b|ratio\b|quotient|比值|风险比|比值比")
_BRACKETS = re.compile(r"\([^()]*\)")
_ASIDE = re.compile(r"ratio|\bCI\b|\b[HRO]R\b|\b[pP] ?[=<>]")
_SHARE, _TIMES = Unit("share", "ratio", 1.0), Unit("times", "fold", 1.0)
_QUOTIENT = 0.12  # of the value: how roughly "half" or "twice" may be meant
_HIGHER = re.compile(r"\s*(?:higher|more|greater|increase|rise)")
_ROUGH = 0.06
_TOGETHER = 40  # characters between two times that are compared
_ROUGH_QUOTIENT = 0.22  # where the sentence says "about"
_PAST = 0.4  # how far before the value "more than a third" may stand
_COMPARES = re.compile(
    r"\b(?:longer|shorter|more|less|fewer|higher|lower|difference|gap|extra|further|additional|later|earlier|points)\b"
)
_MIDDLE = re.compile(r"\bmedian|\bmean\b|\baverage|midpoint|mediana|mittlere|médiane|中位")


def without_asides(text: str) -> str:
    """Ratios, intervals and P values in brackets blanked: their figures compare nothing."""
    return _BRACKETS.sub(lambda match: _blank_asides(match[0]), text)


def _blank_asides(bracket: str) -> str:
    parts = re.split(r"(;)", bracket)
    return "".join(" " * len(part) if _ASIDE.search(part) else part for part in parts)


def derive(theirs: Sequence[Quantity], said: str) -> list[Quantity]:
    """Shares and multiples that ratios of a source stand for."""
    text, found = prepare(said), []
    for q in theirs:
        is_ratio = q.unit is None and q.low == q.high and 0 < q.low < 20 and q.step < 1
        if is_ratio and _RATIO.search(text[text.rfind("\n", 0, q.start) + 1 : q.start]):
            change = abs(1 - q.low)
            found.append(replace(q, unit=_TIMES))
            found.append(replace(q, low=change, high=change, unit=_SHARE))
        if q.kind == "ratio" and q.low == q.high and _HIGHER.match(text, q.end):
            found.append(replace(q, low=1 + q.ends[0], high=1 + q.ends[0], unit=_TIMES))
    return found


def follows_from_two(q: Quantity, theirs: Sequence[Quantity], said: str) -> bool:
    """Whether a word such as half, a third or twice is the quotient of two figures, or what one lacks."""
    if q.kind not in ("ratio", "fold") or q.low != q.high or not q.low:
        return False
    if q.kind == "ratio" and abs(q.low - 0.5) < 1e-9 and _MIDDLE.search(prepare(said)):
        return True  # half of them lived longer than the median
    if not (q.spelled or q.kind == "fold"):
        return False
    gap = _ROUGH_QUOTIENT if q.bound or q.kind == "fold" else _QUOTIENT
    values = _quotients(theirs, with_rest=q.kind == "ratio")
    if q.bound in LOWER:
        return any(q.low <= value <= (1 + _PAST) * q.low for value in values)
    if q.bound in UPPER:
        return any((1 - _PAST) * q.low <= value <= q.low for value in values)
    return any(abs(value - q.low) <= gap * q.low for value in values)


def is_difference(q: Quantity, theirs: Sequence[Quantity], text: str) -> bool:
    """ "three months longer" for 11.6 and 8.9 months."""
    if q.unit is None or q.low != q.high or not _COMPARES.search(prepare(text)):
        return False
    step = max(q.step * q.unit.factor / 2, _QUOTIENT * q.ends[0])
    return any(
        one.kind == other.kind == q.kind and abs(one.ends[0] - other.ends[0] - q.ends[0]) <= step
        for one, other in permutations([one for one in theirs if one.low == one.high], 2)
    )


def adds_up(q: Quantity, theirs: Sequence[Quantity], *, turned: bool) -> bool:
    """Whether a share is one count of another, or, where a "not" is turned round, the rest of a whole:
    94 % did not have it where 6 % had."""
    if q.kind != "ratio" or q.low != q.high:
        return False
    step = max(q.step * (q.unit.factor if q.unit else 1.0), 0.01) / 2 + (
        0.02 if q.bound or q.spelled else 0.0
    )
    counts = [
        one.low for one in theirs if one.unit is None and one.low == one.high and one.step >= 1 < one.low
    ]
    shares = [one / other for one, other in permutations(counts, 2) if one < other]
    if turned:
        shares += [1 - one.ends[0] for one in theirs if one.kind == "ratio" and one.low == one.high]
    if q.bound in LOWER:
        return any(q.ends[0] <= share <= q.ends[0] + _ROUGH for share in shares)
    if q.bound in UPPER:
        return any(q.ends[0] - 2 * _ROUGH <= share <= q.ends[0] for share in shares)
    return any(abs(share - q.ends[0]) <= step for share in shares)


def _quotients(theirs: Sequence[Quantity], *, with_rest: bool) -> Iterator[float]:
    values = [q for q in theirs if q.kind != "fold" and q.low == q.high]
    for one, other in permutations(values, 2):
        if one.kind == "time" and (one.unit != other.unit or abs(one.start - other.start) > _TOGETHER):
            continue
        if one.kind == other.kind and other.ends[0] > 0 and one.ends[0] > 0:
            quotient = one.ends[0] / other.ends[0]
            yield quotient
            if with_rest and quotient < 1:
                yield 1 - quotient
