"""What every evaluation does alike: its arms, a progress bar, the report, and where the items went."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.cli.running import errors, print_json, say
from config import Settings

if TYPE_CHECKING:
    from reasoning.llm import Limits

_PATIENCE = 600.0  # seconds a question


def choose_arms(arms: str, known: Sequence[str], option: str = "--arms") -> list[str]:
    """The arms, or sets, of a list by comma. Raises BadParameter for none, or one that is not known."""
    chosen = [arm.strip() for arm in arms.split(",") if arm.strip()]
    if not chosen or any(arm not in known for arm in chosen):
        raise typer.BadParameter(f"Choose from {', '.join(known)}.", param_hint=option)
    return chosen


def patient_limits(settings: Settings) -> Limits:
    """What a question may cost by the settings; measuring waits for a slow model."""
    from reasoning.llm import limits_of

    return replace(limits_of(settings.llm), seconds=_PATIENCE)


def open_progress() -> Progress:
    """A bar on stderr with counts and the time that is left."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=errors)


def report_of(
    name: str, settings: Settings, rows: list[dict[str, Any]], *, model: str | None, preset: str = "product"
) -> dict[str, Any]:
    """The object that `--json` prints (architecture 4)."""
    return {
        "eval": name,
        "preset": preset,
        "encoder": settings.encoder,
        "model": model,
        "rows": rows,
    }


def tell(
    report: dict[str, Any],
    show: Callable[[], None],
    draw: Callable[[Path], bool],
    *,
    as_json: bool,
    out: Path | None,
) -> None:
    """Print it as JSON or as `show` does; `draw` says whether there is a plot beside the items of `out`."""
    if as_json:
        print_json(json.dumps(report, ensure_ascii=False))
    else:
        show()
    if out:
        drawn = draw(out / f"{report['eval']}.png")
        say(f"Items and plot are in {out}." if drawn else f"Items are in {out}.")
