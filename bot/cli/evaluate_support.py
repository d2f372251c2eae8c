"""`carecite eval support`: planted faults through the product's own verification."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.evaluating import choose_arms, open_progress, report_of, tell
from bot.cli.running import examples, run
from config import load_settings

if TYPE_CHECKING:
    from reasoning.encoders import Encoder
    from reasoning.evaluation.support import Verification
    from reasoning.llm import LanguageModel

ARMS = ("rule", "model", "both")


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite eval support --out out/support"))(support)


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
    from bot.render.plots import plot_measures
    from bot.render.tables import print_support

    chosen = choose_arms(arms, ARMS)
    if out:
        out.mkdir(parents=True, exist_ok=True)
    report = run(_support(data, chosen, limit, out))
    tell(
        report,
        lambda: print_support(report),
        lambda path: plot_measures(report, path, "removed"),
        as_json=as_json,
        out=out,
    )


async def _support(data: Path | None, arms: list[str], limit: int | None, out: Path | None) -> dict[str, Any]:
    from bot.app import load_configured_encoder, open_model
    from reasoning.evaluation.support import measure, read_answers
    from reasoning.evaluation.support_report import summarise

    sets = read_answers(data, limit)
    settings = load_settings()
    encoder = await asyncio.to_thread(load_configured_encoder, settings)
    async with open_model(settings.llm) as llm:
        if not llm.available and arms != ["rule"]:
            raise typer.BadParameter("No model is configured.", param_hint="--arms")
        with open_progress() as progress:
            bar = progress.add_task("answers", total=sum(map(len, sets.values())))
            ways = {arm: _way(arm, encoder, llm) for arm in arms}
            items = await measure(sets, ways, out, lambda: progress.advance(bar))
    return report_of("support", settings, summarise(items), model=settings.llm.model)


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
