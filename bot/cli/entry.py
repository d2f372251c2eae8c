"""The program `carecite`: its commands, and how errors reach the person (architecture 4).

Exit codes: 0 answered or abstained, 2 bad usage, 3 a required service is unreachable.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bot.cli import ask, database, doctor, evaluate, ingest, search
from config import SettingsError

app = typer.Typer(
    name="carecite",
    help="Ask medical questions; every sentence of an answer carries a citation that opens.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

ask.register(app)
search.register(app)
ingest.register(app)
app.add_typer(evaluate.app, name="eval")
app.add_typer(database.app, name="db")
doctor.register(app)


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Options of all commands."""
    _shown.update(traceback=debug)


_shown = {"traceback": False}


def main() -> None:
    """Run; any error of our own becomes one sentence and a remedy on stderr."""
    try:
        app()
    except Exception as error:
        code = exit_code(error)
        if _shown["traceback"] or code is None:
            raise
        remedy = getattr(error, "remedy", "")
        sys.stderr.write(f"{error} {remedy}".strip() + "\n")
        sys.exit(code)


def exit_code(error: Exception) -> int | None:
    """2 for what the person can write differently, 3 for what is missing; None for a fault of ours."""
    from reasoning.errors import ReasoningError
    from storage.errors import StorageError

    if isinstance(error, SettingsError | ReasoningError):
        return 2
    if isinstance(error, StorageError):
        return 3
    from reasoning.encoders.errors import EncoderError
    from reasoning.retrieval.reading.errors import ReadingError

    if isinstance(error, ReadingError):
        return 2
    return 3 if isinstance(error, EncoderError) else None
