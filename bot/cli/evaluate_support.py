"""`carecite eval support`: planted faults through the product's own verification."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.evaluating import choose_arms, open_progress, report_of, tell
from bot.cli.running import examples, print_json, run, say
from config import load_settings

if TYPE_CHECKING:
    from reasoning.encoders import Encoder
    from reasoning.evaluation.support import Verification
    from reasoning.llm import LanguageModel

ARMS = ("rule", "model", "both")


def register(app: typer.Typer) -> None:
    shown = examples("carecite eval support --out out/support", "carecite eval support --from-reviews --json")
    app.command(epilog=shown)(support)


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
    from_reviews: Annotated[
        bool,
        typer.Option(
            "--from-reviews", help="Ask again what reviewers corrected, and compare; no words kept."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """How many planted faults verification removes, how many clean sentences, per kind.

    The arm model asks the configured language model alone; both is what asking does: the rules, then the
    model over what they kept. With --from-reviews: which corrected answers come out as wrong as then.
    """
    from bot.render.plots import plot_measures
    from bot.render.tables import print_support

    chosen = choose_arms(arms, ARMS)
    if out:
        out.mkdir(parents=True, exist_ok=True)
    if from_reviews:
        _tell_reviews(run(_from_reviews(limit, out)), as_json=as_json)
        return
    report = run(_support(data, chosen, limit, out))
    tell(
        report,
        lambda: print_support(report),
        lambda path: plot_measures(report, path, "removed"),
        as_json=as_json,
        out=out,
    )


def _tell_reviews(report: dict[str, Any], *, as_json: bool) -> None:
    from bot.render.tables import print_regressions

    if not report["cases"]:
        say("No answer has a correction: a reviewer writes one beside the verdict in `carecite review`.")
    if as_json:
        print_json(json.dumps(report, ensure_ascii=False))
    elif report["cases"]:
        print_regressions(report)


async def _from_reviews(limit: int | None, out: Path | None) -> dict[str, Any]:
    """`cases` names the answers by their run ids alone."""
    from bot.regressing import asking_again, read_corrections
    from reasoning.evaluation.items import ItemLog
    from reasoning.evaluation.regression import summarise

    settings = load_settings()
    corrections = (await read_corrections(settings, say))[:limit]
    items = []
    if corrections:
        async with asking_again(settings, corrections, say) as asked:
            with open_progress() as progress:
                bar = progress.add_task("answers", total=len(corrections))
                async for item in asked:
                    items.append(item)
                    progress.advance(bar)
    cases = [asdict(item) for item in items]
    ItemLog(out, "reviews").add(cases)
    report = report_of("support", settings, summarise(items), model=settings.llm.model)
    return report | {"cases": cases}


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
