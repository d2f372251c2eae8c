"""`carecite eval routing`: how well questions are told apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.evaluating import report_of, tell
from bot.cli.running import examples, run
from config import load_settings

if TYPE_CHECKING:
    from reasoning.linking import Link


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite eval routing --data ../shared/data --out out/routing"))(routing)


def routing(
    data: Annotated[Path, typer.Option(help="Folder that holds router/.")] = Path("../shared/data"),
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first questions.")] = None,
    graph: Annotated[bool, typer.Option("--graph", help="Link the questions to the stored graphs.")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for JSON lines and a plot.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Precision, recall and F1 of the router's rule on exam, cancer, multi-entity and general questions.

    No model is asked: what is measured is what every installation has. With --graph what the stored graphs
    know of a question counts too, as it does in asking.
    """
    from bot.render.confusion import plot_confusions, print_classes, print_confusions
    from reasoning.evaluation.routing import CLASSES, count_confusions, route_all, summarise

    links = run(_link(data, limit)) if graph else None
    items = route_all(data, limit, links)
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


async def _link(data: Path, limit: int | None) -> dict[str, tuple[Link, ...]]:
    from bot.app import open_workshop
    from reasoning.encoders import AsyncEncoder
    from reasoning.evaluation.routing import link_all
    from reasoning.linking import GraphLinker

    async with open_workshop(load_settings()) as workshop:
        encoder = AsyncEncoder(workshop.encoder)
        try:
            return await link_all(data, limit, GraphLinker(workshop.graph, encoder))
        finally:
            await encoder.close()
