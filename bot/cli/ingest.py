"""`carecite ingest`: documents into the corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.refresh import refresh as refresh_standing
from bot.cli.running import examples, print_json, run, say, show_progress
from config import load_settings
from storage.text import clean_text

if TYPE_CHECKING:
    from bot.ingest import Intake
    from reasoning.retrieval.indexing import IndexReport


def register(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "carecite ingest pubmed26n0001.xml.gz guidelines/ notes.md",
            "carecite ingest --json .",
            "carecite ingest --refresh --older-than 7d",
        )
    )(ingest)


def ingest(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files, and folders with all that is in them.")
    ] = None,
    refresh: Annotated[
        bool,
        typer.Option(
            "--refresh",
            help="Read, cut and embed unchanged articles again; without PATHS, ask PubMed for the standing"
            " (retracted, doubted, corrected) of all its records that are cached or cited.",
        ),
    ] = False,
    older_than: Annotated[
        str | None,
        typer.Option(
            "--older-than",
            help="With --refresh and no PATHS: what was last checked longer ago, for example 7d or 12h;"
            " else as CARECITE_EUTILS_RECORD_DAYS says.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Load PubMed XML (.xml, .xml.gz), MEDLINE .nbib, PMC JATS, Markdown, text, JSONL; PDF and HTML with the
    extra `documents`.

    Loading again is safe: unchanged articles are skipped, changed ones replaced. An interrupted load goes on
    where it stopped.
    """
    if not paths:
        if not refresh:
            raise typer.BadParameter("name a file or folder, or use --refresh", param_hint="PATHS")
        refresh_standing(older_than, as_json=as_json)
        return
    if older_than is not None:
        raise typer.BadParameter("goes with --refresh and no PATHS", param_hint="--older-than")
    from bot.ingest import Intake, find_files

    try:
        intake = Intake(find_files(paths))
    except FileNotFoundError as error:
        raise typer.BadParameter(clean_text(str(error)), param_hint="PATHS") from None
    report = run(_load(intake, refresh=refresh))
    rejected = [{"where": item.where, "reason": item.reason} for item in intake.rejected]
    if as_json:
        summary = {
            "files": intake.files,
            "stored": report.stored,
            "unchanged": report.unchanged,
            "passages": report.passages,
        }
        print_json(
            json.dumps(
                summary | {"without_text": report.without_text, "rejected": rejected}, ensure_ascii=False
            )
        )
    else:
        _print_report(intake, report)
    if rejected and not report.seen:
        raise typer.Exit(2)


async def _load(intake: Intake, *, refresh: bool) -> IndexReport:
    from bot.app import open_workshop
    from bot.ingest import load_files
    from reasoning.retrieval.indexing import IndexReport

    report = IndexReport()
    async with open_workshop(load_settings(), say) as workshop:
        words = "files"
        with show_progress(words) as advance:
            async for report in load_files(intake, workshop.corpus, workshop.encoder, refresh=refresh):
                words = f"{report.stored:,} stored, {report.unchanged:,} unchanged, file"
                advance(max(0, intake.files - 1), len(intake.paths), words)
            advance(intake.files, len(intake.paths), words)
    return report


def _print_report(intake: Intake, report: IndexReport) -> None:
    typer.echo(
        f"{intake.files} files: {report.stored} articles stored ({report.passages} passages), "
        f"{report.unchanged} unchanged, {report.without_text} without text, {len(intake.rejected)} refused."
    )
    for item in intake.rejected[:50]:
        typer.echo(clean_text(f"  {item.where}: {item.reason}"))
    if len(intake.rejected) > 50:
        typer.echo(f"  … and {len(intake.rejected) - 50} more; --json lists all.")
