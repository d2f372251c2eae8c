"""What is drawn, apart from where and how."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MOST_ARROWS = 60  # more are counted and not drawn: a person follows no more; our choice


class State(StrEnum):
    """What became of a fact, in the order in which facts are drawn."""

    TOLD = "told"  # a sentence of the answer cites it
    REJECTED = "rejected"  # its claim lost against another one
    KEPT = "kept"  # its claim stands, and no sentence needed it
    FOUND = "found"  # on a path that a chain found, and no claim rests on it


@dataclass(frozen=True, slots=True)
class Node:
    """An entity by its name; `asked` where the question names it."""

    name: str
    asked: bool


@dataclass(frozen=True, slots=True)
class Arrow:
    """A fact from `head` to `tail` (names of nodes), never turned round.

    `label` is the relation; `said` the whole fact in words, with the reason where it was rejected; `numbers`
    are those of the citations, `chains` the ids of the chains that found it.
    """

    head: str
    label: str
    tail: str
    state: State
    said: str
    numbers: tuple[int, ...] = ()
    chains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChainLine:
    """One chain: its sub-question, and how it ended where it failed."""

    id: str
    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """`left_out` counts facts that were found and are not drawn."""

    question: str
    language: str
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    chains: tuple[ChainLine, ...]
    left_out: int = 0
