"""What the tests of E-utilities share: doors to a scripted server, leaks."""

from __future__ import annotations

import itertools
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from reasoning.retrieval.eutils import PubMed, PubMedDoor
from tests.emulators.scripted_eutils import ScriptedEutils, who

HANG = 60.0  # seconds: a limit against hanging, no more


@asynccontextmanager
async def open_door(
    server: ScriptedEutils, *, key: str | None = None, cache: Any = None, records: Any = None,
    store: Any = None, **settings: Any,
) -> AsyncIterator[PubMedDoor]:  # fmt: skip
    door = PubMedDoor(server.eutils(**settings), who(key), cache=cache, records=records, store=store)
    try:
        yield door
    finally:
        await door.aclose()


@asynccontextmanager
async def open_pubmed(server: ScriptedEutils, **more: Any) -> AsyncIterator[PubMed]:
    """One question's view of a scripted server."""
    async with open_door(server, **more) as door:
        yield door.for_question()


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error with all that stands behind it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def leaks(text: str, secret: str, words: str) -> list[str]:
    """What must not be in a text: the key, and any three of the patient's words in a row, however encoded."""
    flat = " ".join(re.findall(r"[^\W_]+", text.lower()))
    parts = words.lower().split()
    runs = [" ".join(run) for run in zip(parts, parts[1:], parts[2:], strict=False)]
    return [secret] * (secret in text) + [run for run in runs if run in flat]


def gaps(server: ScriptedEutils) -> list[float]:
    times = sorted(asked.at for asked in server.asked)
    return [after - before for before, after in itertools.pairwise(times)]
