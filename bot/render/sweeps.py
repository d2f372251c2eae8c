"""Figures over a parameter as a picture; needs the extra `plot`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_LINES = (("hit@10", "-", "o"), ("hit@1", "--", "s"))  # told apart without colours


def plot_sweep(report: dict[str, Any], path: Path) -> bool:
    """Lines with 95 % intervals over N_q and N_r, a row a graph; False where matplotlib is not installed, or
    nothing was swept."""
    rows = [row for row in report["rows"] if _setting(row)]
    graphs = list(dict.fromkeys(row["dataset"] for row in rows))
    try:
        import matplotlib
    except ImportError:
        return False
    if not rows:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, grid = pyplot.subplots(len(graphs), 2, figsize=(8, 3.2 * len(graphs)), squeeze=False, sharey=True)
    for place, graph in enumerate(graphs):
        for axes, name in zip(grid[place], ("N_q", "N_r"), strict=True):
            mine = [row for row in rows if row["dataset"] == graph and _setting(row)[:1] == [name]]
            at = [int(_setting(row)[1]) for row in mine]
            for metric, line, marker in _LINES:
                heights = [row["metrics"][metric] for row in mine]
                spread = [[row["metrics"][metric] - row["ci"][metric][0] for row in mine],
                          [row["ci"][metric][1] - row["metrics"][metric] for row in mine]]  # fmt: skip
                axes.errorbar(
                    at, heights, yerr=spread, label=metric, color="black", linestyle=line, marker=marker
                )
            axes.set_xlabel(name)
            axes.set_ylim(0, 1.05)
            axes.set_title(f"{graph}, n = {mine[0]['n'] if mine else 0}", fontsize="small")
    grid[0][0].legend(loc="lower right", fontsize="small")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
    return True


def _setting(row: dict[str, Any]) -> list[str]:
    """Name and value of what was set, of a row that has some."""
    last = row["style"].rsplit(", ", 1)[-1].split()
    return last if last[0] in ("N_q", "N_r") else []
