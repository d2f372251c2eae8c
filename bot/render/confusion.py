"""Which classes are taken for which: as tables, and as a picture (needs the extra `plot`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table


def print_classes(report: dict[str, Any], classes: Sequence[str]) -> None:
    """A line a class and part of the items: precision, recall and F1 with their 95 % intervals."""
    table = Table(title=f"{report['eval']}, by rule")
    for heading in ("set", "class", "n", "precision", "recall", "F1"):
        table.add_column(heading, justify="left" if heading in ("set", "class") else "right")
    for row in report["rows"]:
        table.add_section()
        for name in classes:
            if f"f1_{name}" in row["metrics"]:
                figures = (_figure(row, f"{kind}_{name}") for kind in ("precision", "recall", "f1"))
                table.add_row(row["style"], name, "", *figures)
        table.add_row(row["style"], "mean F1", str(row["n"]), "", "", _figure(row, "macro_f1"))
        table.add_row(row["style"], "accuracy", str(row["n"]), "", "", _figure(row, "accuracy"))
    Console().print(table)


def _figure(row: dict[str, Any], name: str) -> str:
    low, high = row["ci"][name]
    return f"{row['metrics'][name]:.3f}\n[dim]{low:.3f}–{high:.3f}[/]"


def print_confusions(matrix: Sequence[Sequence[int]], classes: Sequence[str]) -> None:
    """A line a label, a column a decision."""
    table = Table(title="labels (lines) and decisions (columns)")
    table.add_column("")
    for name in classes:
        table.add_column(name, justify="right")
    for name, counts in zip(classes, matrix, strict=True):
        table.add_row(name, *map(str, counts))
    Console().print(table)


def plot_confusions(matrix: Sequence[Sequence[int]], classes: Sequence[str], path: Path) -> bool:
    """A square a label and decision, darker for a larger share of the label; False without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    shares = [[count / max(1, sum(counts)) for count in counts] for counts in matrix]
    figure, axes = pyplot.subplots(figsize=(5.5, 4.8))
    axes.imshow(shares, cmap="Greys", vmin=0.0, vmax=1.0)
    for line, counts in enumerate(matrix):
        for column, count in enumerate(counts):
            ink = "white" if shares[line][column] > 0.5 else "black"
            axes.text(
                column, line, f"{count}\n{shares[line][column]:.0%}", ha="center", va="center", color=ink
            )
    axes.set_xticks(range(len(classes)), classes)
    axes.set_yticks(range(len(classes)), classes)
    axes.set_xlabel("decided")
    axes.set_ylabel("label")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
    return True
