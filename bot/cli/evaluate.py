"""`carecite eval`: measuring the product over folders laid out like the shared measuring data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.cli.evaluate_support import support
from bot.cli.running import errors, examples, print_json, run, say
from config import load_settings

app = typer.Typer(no_args_is_help=True, help="Measure the product on question sets.")

_ARMS = "bm25,dense,rrf,carecite"


@app.callback()
def about() -> None:
    """Measure the product on question sets; figures come with 95 % intervals."""


app.command(epilog=examples("carecite eval support --out out/support"))(support)


@app.command(epilog=examples("carecite eval retrieval --data ../shared/data --out out/retrieval"))
def retrieval(
    data: Annotated[Path, typer.Option(help="Folder that holds retrieval/.")] = Path("../shared/data"),
    arms: Annotated[str, typer.Option(help="Which arms, by comma.")] = _ARMS,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first questions of each set.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for JSON lines and a plot; a run goes on from it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Hit@k and MRR of document retrieval: BM25, dense, plain RRF, and what carecite does.

    The documents are loaded once into a database of their own; the first run embeds them all, which takes
    a good half hour on two cores.
    """
    from reasoning.evaluation.retrieval import ARMS

    chosen = [arm.strip() for arm in arms.split(",") if arm.strip()]
    unknown = [arm for arm in chosen if arm not in ARMS]
    if unknown or not chosen:
        raise typer.BadParameter(f"Arms are {', '.join(ARMS)}.", param_hint="--arms")
    if out:
        out.mkdir(parents=True, exist_ok=True)
    report = run(_retrieval(data, chosen, limit, out))
    if as_json:
        print_json(json.dumps(report, ensure_ascii=False))
    else:
        from bot.render.tables import print_measures

        print_measures(report, ("hit@10", "hit@3", "hit@1", "mrr", "zero_hit"))
    if out:
        from bot.render.plots import plot_measures

        say(
            f"Items and plot are in {out}."
            if plot_measures(report, out / "retrieval.png")
            else f"Items are in {out}."
        )


async def _retrieval(data: Path, arms: list[str], limit: int | None, out: Path | None) -> dict[str, Any]:
    from bot.app import open_retrieval
    from bot.measuring import open_measuring_corpus
    from reasoning.evaluation.questions import read_questions
    from reasoning.evaluation.retrieval import measure, summarise

    questions = read_questions(data, limit)
    settings = load_settings()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors) as progress:
        async with (
            open_measuring_corpus(settings, data, progress, say) as workshop,
            open_retrieval(workshop) as searching,
        ):
            present = await workshop.corpus.existing(
                {item for question in questions for item in question.gold}
            )
            asked = [question for question in questions if question.gold & present]
            say(f"{len(asked)} of {len(questions)} questions have a gold document in the corpus.")
            bar = progress.add_task("questions", total=len(asked))
            items = await measure(searching, asked, arms, out, lambda: progress.advance(bar))
    return {
        "eval": "retrieval",
        "preset": "product",
        "encoder": settings.encoder,
        "model": settings.llm.model,
        "rows": summarise(items),
    }
