"""Measured figures as a picture; needs the extra `plot`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_SETS_A_LINE = 4
_HATCHES = ("", "//", "..", "xx")  # readable in black and white


def plot_measures(report: dict[str, Any], path: Path, metric: str = "hit@10") -> bool:
    """Bars with 95 % intervals, a group a set; False where matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.patches import Patch

    rows = [row for row in report["rows"] if "," not in row["style"] and metric in row["metrics"]]
    sets = list(dict.fromkeys((row["dataset"], row["style"]) for row in rows))
    arms = list(dict.fromkeys(row["arm"] for row in rows))
    lines = [sets[at : at + _SETS_A_LINE] for at in range(0, len(sets), _SETS_A_LINE)]
    width = 2 + max(2.2, 0.3 * len(arms)) * min(len(sets), _SETS_A_LINE)
    figure, panels = pyplot.subplots(
        len(lines) or 1, squeeze=False, figsize=(width, 1 + 3 * (len(lines) or 1)), layout="constrained"
    )
    for axes, line in zip(panels[:, 0], lines, strict=False):
        _draw_line(axes, line, arms, rows, metric)
    keys = [Patch(label=arm, **_fill(place, len(arms))) for place, arm in enumerate(arms)]
    figure.legend(handles=keys, loc="outside upper center", ncols=min(6, len(arms) or 1), fontsize="small")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
    return True


def _draw_line(
    axes: Any,
    sets: Sequence[tuple[str, str]],
    arms: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    metric: str,
) -> None:
    width = 0.8 / max(1, len(arms))
    for place, arm in enumerate(arms):
        mine = {(row["dataset"], row["style"]): row for row in rows if row["arm"] == arm}
        shown = [(at, mine[name]) for at, name in enumerate(sets) if name in mine]
        spread = [[row["metrics"][metric] - row["ci"][metric][0] for _, row in shown],
                  [row["ci"][metric][1] - row["metrics"][metric] for _, row in shown]]  # fmt: skip
        axes.bar(
            [at + place * width for at, _ in shown],
            [row["metrics"][metric] for _, row in shown],
            width,
            yerr=spread,
            **_fill(place, len(arms)),
        )
    middles = [at + 0.4 - width / 2 for at in range(len(sets))]
    axes.set_xticks(middles, [f"{name}\n{style}" for name, style in sets])
    axes.set_ylabel(metric)
    axes.set_ylim(0, 1.05)


def _fill(place: int, of: int) -> dict[str, Any]:
    grey = str(0.9 - 0.7 * place / max(1, of - 1))
    return {"facecolor": grey, "hatch": _HATCHES[place % 4], "edgecolor": "black"}
