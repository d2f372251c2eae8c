"""Rows of the benchmark table: a figure, the aim, and what both sides took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rich.console import Console
from rich.table import Table

from tests.bench.timing import Taken


@dataclass(frozen=True, slots=True)
class Aim:
    """The figure has to be at least, or at most, the limit."""

    kind: Literal[">=", "<="]
    limit: float

    def met_by(self, figure: float) -> bool:
        return figure >= self.limit if self.kind == ">=" else figure <= self.limit


@dataclass(frozen=True, slots=True)
class Row:
    """One measured figure. A ratio (`x`) is peer by ours, so that more is better."""

    bench: str
    measure: str
    figure: float
    unit: Literal["x", "", "ms", "%"] = "x"
    aim: Aim | None = None
    ours: Taken | str = ""
    peer: Taken | str = ""
    peer_name: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        return self.aim.met_by(self.figure) if self.aim else None

    def as_json(self) -> dict[str, Any]:
        sides = {
            name: side.as_json() if isinstance(side, Taken) else side
            for name, side in (("ours", self.ours), ("peer", self.peer))
            if side
        }
        aim = {"aim": f"{self.aim.kind} {self.aim.limit:g}", "met": self.met} if self.aim else {}
        named = {"peer_name": self.peer_name} if self.peer_name else {}
        head = {"bench": self.bench, "measure": self.measure, "figure": round(self.figure, 4)}
        return head | {"unit": self.unit} | aim | sides | named | dict(self.details)


def print_rows(rows: Sequence[Row], title: str) -> None:
    table = Table(title=title, title_justify="left", caption=_CAPTION, caption_justify="left")
    for heading in ("bench", "measure", "figure", "aim", "met", "ours", "peer"):
        table.add_column(heading, justify="right" if heading in ("figure", "aim") else "left")
    last = None
    for row in rows:
        if last not in (None, row.bench):
            table.add_section()
        name, last = ("" if row.bench == last else row.bench), row.bench
        aim = f"{row.aim.kind} {_show(row.aim.limit, row.unit)}" if row.aim else ""
        met = {True: "[green]yes[/]", False: "[red]no[/]", None: ""}[row.met]
        peer = f"{row.peer_name} {row.peer}".strip()
        table.add_row(name, row.measure, _show(row.figure, row.unit), aim, met, str(row.ours), peer)
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH
    console.print(table)


_WIDTH = 170  # where nobody wraps it: a file, a log
_CAPTION = (
    "x: peer by ours, more is better. Times are milliseconds an item: median / 95th percentile, then "
    "processor time, that of the database server included."
)


def _show(figure: float, unit: str) -> str:
    if unit == "%":
        return f"{figure:.0%}"
    digits = 3 if unit == "" else 1 if abs(figure) >= 10 else 2
    return f"{figure:.{digits}f}".rstrip("0").rstrip(".") + (f" {unit}" if unit == "ms" else unit)
