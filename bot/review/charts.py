"""Charts as inline SVG: shapes on a grid of 320 × 120, drawn by rule from numbers alone, so that no word of
anybody can be in one. Colours and sizes are those of the style sheet; every chart has its table beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

WIDTH, HEIGHT = 320, 120
_LEFT, _FOOT, _HEAD = 34, 16, 8  # for the numbers of the axis, the days, and air
_GAP = 0.2  # of the place of a bar


class Series(NamedTuple):
    """One value a day; None where there is none. `look` is a class of the style sheet, `one` or `two`."""

    name: str
    look: str
    values: Sequence[float | None]


class Bar(NamedTuple):
    look: str
    x: float
    y: float
    width: float
    height: float


class Line(NamedTuple):
    """`points` as SVG reads them; single days are circles, as a line has two ends."""

    look: str
    points: str


class Dot(NamedTuple):
    look: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """`summary` says in a sentence what the picture shows; `heads` and `rows` are all of it as a table."""

    id: str
    title: str
    summary: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[Bar, ...] = ()
    lines: tuple[Line, ...] = ()
    dots: tuple[Dot, ...] = ()
    names: tuple[tuple[str, str], ...] = ()  # (look, name) for the legend
    top: str = ""
    ends: tuple[str, str] = ("", "")  # the first day and the last


def stack(series: Sequence[Series], most: float) -> tuple[Bar, ...]:
    """Bars a day, on top of each other; `most` is the height of the grid."""
    bars = []
    for index, values in enumerate(zip(*(one.values for one in series), strict=True)):
        reached = 0.0
        for one, value in zip(series, values, strict=True):
            height = _tall(value or 0.0, most)
            x, width = _place(index, len(one.values))
            if height:
                bars.append(Bar(one.look, x, _round(HEIGHT - _FOOT - reached - height), width, height))
            reached += height
    return tuple(bars)


def trace(series: Sequence[Series], most: float) -> tuple[tuple[Line, ...], tuple[Dot, ...]]:
    """Lines that break where a day has no value."""
    lines, dots = [], []
    for one in series:
        run: list[tuple[float, float]] = []
        for index, value in enumerate((*one.values, None)):
            if value is not None:
                x, width = _place(index, len(one.values))
                run.append((_round(x + width / 2), _round(HEIGHT - _FOOT - _tall(value, most))))
            elif len(run) == 1:
                dots.append(Dot(one.look, *run.pop()))
            elif run:
                lines.append(Line(one.look, " ".join(f"{x},{y}" for x, y in run)))
                run = []
    return tuple(lines), tuple(dots)


def shares(counts: Sequence[float]) -> tuple[Bar, ...]:
    """Lying bars, one below the other, each against the longest; 20 units a row."""
    most = max(counts, default=0)
    return tuple(
        Bar("one", 0, 20 * row + 3, _round(WIDTH * count / most) if most else 0, 14)
        for row, count in enumerate(counts)
    )


def ceiling(values: Sequence[float | None]) -> float:
    """The next 1, 2 or 5 times a power of ten: a top that reads well, and never 0."""
    most, size = max((value for value in values if value is not None), default=0), 1.0
    while most > size * 10:
        size *= 10
    return next(size * step for step in (1, 2, 5, 10) if most <= size * step)


def _place(index: int, count: int) -> tuple[float, float]:
    each = (WIDTH - _LEFT) / count
    return _round(_LEFT + each * (index + _GAP / 2)), _round(each * (1 - _GAP))


def _tall(value: float, most: float) -> float:
    return _round((HEIGHT - _HEAD - _FOOT) * min(value, most) / most)


def _round(value: float) -> float:
    return round(value, 1)
