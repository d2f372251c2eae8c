"""Numbers with their units, ranges and bounds, as values that can be compared (architecture 2.6)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from config.resources import read_toml
from reasoning.verify.number_words import Number, find_numbers, prepare
from reasoning.verify.units import Unit, unit_after

LOWER, UPPER = frozenset({"ge", "gt"}), frozenset({"le", "lt"})
_JOINS = re.compile(r"\s*(?:,|/|or|and|y|o|und|oder|et|ou|、|和|或|,\s*(?:or|and))\s*")
_BETWEEN_UNIT = re.compile(
    r"个(?!月|小时|星期|半)"
    r"|\s+(?:more|full|further|extra|additional|whole|straight|consecutive|other)(?=\s)"
)
_CONFIDENCE = re.compile(r"\s*(?:ci\b|confidence|置信)")
_NOT = re.compile(r"\b(?:not|never|cannot|n't|nicht)\b|不")
_TURNED = {"gt": "le", "ge": "lt", "lt": "ge", "le": "gt"}
_DENIED = 24  # characters: "should not take more than"
_EVERY = re.compile(r"\b(?:every|each)\s+$")
_HAN_EVERY = re.compile(r"(?:个|名|位)?[^\d。，,]{0,6}?(?:中|里|就)?(?:有|约有|大约有|就有)(?:大约|约)?")
_OF_PEOPLE = re.compile(
    r"\s+(?:[a-z]+\s+)?(?:patients|people|women|men|children|adults|babies|cases|persons)"
)
_ROUND = frozenset({10.0, 100.0, 1000.0})
_WHOLES = _ROUND | {20.0, 50.0, 10000.0, 100000.0}
_FAR = 90  # characters between "for every 1,000 people" and how many of them
_CALENDAR = (1900.0, 2100.0)


@dataclass(frozen=True, slots=True)
class Quantity:
    """`low` to `high` as written, equal for a single value; `unit` None for a bare count.

    `bound` is ge, gt, le, lt, about or empty; `step` one unit of the last written place.
    """

    low: float
    high: float
    unit: Unit | None
    written: str
    start: int
    end: int
    bound: str = ""
    step: float = 1.0
    spelled: bool = False
    weak: bool = False
    part: bool = False  # of a ratio or a range that stands beside it: what it says is said there

    @property
    def kind(self) -> str | None:
        return self.unit.kind if self.unit else None

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends in the base of the kind."""
        if self.unit is None:
            return self.low, self.high
        return self.unit.to_base(self.low), self.unit.to_base(self.high)


@lru_cache(maxsize=4096)
def quantities_in(text: str, language: str) -> tuple[Quantity, ...]:
    """Every quantity of a text, in order."""
    ready = prepare(text)
    singles = [_measure(ready, number) for number in find_numbers(ready, language)]
    singles = [_with_unit_before(ready, q) for at, q in enumerate(singles) if not _is_within(singles, at)]
    joined = _join_ratios(ready, _join_ranges(ready, singles, language), language)
    kept = [q for q in _inherit_units(ready, joined) if not (q.weak and q.unit is None)]
    return tuple(replace(q, bound=_bound(ready, q)) for q in kept)


def _is_within(found: list[Quantity], at: int) -> bool:
    """ "an hour" in "half an hour" is no quantity of its own."""
    return at > 0 and found[at].start < found[at - 1].end


def _measure(text: str, number: Number) -> Quantity:
    """The number with the unit that follows it."""
    unit, end = _unit_of(text, number)
    value = number.value
    if unit and unit.name == "year" and _CALENDAR[0] <= value <= _CALENDAR[1]:
        unit = None
    return Quantity(
        value, value, unit, text[number.start : end].strip(), number.start, end, "", number.step,
        number.spelled, number.weak,
    )  # fmt: skip


_UNIT_BEFORE = re.compile(r"(?<![^\W\d_])(hour|day|week|month|year)s?\s*$")


def _with_unit_before(text: str, q: Quantity) -> Quantity:
    """ "week 72" is 72 weeks."""
    match = _UNIT_BEFORE.search(text[max(0, q.start - 8) : q.start]) if q.unit is None else None
    return replace(q, unit=unit_after(match[1], 0)[0]) if match else q


def _unit_of(text: str, number: Number) -> tuple[Unit | None, int]:
    if number.kind and number.kind.startswith("label:"):
        return Unit(number.kind, number.kind, 1.0), number.end
    if number.kind == "ratio":
        of_a = re.compile(r"\s+(?:an?|of\s+an?)(?=\s)").match(text, number.end)
        unit, end = unit_after(text, of_a.end()) if of_a else (None, number.end)
        return (unit, end) if unit else (Unit("share", "ratio", 1.0), number.end)
    if number.kind == "fold":
        return Unit("times", "fold", 1.0), number.end
    between = _BETWEEN_UNIT.match(text, number.end)
    if between:
        unit, end = unit_after(text, between.end())
        if unit:
            return unit, end
    return unit_after(text, number.end)


def _words(part: str, language: str) -> str:
    entry = read_toml("lexicons/number_words.toml")[part]
    return "|".join(sorted(map(re.escape, entry.get(language, entry["en"])), key=len, reverse=True))


def _join_ratios(text: str, found: list[Quantity], language: str) -> list[Quantity]:
    """ "1 in 8", "2 to 3 out of 100", "of every 100 … about three" and 每五人中有一人 become shares."""
    between = re.compile(
        rf"\s+(?!points)(?:[^\W\d_]+\s+){{0,2}}?(?P<word>{_words('one_in', language)})\s+(?:an?\s+)?"
    )
    out: list[Quantity] = []
    for q in found:
        last = out[-1] if out else None
        gap = text[last.end : q.start] if last else ""
        if last and q.low == q.high and last.unit is None and _may_be_whole(q, last):
            hit = between.fullmatch(gap)
            counted = _OF_PEOPLE.match(text, q.end)
            rough = hit is not None and hit["word"] == "of" and q.low not in _ROUND and not counted
            if hit and q.low > 1 and not rough and not (hit["word"] == "in" and q.low < 3):
                out[-1] = _share(last, q, text, last.start, q.end)
                if hit["word"] == "of":
                    out += [replace(last, part=True), replace(q, part=True)]
                continue
        if last and _is_of_every(q, last, text) and len(gap) < _FAR:
            out[-1] = _share(q, last, text, last.start, q.end)
            continue
        if (
            last
            and text[last.start - 1 : last.start] == "每"
            and q.low <= last.low
            and _HAN_EVERY.fullmatch(gap)
        ):
            out[-1] = _share(q, last, text, last.start, q.end)
            continue
        out.append(q)
    return out


def _is_of_every(q: Quantity, whole: Quantity, text: str) -> bool:
    """ "for every 1,000 people … about three": a round whole comes first."""
    bare = q.unit is None and whole.unit is None and q.high < whole.low
    return bare and whole.low in _WHOLES and bool(_EVERY.search(text[: whole.start]))


def _may_be_whole(q: Quantity, part: Quantity) -> bool:
    calendar = _CALENDAR[0] <= q.low <= _CALENDAR[1]
    return q.unit is None and q.low >= part.high and part.low > 0 and not calendar


def _share(part: Quantity, whole: Quantity, text: str, start: int, end: int) -> Quantity:
    return Quantity(
        part.low / whole.low, part.high / whole.low, Unit("share", "ratio", 1.0), text[start:end], start, end,
        "", 0.01, part.spelled,
    )  # fmt: skip


def _join_ranges(text: str, found: list[Quantity], language: str) -> list[Quantity]:
    connector = re.compile(rf"\s*(?:-|~|至|到|\s(?:{_words('range', language)})\s)\s*(?:\$|€)?")
    out: list[Quantity] = []
    for q in found:
        last = out[-1] if out else None
        gap = text[last.end : q.start] if last else ""
        hit = connector.fullmatch(gap) if gap else None
        if last and hit and last.low < q.high and last.low == last.high:
            before = text[: last.start].rstrip()
            fits = last.unit is None or (q.unit is not None and last.unit.kind == q.unit.kind)
            if fits and _is_range(gap.strip(), before, last, q, language):
                same = last.unit is None or last.unit == q.unit
                low = last.low if same else _in_unit_of(last, q)
                joined = replace(q, low=low, start=last.start, written=text[last.start : q.end])
                if re.search(r"(?:from|von|desde|de)$", before):
                    out[-1] = replace(last, unit=last.unit or q.unit, part=True)
                    out += [replace(q, part=True), joined]
                else:
                    out[-1] = joined
                continue
        out.append(q)
    return out


def _is_range(join: str, before: str, low: Quantity, high: Quantity, language: str) -> bool:
    """ "and" joins a range behind "between", "or" neighbours such as "two or three"."""
    if join in ("or", "o", "oder", "ou"):
        return high.low - low.low == 1 and low.low >= 1
    if join in ("and", "y", "und", "et"):
        between = rf"(?:{_words('between', language)})(?:\s+(?:the\s+)?(?:ages?(?:\s+of)?|los|las|die))?$"
        return bool(re.search(between, before))
    return True


def _in_unit_of(last: Quantity, q: Quantity) -> float:
    return last.ends[0] / (q.unit.factor if q.unit else 1.0)


def _inherit_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """ "50, 100 or 200 mg": a bare number in a list has the unit of the next."""
    out = list(found)
    for at in reversed(range(len(out) - 1)):
        mine, following = out[at], out[at + 1]
        if mine.unit is None and following.unit and _JOINS.fullmatch(text[mine.end : following.start]):
            if (
                following.unit.name == "share"
                or following.unit.kind.startswith("label:")
                or _CONFIDENCE.match(text, following.end)
            ):
                continue
            out[at] = replace(mine, unit=following.unit)
    return out


@cache
def _bounds(side: str) -> re.Pattern[str]:
    data: dict[str, Any] = read_toml("lexicons/comparators.toml")[side]
    words = sorted(((w, name) for name, ws in data.items() for w in ws), key=lambda p: -len(p[0]))
    parts = []
    for word, _ in words:
        latin = word[-1].isalpha() and word[-1] < "Ͱ"
        left = r"(?<![^\W_])" if word[0].isalpha() and word[0] < "Ͱ" else ""
        parts.append(left + re.escape(word).replace(r"\ ", r"\s+") + (r"(?![^\W_])" if latin else ""))
    if side == "before":
        gap = r"\s*(?:the\s+age\s+of|age|ages|about|an?|the|los|las|der|\$)?\s*$"
        return re.compile(rf"(?P<word>{'|'.join(parts)}){gap}")
    return re.compile(rf"[\s-]*(?:old|of age|old age|years)?\s*(?P<word>{'|'.join(parts)})")


@cache
def _bound_names(side: str) -> dict[str, str]:
    data: dict[str, Any] = read_toml("lexicons/comparators.toml")[side]
    return {word: name for name, words in data.items() for word in words}


def _bound(text: str, q: Quantity) -> str:
    """What bounds the quantity: words behind it, else words right in front of it."""
    after = _bounds("after").match(text, q.end)
    if after:
        return _bound_names("after")[re.sub(r"\s+", " ", after["word"])]
    begin = max(0, q.start - 40)
    before = _bounds("before").search(text[begin : q.start])
    if before is None:
        return ""
    bound = _bound_names("before")[re.sub(r"\s+", " ", before["word"])]
    if before["word"] == "over" and q.unit and q.kind == "time" and q.unit.name != "year":
        return ""  # over two weeks: during them
    ahead = re.split(r"[.;:,]", text[max(0, begin + before.start() - _DENIED) : begin + before.start()])[-1]
    return _TURNED.get(bound, bound) if _NOT.search(ahead) else bound
