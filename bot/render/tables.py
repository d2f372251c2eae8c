"""Measured figures and findings of the doctor, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from bot.health import Finding

_MARKS = {True: Text("ok  ", "green"), False: Text("fail", "red"), None: Text("–   ", "dim")}


def print_findings(findings: Sequence[Finding]) -> None:
    """A line a check; under one that is not well, what to do."""
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for finding in findings:
        console.print(_MARKS[finding.ok], Text(finding.name, "bold"), Text(finding.detail))
        if finding.remedy and not finding.ok:
            console.print(f"       {finding.remedy}", style="dim")


def print_measures(report: dict[str, Any], names: Sequence[str]) -> None:
    """A row a set, split and arm; intervals (95 %) beside the first figure; – where there is none."""
    table = Table(title=f"{report['eval']}, encoder {report['encoder']}, preset {report['preset']}")
    for heading in ("set", "style", "arm", "n", *names):
        table.add_column(heading, justify="right" if heading in ("n", *names) else "left")
    last = None
    for row in report["rows"]:
        group = (row["dataset"], row["style"])
        if last not in (None, group):
            table.add_section()
        last = group
        metrics = row["metrics"]
        figures = [f"{metrics[name]:.3f}" if name in metrics else "–" for name in names]
        if names[0] in row["ci"]:
            low, high = row["ci"][names[0]]
            figures[0] += f" [dim]({low:.3f}–{high:.3f})[/]"
        table.add_row(row["dataset"], row["style"], row["arm"], str(row["n"]), *figures)
    Console().print(table)


def print_differences(report: dict[str, Any], metric: str, test: str = "mcnemar_p") -> None:
    """A row a pair of arms, the later minus the earlier: the difference, its interval, McNemar's exact p."""
    arms = list(dict.fromkeys(row["arm"] for row in report["rows"]))
    table = Table(title=f"differences in {metric} on the same questions")
    for heading in ("set", "style", "arm", "minus", "n", "difference", "95 %", "p"):
        table.add_column(heading, justify="left" if heading in ("set", "style", "arm", "minus") else "right")
    for row in report["rows"]:
        for name, (low, high) in row["ci"].items():
            _, found, other = name.partition(f"{metric} minus ")
            if found and arms.index(other) < arms.index(row["arm"]):
                figures = (f"{row['metrics'][name]:+.3f}", f"{low:+.3f} to {high:+.3f}")
                p = f"{row['metrics'][f'{test} against {other}']:.3f}"
                table.add_row(row["dataset"], row["style"], row["arm"], other, str(row["n"]), *figures, p)
    if table.row_count:
        Console().print(table)


def print_judgements(report: dict[str, Any]) -> None:
    """A row a graph: how often the one arm's answer was preferred; nothing where no model judged."""
    table = Table(title=f"answers compared by {report['model']}, both orders")
    names = ("win", "tie", "lose", "agreement")
    for heading in ("set", "arm", "against", "n", "failed", *names):
        table.add_column(heading, justify="left" if heading in ("set", "arm", "against") else "right")
    for row in report["judged"]:
        figures = [f"{row['metrics'][name]:.3f}" if row["metrics"] else "–" for name in names]
        counts = (str(row["n"]), str(row["failed"]))
        table.add_row(row["dataset"], row["one"], row["other"], *counts, *figures)
    if table.row_count:
        Console().print(table)


def print_support(report: dict[str, Any]) -> None:
    """A row a kind of fault, half and arm: how many were removed, and whether what is shown holds."""
    table = Table(title=f"support, encoder {report['encoder']}, model {report['model'] or 'none'}")
    for heading in ("half", "arm", "kind", "n", "removed", "95 %", "ids known", "verbatim"):
        table.add_column(heading, justify="left" if heading in ("half", "arm", "kind") else "right")
    last = None
    for row in report["rows"]:
        group = (row["style"], row["arm"])
        if last not in (None, group):
            table.add_section()
        last = group
        metrics, (low, high) = row["metrics"], row["ci"]["removed"]
        shown = [f"{metrics[name]:.3f}" if name in metrics else "–" for name in ("ids_known", "verbatim")]
        half = row["style"].partition(", ")[2] or "all"
        share = f"{metrics['removed']:.3f}"
        table.add_row(half, row["arm"], row["dataset"], str(row["n"]), share, f"{low:.3f}–{high:.3f}", *shown)
    Console().print(table)


def print_regressions(report: dict[str, Any]) -> None:
    """What became of each corrected answer, then how many of each verdict."""
    cases = Table(title="corrected answers, asked again")
    for heading in ("run", "verdict", "outcome", "wrong again", "right said"):
        cases.add_column(heading)
    for case in report["cases"]:
        said = f"{case['said']} of {case['of']}"
        outcome = case["outcome"].replace("_", " ")
        cases.add_row(case["run_id"], case["verdict"], outcome, str(case["again"]), said)
    shares = Table(title=f"by verdict, encoder {report['encoder']}, model {report['model'] or 'none'}")
    for heading in ("verdict", "n", *report["rows"][0]["metrics"]):
        shares.add_column(heading.replace("_", " "), justify="left" if heading == "verdict" else "right")
    for row in report["rows"]:
        shares.add_row(row["style"], str(row["n"]), *(f"{share:.3f}" for share in row["metrics"].values()))
    Console().print(cases, shares)
