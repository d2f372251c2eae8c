"""The sixty dialogues of dialogues.toml, and how a completed question is scored."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reasoning.followups.rule import complete_by_rule
from reasoning.followups.turns import Earlier


@dataclass(frozen=True)
class Dialogue:
    id: str
    earlier: tuple[Earlier, ...]
    person: str
    message: str
    wanted: dict[str, Any]

    @property
    def language(self) -> str:
        return self.id[:2]

    @property
    def is_even(self) -> bool:
        """The half on which the rule is made; the other is only scored."""
        return int(hashlib.sha1(self.id.encode()).hexdigest(), 16) % 2 == 0

    def complete(self) -> str:
        return complete_by_rule(self.earlier, self.message, self.language, self.person).question

    def faults(self, question: str) -> list[str]:
        """Why the completed question is wrong; empty where it is right."""
        said, wanted = question.casefold(), self.wanted
        found = [
            f"lacks {name}"
            for name in wanted.get("names", [])
            if not any(each.casefold() in said for each in name.split("|"))
        ]
        found += [f"lacks {kept}" for kept in wanted.get("keep", []) if kept not in question]
        found += [f"says {name}" for name in wanted.get("never", []) if name.casefold() in said]
        if wanted.get("alone") and question != self.message:
            found.append("carries something")
        return found


def read_dialogues() -> Iterator[Dialogue]:
    text = Path(__file__).with_name("dialogues.toml").read_text(encoding="utf-8")
    for name, entry in tomllib.loads(text).items():
        turns = [turn.split(": ", 1) for turn in entry["turns"]]
        answers = [*entry.get("answers", []), *([""] * len(turns))]
        earlier = tuple(
            Earlier(said, name[:2], person, answered=tuple(answers[n].split("|")) if answers[n] else ())
            for n, (person, said) in enumerate(turns[:-1])
        )
        person, message = turns[-1]
        yield Dialogue(name, earlier, person, message, entry)
