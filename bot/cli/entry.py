"""The program `carecite`: its commands, and how errors reach the person (architecture 4).

Exit codes: 0 answered or abstained, 2 bad usage, 3 a required service is unreachable.
"""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from bot.cli import ask, database, doctor, evaluate, ingest, search
from config import SettingsError
from storage.text import clean_text

app = typer.Typer(
    name="carecite",
    help="Ask medical questions; every sentence of an answer carries a citation that opens.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
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
    """Run; any error becomes one sentence and a remedy on stderr, the traceback only with `--debug`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a file name or an answer may hold what this cannot write
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="carecite")
    except Exception as error:
        if _shown["traceback"]:
            raise
        code = exit_code(error)
        sys.stderr.write(f"{describe(error) if code else explain_fault(error)}\n")
        sys.exit(code or FAULT)


FAULT = 1


def describe(error: Exception) -> str:
    """An error of ours, with its remedy, in a line."""
    return " ".join(clean_text(f"{error} {getattr(error, 'remedy', '')}").split())


def explain_fault(error: Exception) -> str:
    """What is said of an error that nobody foresaw; its own words may hold a patient's, or a password."""
    return (
        f"carecite met a fault of its own ({type(error).__name__})."
        " Put --debug behind `carecite` to see where, and report that, please."
    )


def exit_code(error: Exception) -> int | None:
    """2 for what the person can write differently, 3 for what is missing; None for a fault of ours (1)."""
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
