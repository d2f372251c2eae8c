"""What ties a stretch of a question to an entity of a graph, and what was nearly chosen (methods.md 2.8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from storage.graph import Entity

By = Literal["alias", "lexical", "embedding"]


@dataclass(frozen=True, slots=True)
class RunnerUp:
    """An entity that was not chosen, by the name that came near; `score` from 0 to 1."""

    entity: Entity
    name: str
    score: float


@dataclass(frozen=True, slots=True)
class Link:
    """A mention: `text` is [start, end) of what was asked.

    `entity` is None where nothing came near enough, or two came equally near (case F22). `margin` is the lead
    of `score` over the best entity of another meaning. `twins` are the same entity in other graphs.
    """

    text: str
    start: int
    end: int
    entity: Entity | None
    score: float
    margin: float
    by: By
    runners_up: tuple[RunnerUp, ...] = ()
    twins: tuple[Entity, ...] = ()

    @property
    def ids(self) -> tuple[int, ...]:
        """Of the entity in all its graphs; empty where unlinked."""
        return (self.entity.id, *(twin.id for twin in self.twins)) if self.entity else ()


class Linker(Protocol):
    """Ties the mentions of a text to entities of the graphs."""

    async def link(self, text: str, language: str) -> tuple[Link, ...]:
        """Mentions in the order of the text, unlinked ones too; `language` is ISO 639-1."""
        ...
