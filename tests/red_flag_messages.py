"""Messages of danger and look-alikes in five languages; tests/unit/fixtures/README.md says who wrote them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HALVES = ("even", "odd")
# authors of the fourth file who wrote what people would most likely type
USUAL = frozenset([*"ghijkmnoqrstuvwz1234567", *(f"n{letter}" for letter in "abcdefghi")])
_FIXTURES = Path(__file__).parent / "unit" / "fixtures"


@dataclass(frozen=True)
class Message:
    id: str
    language: str
    group: str
    kind: str
    text: str

    @property
    def half(self) -> str:
        return HALVES[int(hashlib.sha1(self.id.encode()).hexdigest(), 16) % 2]

    @property
    def is_danger(self) -> bool:
        return self.kind != "look_alike"

    @property
    def file(self) -> str:
        return self.id.split("-")[0]

    @property
    def author(self) -> str:
        """A name of one or two letters for the fourth file ("rg4-a-001"), else the file."""
        return self.id.split("-")[1] if self.file == "rg4" else self.file


def read_rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_FIXTURES / name).read_text("utf-8").splitlines()]


def read_messages(name: str) -> list[Message]:
    return [Message(**row) for row in read_rows(name)]


def read_learned() -> list[Message]:
    """All that the weights are learned from; "" as the kind of a danger that does not say which."""
    own = [
        Message(
            id=f"own-{place}",
            language=row["language"],
            group="",
            kind=_kind_of(row),
            text=row["text"],
        )
        for place, row in enumerate(read_rows("triage_messages.jsonl"))
    ]
    files = ("red_flag_messages.jsonl", "red_flag_messages_2.jsonl", "red_flag_messages_4.jsonl")
    return own + [message for file in files for message in read_messages(file)]


def _kind_of(row: dict[str, Any]) -> str:
    if row["kind"] == "look_alike":
        return "look_alike"
    return "".join(row["levels"]) if len(row["levels"]) == 1 else ""
