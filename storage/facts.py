"""The facts of the graph as the rest of the house sees them, and the form in which files hold them.

A file is UTF-8 text, tab separated, with the header `head relation tail source`. What a relation means, which
types it joins and how it is worded is in `lexicons/relations.toml` (methods.md 2.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from config.resources import list_names, read_text, read_toml

COLUMNS = ("head", "relation", "tail", "source")
EMPTY = {"", "nan", "none", "null"}  # public triples hold such cells (methods.md 2.4)


@dataclass(frozen=True, slots=True)
class Fact:
    """One directed statement; `source` is the id of the article that makes it.

    The ends are short noun phrases as that article writes them.
    """

    head: str
    relation: str
    tail: str
    source: str

    @property
    def triple(self) -> tuple[str, str, str]:
        """What two sources of the same statement share: the ends without regard to case."""
        return self.head.casefold(), self.relation, self.tail.casefold()

    def __str__(self) -> str:
        return f"{self.head} -[{self.relation}]-> {self.tail} ({self.source})"


@dataclass(frozen=True, slots=True)
class RejectedFact:
    """A line that is no fact; `line` counts from 1, the header included."""

    line: int
    reason: str


ClaimType = Literal["diagnosis", "test", "treatment", "dose", "advice"]  # methods.md 2.6
Polarity = Literal["affirmed", "denied", "contraindicated"]
_LISTS = {"en": (", ", " or "), "zh": ("、", "或")}


@dataclass(frozen=True, slots=True)
class Relation:
    """`head` and `tail` are types: disease, symptom, test, treatment, effect, factor, anatomy, any, ...

    `language` is that of the wording; `claim` what a fact says of its end `of`, and with which `polarity`.
    `between` is what stands on an arrow from head to tail, where the wording has more than that.
    """

    name: str
    head: str
    tail: str
    wording: str
    inverse: str | None = None
    language: str = "en"
    claim: ClaimType = "advice"
    of: Literal["head", "tail"] = "head"
    polarity: Polarity = "affirmed"
    between: str = ""

    @property
    def arrow(self) -> str:
        """Words that are read after the head and before the tail, as hedged as the wording."""
        return self.between or self.wording.removeprefix("{head}").removesuffix("{tails}").strip(" ,")

    def say(self, head: str, tails: Sequence[str]) -> str:
        """The statement in words, from head to tails, without a full stop."""
        comma, final = _LISTS[self.language]
        *first, last = tails
        return self.wording.format(head=head, tails=f"{comma.join(first)}{final}{last}" if first else last)


def read_facts(text: str) -> tuple[tuple[Fact, ...], tuple[RejectedFact, ...]]:
    """The facts of one file in its order, ends trimmed, and the lines that are none.

    A wrong header rejects the whole file, since its columns may mean anything.
    """
    facts: list[Fact] = []
    rejected: list[RejectedFact] = []
    header, *lines = text.removeprefix("\ufeff").splitlines() or [""]
    if tuple(header.split("\t")) != COLUMNS:
        return (), (RejectedFact(1, f"The header is not {' '.join(COLUMNS)}, tab separated."),)
    for number, line in enumerate(lines, start=2):
        cells = [" ".join(cell.split()) for cell in line.split("\t")]
        if len(cells) != len(COLUMNS):
            rejected.append(RejectedFact(number, f"It has {len(cells)} columns, not {len(COLUMNS)}."))
        elif empty := [name for name, cell in zip(COLUMNS, cells, strict=True) if cell.lower() in EMPTY]:
            rejected.append(RejectedFact(number, f"It has no {' and no '.join(empty)}."))
        else:
            facts.append(Fact(*cells))
    return tuple(facts), tuple(rejected)


@cache
def relations() -> dict[str, Relation]:
    """The known relations by name."""
    read = read_toml("lexicons/relations.toml")
    return {name: Relation(name=name, **fields) for name, fields in read.items()}


@cache
def starter_facts() -> tuple[Fact, ...]:
    """The facts of all files of the starter graph; `python -m bot.starter_graph` checks them."""
    names = list_names("starter/graph", ".tsv")
    return tuple(fact for name in names for fact in read_facts(read_text(name))[0])
