"""The program `carecite`: its commands, and how errors reach the person (architecture 4).

Exit codes: 0 answered or abstained, 2 bad usage, 3 a required service is unreachable.
"""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from bot.cli import ask, database, doctor, evaluate, graph, history, ingest, review, search, serve, worker
from config.errors import CareciteError
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
serve.register(app)
worker.register(app)
app.add_typer(graph.app, name="graph")
app.add_typer(evaluate.app, name="eval")
app.add_typer(history.app, name="history")
app.add_typer(review.app, name="review")
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
        if isinstance(error, CareciteError):
            sys.stderr.write(f"{describe(error)}\n")
            sys.exit(error.exit_code)
        sys.stderr.write(f"{explain_fault(error)}\n")
        sys.exit(FAULT)


FAULT = 1


def describe(error: CareciteError) -> str:
    """An error of ours, with its remedy, in a line."""
    return " ".join(clean_text(f"{error} {error.remedy}").split())


def explain_fault(error: Exception) -> str:
    """What is said of an error that nobody foresaw; its own words may hold a patient's, or a password."""
    return (
        f"carecite met a fault of its own ({type(error).__name__})."
        " Put --debug behind `carecite` to see where, and report that, please."
    )
