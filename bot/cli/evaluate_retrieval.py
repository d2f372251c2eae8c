"""`carecite eval retrieval`: whether the right documents are found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.evaluating import choose_arms, open_progress, report_of, tell
from bot.cli.running import examples, run, say
from config import load_settings

_ARMS = "bm25,dense,rrf,carecite"


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite eval retrieval --data ../shared/data --out out/retrieval"))(
        retrieval
    )


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
    from bot.render.plots import plot_measures
    from bot.render.tables import print_measures
    from reasoning.evaluation.retrieval import ARMS

    chosen = choose_arms(arms, ARMS)
    if out:
        out.mkdir(parents=True, exist_ok=True)
    report = run(_retrieval(data, chosen, limit, out))
    shown = ("hit@10", "hit@3", "hit@1", "mrr", "zero_hit")
    tell(
        report,
        lambda: print_measures(report, shown),
        lambda path: plot_measures(report, path),
        as_json=as_json,
        out=out,
    )


async def _retrieval(data: Path, arms: list[str], limit: int | None, out: Path | None) -> dict[str, Any]:
    from bot.app import open_retrieval
    from bot.measuring import open_measuring_corpus
    from reasoning.evaluation.questions import read_questions
    from reasoning.evaluation.retrieval import measure, summarise

    questions = read_questions(data, limit)
    settings = load_settings()
    with open_progress() as progress:
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
    return report_of("retrieval", settings, summarise(items), model=settings.llm.model)
