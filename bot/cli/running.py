"""What every command does alike: the question, progress words on stderr, the event loop, examples."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import typer
from rich.console import Console

T = TypeVar("T")

errors = Console(stderr=True, highlight=False, emoji=False)


def say(words: str) -> None:
    """Progress for the person; never a result."""
    errors.print(words, style="dim", markup=False)


def print_json(text: str) -> None:
    """JSON is UTF-8 whatever the terminal speaks (RFC 8259); half a character becomes its escape."""
    typer.echo(text.encode("utf-8", "backslashreplace"))


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work; an interrupt ends it without a traceback."""
    return asyncio.run(work)


@contextmanager
def show_progress(thing: str) -> Iterator[Callable[[int, int | None, str], None]]:
    """A bar on stderr while the block lasts; advance(completed, total, words) moves it."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    words = TextColumn("{task.description}", markup=False)
    columns = (SpinnerColumn(), words, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=errors) as progress:
        bar = progress.add_task(thing, total=None)

        def advance(completed: int, total: int | None, description: str) -> None:
            progress.update(bar, completed=completed, total=total, description=description)

        yield advance


def read_question(argument: str) -> str:
    """The cleaned question; `-` reads it from standard input, never more than a question may have.

    Raises EmptyQuestion and QuestionTooLong.
    """
    from reasoning.errors import QuestionTooLong
    from reasoning.understanding import LONGEST_QUESTION, check_question

    if argument != "-":
        return check_question(argument)
    most = 4 * LONGEST_QUESTION  # bytes
    given = sys.stdin.buffer.read(most + 1)
    if len(given) > most:
        raise QuestionTooLong(f"Up to {LONGEST_QUESTION:,} characters are read.")
    return check_question(given.decode("utf-8", "replace"))


def examples(*lines: str) -> str:
    """The end of a help text: each line a command that works as it stands."""
    return "Examples:\n\n" + "\n\n".join(f"- `{line}`" for line in lines)
