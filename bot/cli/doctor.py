"""`carecite doctor`: what works, what does not, and what to do about it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from bot.cli.running import examples, print_json, run
from config import load_settings


def register(app: typer.Typer) -> None:
    app.command(epilog=examples("carecite doctor", "carecite doctor --json"))(doctor)


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Check database, encoder, model endpoint, PubMed, Slack and Telegram; a remedy for each failing line.

    Ends with 3 if something that answers depend on fails.
    """
    from bot.health import check_health

    findings = run(check_health(load_settings()))
    if as_json:
        print_json(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        from bot.render.tables import print_findings

        print_findings(findings)
    if any(finding.ok is False and finding.name in ("database", "encoder") for finding in findings):
        raise typer.Exit(3)
