"""`carecite eval segmentation`: whether evidence stays whole where text is cut, and whether it is found."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.evaluating import choose_arms, open_progress, report_of, tell
from bot.cli.running import examples, run, say
from config import Settings, load_settings

if TYPE_CHECKING:
    from reasoning.encoders import Encoder
    from reasoning.evaluation.segmentation_rerankers import MakeReranker
    from reasoning.retrieval.reranking import Reranker, Similarity

_ARMS = "seos,fixed,langchain,llamaindex,chonkie"
_GROUPS = "published,equal mean,equal stored"
WIDE = 512  # tokens, as in the paper
ARTICLES = 100


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite eval segmentation --data ../shared/data --out out/segmentation"))(
        segmentation
    )


def segmentation(
    data: Annotated[Path, typer.Option(help="Folder that holds fulltext/.")] = Path("../shared/data"),
    arms: Annotated[str, typer.Option(help="Which ways of cutting, by comma; seos is always there.")] = _ARMS,
    groups: Annotated[str, typer.Option(help="Which comparisons, by comma.")] = _GROUPS,
    windows: Annotated[
        str, typer.Option(help="Windows of the encoder in tokens, by comma: its own, or 512 for MiniLM.")
    ] = "own,512",
    rerankers: Annotated[
        str, typer.Option(help="none is always there; lexical, and what CARECITE_MODELS_DIR holds, by name.")
    ] = "lexical",
    limit: Annotated[int, typer.Option(min=1, help="Articles, in an order by hash.")] = ARTICLES,
    out: Annotated[
        Path | None, typer.Option(help="Folder for JSON lines and a plot; a run goes on from it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """SEOS, fixed windows and other libraries' semantic chunkers at equal size, on evidence experts marked.

    Other libraries come with the extra `peers`. The peers are cut with the encoder's own window only; each
    text is embedded once, ever.
    """
    from bot.render.cuts import plot_cuts, print_cuts
    from reasoning.evaluation.segmentation_cuts import ARMS, GROUPS

    chosen = choose_arms(arms, ARMS)
    compared = choose_arms(groups, GROUPS)
    if out:
        out.mkdir(parents=True, exist_ok=True)
    names = [name.strip() for name in rerankers.split(",") if name.strip() not in ("", "none")]
    wide = [name.strip() for name in windows.split(",")]
    report = run(_segmentation(data, chosen, compared, wide, names, limit, out))
    tell(
        report,
        lambda: print_cuts(report),
        lambda path: plot_cuts(report, path),
        as_json=as_json,
        out=out,
    )


async def _segmentation(
    data: Path,
    arms: list[str],
    groups: list[str],
    windows: list[str],
    names: list[str],
    limit: int,
    out: Path | None,
) -> dict[str, Any]:
    from reasoning.evaluation.segmentation import Log, measure
    from reasoning.evaluation.segmentation_cuts import Workbench, make_cuts, product_params
    from reasoning.evaluation.segmentation_peers import MODULES, missing_peer
    from reasoning.evaluation.segmentation_report import summarise
    from reasoning.evaluation.segmentation_set import read_marked

    settings = load_settings()
    marked = await asyncio.to_thread(read_marked, data, limit)
    asked = len(marked.questions)
    lost = f"; the evidence of {marked.lost} more is not in its text word for word" if marked.lost else ""
    say(f"{len(marked.articles)} articles, {asked} questions{lost}.")
    for arm in [arm for arm in arms if arm in MODULES]:
        if sentence := missing_peer(arm):
            say(sentence)
            arms.remove(arm)
    log, items, cuts = Log(out), [], {}
    async with AsyncExitStack() as stack:
        makers = await _rerankers(settings, names, stack)
        for window in windows:
            encoder = await asyncio.to_thread(_encoder, settings, window)
            bench = await asyncio.to_thread(Workbench, marked.articles, encoder)
            used = [arm for arm in arms if window == "own" or arm not in MODULES]
            say(f"Window {encoder.manifest.passage_max_tokens}: cutting …")
            made = await asyncio.to_thread(make_cuts, bench, used, groups, product_params(encoder), say)
            cuts[encoder.manifest.passage_max_tokens] = made
            with open_progress() as progress:
                bar = progress.add_task("articles", total=len(made) * len(marked.articles))
                items += await measure(bench, made, makers, log, partial(progress.advance, bar))
    return report_of("segmentation", settings, summarise(items, cuts), model=None)


def _encoder(settings: Settings, window: str) -> Encoder:
    """The encoder of the settings, or MiniLM with a longer window; vectors are kept by text hash."""
    from bot.app import load_configured_encoder
    from reasoning.encoders import CachedEncoder, load_wide_minilm
    from storage.vector_cache import VectorCache

    if window == "own":
        plain = load_configured_encoder(settings)
    elif window == str(WIDE) and settings.encoder == "minilm":
        plain = load_wide_minilm(WIDE, dtype=settings.models.dtype)
    else:
        raise typer.BadParameter("own, and 512 for minilm.", param_hint="--windows")
    path = settings.home / "vectors" / f"{plain.manifest.name}.sqlite"
    return CachedEncoder(plain, VectorCache(path, plain.manifest))


async def _rerankers(settings: Settings, names: list[str], stack: AsyncExitStack) -> dict[str, MakeReranker]:
    """Those that measure similarity for themselves are loaded once for all articles."""
    from bot.app import load_named_reranker
    from reasoning.encoders import ModelThread
    from reasoning.evaluation.segmentation_rerankers import for_chunks

    thread = ModelThread()
    stack.push_async_callback(thread.close)
    makers = {}
    for name in names:

        def load(similarity: Similarity, name: str = name) -> Reranker:
            return load_named_reranker(settings, name, similarity, thread)

        makers[name] = await asyncio.to_thread(for_chunks, name, load)
    return makers
