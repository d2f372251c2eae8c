"""Units of measure by their names in five languages (`config/lexicons/units.toml`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from config.resources import read_toml

_CELSIUS_ZERO_F = 32.0


@dataclass(frozen=True, slots=True)
class Unit:
    """`kind` is what is measured; `factor` turns one unit into the base of its kind."""

    name: str
    kind: str
    factor: float

    def to_base(self, value: float) -> float:
        if self.name == "F":
            return (value - _CELSIUS_ZERO_F) * self.factor
        return value * self.factor


@cache
def _names() -> dict[str, Unit]:
    found = {}
    for kind, members in read_toml("lexicons/units.toml").items():
        if kind == "per":
            continue
        for name, entry in members.items():
            unit = Unit(name, f"{kind}:{name}" if kind == "counted" else kind, float(entry["factor"]))
            found.update(dict.fromkeys(entry["names"].split("|"), unit))
    return found


def _alternatives(names: list[str]) -> str:
    """Longer names first; a Latin name ends where no letter or digit follows."""
    ordered = sorted(names, key=len, reverse=True)
    return "|".join(
        re.escape(name).replace(r"\ ", r"\s+") + (r"(?![^\W_])" if name[-1].isascii() and name != "%" else "")
        for name in ordered
    )


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    names = _alternatives(list(_names()))
    volumes = _alternatives([name for name, unit in _names().items() if unit.kind == "volume"])
    periods = "|".join(
        f"(?P<{period}>{_alternatives(words.split('|'))})"
        for period, words in read_toml("lexicons/units.toml")["per"].items()
    )
    return (
        re.compile(rf"[\s-]*({names})"),
        re.compile(rf"\s*(?:/|per\s+|por\s+|pro\s+|par\s+)\s*({volumes})"),
        re.compile(rf"(?:(?<![^\W\d_])|(?=/))(?:{periods})"),
    )


def unit_after(text: str, at: int) -> tuple[Unit | None, int]:
    """The unit that follows a number, and where it ends; text is lower case.

    A unit over a volume (mg/dL) is one unit of its own kind; what a dose is for (per day, per kg) is not part
    of the unit, see `periods_in`.
    """
    unit_pattern, volume_pattern, _ = _patterns()
    match = unit_pattern.match(text, at)
    unit, end = (_names()[re.sub(r"\s+", " ", match[1])], match.end()) if match else (None, at)
    over = volume_pattern.match(text, end)
    if over:
        volume = _names()[over[1]]
        top = unit or Unit("cells", "count", 1.0)
        return Unit(f"{top.name}/{volume.name}", f"{top.kind}/volume", top.factor / volume.factor), over.end()
    return unit, end


def periods_in(text: str) -> set[str]:
    """What doses and rates in a lower-case text are for: day, week, kg, m2, …"""
    return {name for match in _patterns()[2].finditer(text) for name, hit in match.groupdict().items() if hit}
