"""`carecite eval support`: planted faults through the product's own verification."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.cli.running import errors, print_json, run, say
from config import load_settings

if TYPE_CHECKING:
    from reasoning.encoders import Encoder
    from reasoning.evaluation.support import Verification
    from reasoning.llm import LanguageModel

ARMS = ("rule", "model", "both")


def support(
    data: Annotated[
        Path | None, typer.Option(help="Folder that holds support/; without it the set that ships.")
    ] = None,
    arms: Annotated[
        str, typer.Option(help="Which of rule, model, both (as asking does), by comma.")
    ] = "rule",
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first answers of each file.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for JSON lines and a plot; a run goes on from it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """How many planted faults verification removes, how many clean sentences, per kind.

    The arm model asks the configured language model alone; both is what asking does: the rules, then the
    model over what they kept.
    """
    chosen = [arm.strip() for arm in arms.split(",") if arm.strip()]
    if not chosen or any(arm not in ARMS for arm in chosen):
        raise typer.BadParameter(f"Arms are {', '.join(ARMS)}.", param_hint="--arms")
    if out:
        out.mkdir(parents=True, exist_ok=True)
    report = run(_support(data, chosen, limit, out))
    if as_json:
        print_json(json.dumps(report, ensure_ascii=False))
    else:
        from bot.render.tables import print_support

        print_support(report)
    if out:
        from bot.render.plots import plot_measures

        plotted = plot_measures(report, out / "support.png", "removed")
        say(f"Items and plot are in {out}." if plotted else f"Items are in {out}.")


async def _support(data: Path | None, arms: list[str], limit: int | None, out: Path | None) -> dict[str, Any]:
    from bot.app import load_configured_encoder, open_model
    from reasoning.evaluation.support import measure, read_answers
    from reasoning.evaluation.support_report import summarise

    sets = read_answers(data, limit)
    settings = load_settings()
    encoder = await asyncio.to_thread(load_configured_encoder, settings)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    async with open_model(settings.llm) as llm:
        if not llm.available and arms != ["rule"]:
            raise typer.BadParameter("No model is configured.", param_hint="--arms")
        with Progress(*columns, console=errors) as progress:
            bar = progress.add_task("answers", total=sum(map(len, sets.values())))
            ways = {arm: _way(arm, encoder, llm) for arm in arms}
            items = await measure(sets, ways, out, lambda: progress.advance(bar))
    return {
        "eval": "support",
        "preset": "product",
        "encoder": settings.encoder,
        "model": settings.llm.model,
        "rows": summarise(items),
    }


def _way(arm: str, encoder: Encoder, llm: LanguageModel) -> Verification:
    """Verification as the arm does it, each answer with a budget of its own."""
    from reasoning.evidence import Claim, Evidence
    from reasoning.llm import Budget, Limits
    from reasoning.trace import Trace
    from reasoning.verify import Supported, judge, resolve_all, verify, verify_claims
    from reasoning.verify.likeness import cosines, list_rivals

    async def go(claims: list[Claim], evidence: list[Evidence], language: str) -> Supported:
        budget, trace = Budget(Limits(seconds=600.0)), Trace()
        if arm == "model":
            held = resolve_all(claims, evidence)
            judged = await judge(held.claims, evidence, llm, budget, trace, language=language)
            return Supported(judged.claims, [*held.rejected, *judged.rejected])
        texts, sources = list_rivals(claims, evidence)
        vectors = await asyncio.to_thread(encoder.encode_sentences, [*texts, *sources])
        likeness = cosines(texts, sources, vectors)
        if arm == "rule":
            return verify_claims(claims, evidence, language=language, likeness=likeness)
        return await verify(claims, evidence, llm, budget, trace, language=language, likeness=likeness)

    return go  # type: ignore[return-value]
