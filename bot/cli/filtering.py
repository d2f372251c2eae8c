"""Filters as they are typed: `--where platform=slack --where verdict=unsafe`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from storage.history.review import Filters

Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        "-w",
        metavar="NAME=VALUE",
        help="A filter; may be given several times, and all must hold. NAME is platform, workspace,"
        " conversation, method, language, since, until, triage, feedback, verdict, severity, state, cause,"
        " assigned_to; or, with yes or no, flagged, abstained, degraded, queued, waiting, second, assigned.",
    ),
]
Words = Annotated[
    str | None,
    typer.Argument(
        help='Words to search for, in masked text: "a phrase", or, -not. Without them: all answers.'
    ),
]
_YES = {"yes": True, "no": False}


def read_filters(where: Sequence[str] | None, words: str | None) -> Filters:
    """Raises BadParameter."""
    from storage.history.review import Filters

    kinds = {item.name: str(item.type) for item in fields(Filters) if item.name != "words"}
    given: dict[str, Any] = {}
    for pair in where or ():
        name, _, value = pair.partition("=")
        if name not in kinds or not value:
            raise typer.BadParameter(f"NAME=VALUE, with one of {', '.join(kinds)}.", param_hint="--where")
        given[name] = _read(name, value, kinds[name])
    return Filters(**given, words=words)


def _read(name: str, value: str, kind: str) -> Any:
    try:
        if kind.startswith("bool"):
            return _YES[value.lower()]
        if kind.startswith("int"):
            return int(value)
        if kind.startswith("datetime"):
            time = datetime.fromisoformat(value)
            return time if time.tzinfo else time.replace(tzinfo=UTC)
    except (KeyError, ValueError):
        wanted = {"b": "yes or no", "i": "a number", "d": "a day such as 2026-11-30"}[kind[0]]
        raise typer.BadParameter(f"{name} is {wanted}.", param_hint="--where") from None
    return value
