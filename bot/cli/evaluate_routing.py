"""`carecite eval routing`: how well questions are told apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.evaluating import report_of, tell
from bot.cli.running import examples
from config import load_settings


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite eval routing --data ../shared/data --out out/routing"))(routing)


def routing(
    data: Annotated[Path, typer.Option(help="Folder that holds router/.")] = Path("../shared/data"),
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first questions.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for JSON lines and a plot.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Precision, recall and F1 of the router's rule on exam, cancer, multi-entity and general questions.

    No model is asked: what is measured is what every installation has.
    """
    from bot.render.confusion import plot_confusions, print_classes, print_confusions
    from reasoning.evaluation.routing import CLASSES, count_confusions, route_all, summarise

    items = route_all(data, limit)
    matrix = count_confusions(items)
    report = report_of("routing", load_settings(), summarise(items), model=None)
    if out:
        out.mkdir(parents=True, exist_ok=True)
        lines = "".join(json.dumps(item.as_json(), ensure_ascii=False) + "\n" for item in items)
        (out / "routing.jsonl").write_text(lines, encoding="utf-8")

    def show() -> None:
        print_classes(report, CLASSES)
        print_confusions(matrix, CLASSES)

    tell(report, show, lambda path: plot_confusions(matrix, CLASSES, path), as_json=as_json, out=out)
