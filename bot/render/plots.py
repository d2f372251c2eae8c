"""Measured figures as a picture; needs the extra `plot`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_HATCHES = ("", "//", "..", "xx")  # readable in black and white


def plot_measures(report: dict[str, Any], path: Path, metric: str = "hit@10") -> bool:
    """Bars with 95 % intervals, a group a set; False where matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = [row for row in report["rows"] if "," not in row["style"] and metric in row["metrics"]]
    sets = list(dict.fromkeys((row["dataset"], row["style"]) for row in rows))
    arms = list(dict.fromkeys(row["arm"] for row in rows))
    figure, axes = pyplot.subplots(figsize=(2 + max(2.2, 0.3 * len(arms)) * len(sets), 4))
    width = 0.8 / max(1, len(arms))
    for place, arm in enumerate(arms):
        mine = {(row["dataset"], row["style"]): row for row in rows if row["arm"] == arm}
        shown = [(at, mine[name]) for at, name in enumerate(sets) if name in mine]
        heights = [row["metrics"][metric] for _, row in shown]
        spread = [[row["metrics"][metric] - row["ci"][metric][0] for _, row in shown],
                  [row["ci"][metric][1] - row["metrics"][metric] for _, row in shown]]  # fmt: skip
        at = [i + place * width for i, _ in shown]
        grey = str(0.9 - 0.7 * place / max(1, len(arms) - 1))
        axes.bar(
            at,
            heights,
            width,
            yerr=spread,
            label=arm,
            color=grey,
            hatch=_HATCHES[place % 4],
            edgecolor="black",
        )
    axes.set_xticks(
        [i + 0.4 - width / 2 for i in range(len(sets))], [f"{name}\n{style}" for name, style in sets]
    )
    axes.set_ylabel(metric)
    axes.set_ylim(0, 1.05)
    axes.legend(loc="lower left", fontsize="small")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
    return True
