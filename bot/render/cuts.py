"""Ways of cutting text side by side: a table for reading, a picture for showing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

_MARKS = "osD^v<>P*"
_WIDTH = 220  # columns, where no terminal says how wide it is


def print_cuts(report: dict[str, Any]) -> None:
    """A line a way of cutting: whether evidence stays whole, and hit@3 by each search and reranker.

    The last columns, of dense search alone: evidence found within three windows of tokens, and paired
    differences to SEOS of the same size, with their 95 % intervals.
    """
    lines = _by_arm(report["rows"])
    ways = list(dict.fromkeys(way for cells in lines.values() for way in cells))
    table = Table(title=f"{report['eval']}, encoder {report['encoder']}: hit@3 by search, reranker")
    for heading in ("window", "comparison", "arm"):
        table.add_column(heading)
    minus = ("whole minus seos", "hit@3 minus seos", "hit@3w minus seos")
    for heading in ("n", "tokens", "stored", "whole", *ways, "hit@3w", *minus):
        table.add_column(heading, justify="right")
    last = None
    for (window, comparison, arm), cells in lines.items():
        if last not in (None, (window, comparison)):
            table.add_section()
        last = (window, comparison)
        first = next(iter(cells.values()))
        hits = [f"{cells[way]['metrics']['hit@3']:.3f}" if way in cells else "" for way in ways]
        metrics = first["metrics"]
        dense = cells.get("dense, none", first)
        table.add_row(
            window,
            comparison,
            arm,
            str(first["n"]),
            f"{metrics['mean_tokens']:.0f}",
            f"{metrics['stored']:.2f}",
            f"{metrics['whole']:.3f}",
            *hits,
            f"{dense['metrics']['hit@3w']:.3f}",
            *(_difference(dense, metric) for metric in ("whole", "hit@3", "hit@3w")),
        )
    console = Console()
    (console if console.is_terminal else Console(width=_WIDTH)).print(table)


def plot_cuts(report: dict[str, Any], path: Path) -> bool:
    """Evidence that stays whole against hit@3 of dense search, a point an arm, a panel a comparison.

    False where matplotlib (extra `plot`) is not installed.
    """
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    panels: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for (window, comparison, arm), cells in _by_arm(report["rows"]).items():
        if "held-out" not in comparison and "dense, none" in cells:
            panels.setdefault(f"{comparison}, window {window}", []).append((arm, cells["dense, none"]))
    across = max(1, len(panels))
    figure, axes = pyplot.subplots(1, across, figsize=(4.2 * across, 4), squeeze=False)
    for at, (title, rows) in zip(axes[0], panels.items(), strict=False):
        for (arm, row), mark in zip(rows, _MARKS, strict=False):
            whole, hit = row["metrics"]["whole"], row["metrics"]["hit@3"]
            low, high = row["ci"]["hit@3"]
            spread = [[hit - low], [high - hit]]
            filled = "black" if arm.startswith("seos") else "white"
            style = {"color": "black", "markerfacecolor": filled, "markersize": 8, "capsize": 3}
            at.errorbar(whole, hit, yerr=spread, fmt=mark, label=arm, **style)
        at.set(title=title, xlabel="evidence whole in one chunk", ylabel="hit@3, dense")
        at.set(xlim=(0, 1.08), ylim=(0, 1))
        at.legend(loc="upper left", fontsize="small")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
    return True


def _by_arm(rows: list[dict[str, Any]]) -> dict[tuple[str, str, str], dict[str, dict[str, Any]]]:
    """(window, comparison and half, arm) -> "search, reranker" -> row."""
    lines: dict[tuple[str, str, str], dict[str, dict[str, Any]]] = {}
    for row in rows:
        comparison, search, reranker, *half = row["style"].split(", ")
        window = row["dataset"].rpartition("/")[2]
        place = (window, ", ".join((comparison, *half)), row["arm"])
        lines.setdefault(place, {})[f"{search}, {reranker}"] = row
    ordered = sorted(lines, key=lambda place: (int(place[0]), place[1]))
    return {place: lines[place] for place in ordered}


def _difference(row: dict[str, Any], metric: str) -> str:
    found = [name for name in row["ci"] if name.startswith(f"{metric} minus ")]
    if not found:
        return ""
    low, high = row["ci"][found[0]]
    return f"{low:+.3f} to {high:+.3f}"
