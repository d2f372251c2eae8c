"""`carecite eval exam`: multiple-choice questions by a method and its peers, with and without retrieval."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.evaluating import choose_arms, open_progress, patient_limits, report_of, tell
from bot.cli.running import examples, run, say
from config import load_settings

_SHOWN = ("forced_accuracy", "accuracy", "answered", "calls", "retrievals", "tokens", "seconds")


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite eval exam --sets cmmqa_like --out out/exam"))(exam)


def exam(
    data: Annotated[Path, typer.Option(help="Folder that holds qa/ and retrieval/.")] = Path(
        "../shared/data"
    ),
    arms: Annotated[str, typer.Option(help="Which arms, by comma.")] = "question_only,cot,single_rag,cometa",
    sets: Annotated[str, typer.Option(help="Which files of qa/, by comma.")] = "cmmqa_like",
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first questions of each set.")] = None,
    withheld: Annotated[
        bool, typer.Option(help="Ask once more without the articles that a question was made from.")
    ] = True,
    out: Annotated[
        Path | None, typer.Option(help="Folder for JSON lines and a plot; a run goes on from it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Accuracy on exam questions, what is said and what is only forced, and what it costs.

    forced_accuracy counts the best option of every question; accuracy only what a person would be told, with
    its evidence. By rules where no model is configured. Questions that were made from articles are asked a
    second time with those withheld. The documents are loaded once into a database of their own.
    """
    from bot.render.plots import plot_measures
    from bot.render.tables import print_differences, print_measures
    from reasoning.evaluation.exam_arms import list_arms
    from reasoning.methods import METHODS

    chosen = choose_arms(arms, list_arms(METHODS))
    names = [name.strip() for name in sets.split(",") if name.strip()]
    if out:
        out.mkdir(parents=True, exist_ok=True)
    report = run(_exam(data, chosen, names, limit, out, withheld=withheld))

    def show() -> None:
        print_measures(report, _SHOWN)
        print_differences(report, "forced_accuracy")

    tell(report, show, lambda path: plot_measures(report, path, "forced_accuracy"), as_json=as_json, out=out)


async def _exam(
    data: Path, arms: list[str], sets: list[str], limit: int | None, out: Path | None, *, withheld: bool
) -> dict[str, Any]:
    from bot.app import open_evidence, open_model
    from bot.measuring import open_measuring_corpus
    from reasoning.evaluation.exam import measure, read_items
    from reasoning.evaluation.exam_arms import Bench
    from reasoning.evaluation.exam_report import summarise
    from reasoning.methods import METHODS

    items = read_items(data, sets, limit)
    settings = load_settings()
    limits = patient_limits(settings)
    with open_progress() as progress:
        async with (
            open_measuring_corpus(settings, data, progress, say) as workshop,
            open_evidence(settings, workshop) as evidence,
            open_model(settings.llm) as llm,
        ):
            bench = Bench(evidence.retrieval, evidence.doors, evidence.reranker, llm, limits)
            model = settings.llm.model if llm.available else None
            bar = progress.add_task("questions", total=len(items))
            ready = bench.arms(arms, METHODS)
            marks = await measure(items, ready, model, out, lambda: progress.advance(bar), withhold=withheld)
    return report_of("exam", settings, summarise(marks), model=model)
