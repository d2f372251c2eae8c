"""`carecite ingest --refresh` without a path: the standing of PubMed records, read again."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING

import typer

from bot.cli.running import print_json, run, say, show_progress
from config import load_settings
from config.errors import UNREACHABLE
from storage.text import clean_text

if TYPE_CHECKING:
    from reasoning.retrieval.rechecking import Recheck

_AGE = re.compile(r"(\d{1,5})\s*(d|h|)")
_MOST = 20  # titles of a kind


def read_age(text: str) -> timedelta:
    """`7d`, `12h`, or days alone. Raises typer.BadParameter."""
    found = _AGE.fullmatch(text.strip().lower())
    if not found:
        raise typer.BadParameter("an age is a number of days or hours, for example 7d or 12h")
    number = int(found[1])
    return timedelta(hours=number) if found[2] == "h" else timedelta(days=number)


def refresh(older_than: str | None, *, as_json: bool) -> None:
    """Read the standing again and print the report; ends with 3 where PubMed was not asked to the end."""
    age = read_age(older_than) if older_than is not None else None
    report = run(_refresh(age))
    if as_json:
        from bot.standing import as_json as to_json

        print_json(json.dumps(to_json(report), ensure_ascii=False))
    else:
        _print_report(report)
    if report.reason is not None:
        say("What was read is kept. Run `carecite ingest --refresh` again to go on with the rest.")
        raise typer.Exit(UNREACHABLE)


async def _refresh(age: timedelta | None) -> Recheck:
    from bot.app import open_history, open_workshop
    from bot.standing import refresh_standing
    from reasoning.retrieval.rechecking import Recheck

    settings = load_settings()
    older_than = timedelta(days=settings.eutils.record_days) if age is None else age
    report = Recheck()
    async with open_workshop(settings, say) as workshop, open_history(settings, say) as history:
        with show_progress("records") as advance:
            async for report in refresh_standing(workshop, history, settings, older_than):
                words = f"{report.checked:,} checked, {len(report.changes):,} changed, record"
                advance(report.done, max(report.due, report.done), words)
    return report


def _print_report(report: Recheck) -> None:
    from bot.standing import changes_by_kind

    changes = changes_by_kind(report)
    counts = ", ".join(f"{len(found)} {kind}" for kind, found in changes.items())
    typer.echo(
        f"{report.checked} records checked: {counts}; {len(report.missing)} missing, "
        f"{len(report.failed)} failed, {report.left} left."
    )
    for kind, found in changes.items():
        for change in found[:_MOST]:
            typer.echo(clean_text(f"  {kind}: {change.pmid} {change.title}"))
        if len(found) > _MOST:
            typer.echo(f"  … and {len(found) - _MOST} more {kind}; --json lists all.")
    if report.missing:
        typer.echo(f"  missing at PubMed: {', '.join(report.missing[:_MOST])}")
    if report.overtaken:
        typer.echo(f"  {len(report.overtaken)} kept answers cite what is retracted by now.")
    if report.reason:
        typer.echo(clean_text(f"  PubMed could not be asked for the rest ({report.reason})."))
