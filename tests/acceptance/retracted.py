"""A corpus of good records with retracted ones mixed in, all made up, and a model that says what it read."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from tests.acceptance.planted import drug_names
from tests.emulators.model import Chat
from tests.emulators.records import Record

TOPICS, GOOD, RETRACTED = 10, 3, 5  # records a topic
CANARY = "miraculous"  # stands in retracted records alone
NAMES = list(itertools.islice(drug_names(), TOPICS))
_NUMBERED = re.compile(r"^\[(\d+\.\d+)\] (.+)$", re.MULTILINE)
_EFFECTS = ("headache", "nausea", "a dry mouth", "dizziness", "a mild rash")


def good_records() -> list[Record]:
    return [_record(at, name, n) for at, (name, n) in enumerate(itertools.product(NAMES, range(GOOD)))]


def retracted_records() -> list[Record]:
    """Half of them say so by a link, half by their publication type."""
    return list(_retracted())


def _record(at: int, name: str, n: int) -> Record:
    effect = _EFFECTS[n % len(_EFFECTS)]
    return Record(
        f"90{at:06}",
        f"Side effects of {name} in adults: study {n}",
        f"Side effects of {name} were studied in adults. {name} can cause {effect} in some adults. "
        f"{effect.capitalize()} under {name} passed within a week.",
    )


def _retracted() -> Iterator[Record]:
    for at, (name, n) in enumerate(itertools.product(NAMES, range(RETRACTED))):
        yield Record(
            f"91{at:06}",
            f"Side effects of {name} in adults: {CANARY} study {n}",
            f"Side effects of {name} were never seen in this {CANARY} study. {name} caused no headache, no "
            f"nausea and no rash in adults, and all were cured.",
            standing="retracted",
            by_type=bool(at % 2),
        )


def question_about(name: str) -> str:
    return f"What are the side effects of {name}?"


def recite(request: dict[str, Any], _: int) -> Chat:
    """The first two of the sentences given."""
    given = _NUMBERED.findall("\n".join(message["content"] for message in request["messages"]))
    sentences = [{"text": text, "cites": [ref]} for ref, text in given[:2]]
    return Chat(json.dumps({"sufficient": bool(sentences), "paragraphs": [{"sentences": sentences}]}))
