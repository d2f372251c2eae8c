"""`carecite eval depth`: what reading more than abstracts finds."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import Progress

from bot.cli.evaluating import choose_arms, open_progress, report_of, tell
from bot.cli.running import examples, run, say
from config import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from reasoning.encoders import Encoder
    from reasoning.evaluation.depth import DepthItem, DepthSet
    from reasoning.retrieval.indexing import IndexReport
    from storage.corpus import Corpus

_ARMS = "D1,D1+D2,D1+D2+D3"


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite eval depth --data ../shared/data --out out/depth"))(depth)


def depth(
    data: Annotated[Path, typer.Option(help="Folder that holds fulltext/.")] = Path("../shared/data"),
    arms: Annotated[str, typer.Option(help="Which depths, by comma.")] = _ARMS,
    limit: Annotated[int, typer.Option(min=1, help="Primary studies beside all reviews.")] = 60,
    out: Annotated[Path | None, typer.Option(help="Folder for JSON lines and a plot.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Whether marked evidence is among the five best passages: abstracts alone, reviews in full, all in full.

    Each depth is a corpus of its own with the same articles; searched without and with the reranker of the
    settings.
    """
    from bot.render.plots import plot_measures
    from bot.render.tables import print_measures
    from reasoning.evaluation.depth import DEPTHS

    chosen = choose_arms(arms, list(DEPTHS))
    if out:
        out.mkdir(parents=True, exist_ok=True)
    report = run(_depth(data, ["D1", *(arm for arm in chosen if arm != "D1")], limit, out))
    plain = [row for row in report["rows"] if row["style"] == "none"]
    tell(
        report,
        lambda: print_measures(report, ("hit@5", "article@5")),
        lambda path: plot_measures(report | {"rows": plain}, path, "hit@5"),
        as_json=as_json,
        out=out,
    )


async def _depth(data: Path, arms: list[str], limit: int, out: Path | None) -> dict[str, Any]:
    from reasoning.evaluation.depth import read_depth_set, summarise, write_items

    settings = load_settings()
    marked = await asyncio.to_thread(read_depth_set, data, limit)
    by_class = [f"{sum(a.doc_class == c for a in marked.articles)} {c}" for c in ("D2", "D3")]
    lost = f"; the evidence of {marked.lost} more is not in the text word for word" if marked.lost else ""
    say(f"{' and '.join(by_class)} articles, {len(marked.questions)} questions{lost}.")
    items: list[DepthItem] = []
    with open_progress() as progress:
        for arm in arms:
            items += await _at(settings, marked, arm, progress)
    if out:
        write_items(items, out)
    return report_of("depth", settings, summarise(items), model=None)


async def _at(settings: Settings, marked: DepthSet, arm: str, progress: Progress) -> list[DepthItem]:
    from bot.app import load_named_reranker
    from bot.measuring import open_filled_corpus
    from reasoning.encoders import AsyncEncoder, ModelThread
    from reasoning.evaluation.depth import ask_all, at_depth
    from reasoning.retrieval.indexing import index_articles
    from reasoning.retrieval.reranking import stored_similarity

    async def load(corpus: Corpus, encoder: Encoder) -> AsyncIterator[IndexReport]:
        async for report in index_articles(at_depth(marked.articles, arm), corpus, encoder):
            yield report
        await corpus.optimise()

    items = []
    async with open_filled_corpus(settings, marked.files, arm, load, progress, say) as workshop:
        thread = ModelThread()
        encoder = AsyncEncoder(workshop.encoder, thread=thread)
        similarity = stored_similarity(workshop.corpus, encoder)
        reranker = await asyncio.to_thread(
            load_named_reranker, settings, settings.reranker, similarity, thread
        )
        bar = progress.add_task(f"questions at {arm}", total=2 * len(marked.questions))
        for chosen in (None, reranker):
            items += await ask_all(
                workshop.corpus, encoder, chosen, marked, arm, lambda: progress.advance(bar)
            )
        await encoder.close()
    return items
