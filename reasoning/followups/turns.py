"""The turns of a talk, as far as a follow-up needs them, and the question that comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

MOST_TURNS = 8  # of a talk that are read, the last ones; our choice
LONGEST = 2_000  # characters of an earlier turn that are read, and of a message that follows one; our choice


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier question of a talk, the oldest first in a sequence of them.

    `text` as the person wrote it, `language` ISO 639-1, `person` a key that tells people apart and says
    nothing else. `standalone` is what the question was completed to (`Answer.standalone`), None where it
    stood alone or nobody knows. `answered` are names that its answer is about, the first the most; they
    count only where the question names nothing.
    """

    text: str = field(repr=False)
    language: str
    person: str
    standalone: str | None = field(default=None, repr=False)
    answered: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Carried:
    """Words that came from the talk; `turn` is the place of the latest earlier turn with them, from 0."""

    text: str
    turn: int


@dataclass(frozen=True, slots=True)
class Standalone:
    """The question that can be read alone. `form` says how: see `reasoning.followups.rule`."""

    question: str
    form: str
    carried: tuple[Carried, ...] = ()


def trace_back(
    names: Sequence[tuple[str, str]], earlier: Sequence[Earlier], person: str
) -> tuple[Carried, ...]:
    """Where each of (as shown, as said) was said last, by this person if they did; else it is left out."""
    found = []
    for shown, said in dict.fromkeys(names):
        turns = [n for n, turn in enumerate(earlier) if said.casefold() in _all_words(turn).casefold()]
        mine = [n for n in turns if earlier[n].person == person]
        if turns:
            found.append(Carried(shown, (mine or turns)[-1]))
    return tuple(found)


def _all_words(turn: Earlier) -> str:
    return " ; ".join((turn.text, turn.standalone or "", *turn.answered))
