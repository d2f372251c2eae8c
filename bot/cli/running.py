"""What every command does alike: settings, progress words on stderr, the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from rich.console import Console

T = TypeVar("T")

errors = Console(stderr=True, highlight=False)


def say(words: str) -> None:
    """Progress for the person; never a result."""
    errors.print(words, style="dim", markup=False)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work; an interrupt ends it without a traceback."""
    return asyncio.run(work)
