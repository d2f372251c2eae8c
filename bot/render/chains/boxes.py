"""Text in boxes: how wide it is, without knowing the font, and where it breaks."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

_CELL = 0.6  # of the font's size: a half-width character of any common sans-serif with room to spare
_LINE = 1.35


@dataclass(frozen=True, slots=True)
class Box:
    """Lines of text in one size of font; `width` and `height` in pixels, with `pad` on each side."""

    lines: tuple[str, ...]
    size: float
    pad: float

    @property
    def width(self) -> float:
        return max(map(cell_len, self.lines)) * self.size * _CELL + 2 * self.pad

    @property
    def height(self) -> float:
        return len(self.lines) * self.line_height + 2 * self.pad

    @property
    def line_height(self) -> float:
        return self.size * _LINE


def wrap(text: str, cells: int, most: int = 4) -> tuple[str, ...]:
    """Lines of at most so many half-width characters, at blanks where there are some; never none."""
    lines = [line.plain.strip() for line in Text(text).wrap(Console(width=cells), cells, overflow="fold")]
    lines = [line for line in lines if line] or [" "]
    return tuple(lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1][: cells - 1] + "…"])
