"""`carecite doctor`: what works, what does not, and what to do about it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from bot.cli.running import run
from config import load_settings

_MARKS = {True: "[green]ok[/]  ", False: "[red]fail[/]", None: "[dim]–[/]   "}


def register(app: typer.Typer) -> None:
    app.command(epilog="Example:  carecite doctor")(doctor)


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Check database, encoder, model endpoint, PubMed, Slack and Telegram; a remedy for each failing line.

    Ends with 3 if something that answers depend on fails.
    """
    from bot.health import check_health

    findings = run(check_health(load_settings()))
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        from rich.console import Console
        from rich.markup import escape

        console = Console(highlight=False, soft_wrap=True)
        for finding in findings:
            console.print(f"{_MARKS[finding.ok]} [bold]{finding.name}[/]  {escape(finding.detail)}")
            if finding.remedy and not finding.ok:
                console.print(f"       {escape(finding.remedy)}", style="dim")
    if any(finding.ok is False and finding.name in ("database", "encoder") for finding in findings):
        raise typer.Exit(3)
