"""What a method may ask of the knowledge graphs (methods.md 2.4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from storage.documents import Article
from storage.graph import Neighbourhood, Paths, Weight


class GraphSearch(Protocol):
    """Look-ups, bounded in hops, facts a relation and time. Each raises StorageError."""

    async def anchor(
        self, entities: Sequence[int], limit: int, *, about: Collection[int] = (), question: str = ""
    ) -> Neighbourhood:
        """The facts of an entity, given by its ids in all graphs, at most `limit` of each relation.

        Ranked by how many of the entities `about` they touch, and with a `question` by likeness to it too:
        that of a disease's own signs, and of other names.
        """
        ...

    async def bridge(
        self,
        sources: Sequence[int],
        targets: Sequence[int],
        *,
        hops: int,
        limit: int,
        about: Collection[int] = (),
    ) -> Paths:
        """The first ranked paths between two entities, each given by its ids in all graphs."""
        ...

    async def weigh(
        self, entities: Collection[int], *, about: Collection[int] = (), question: str = ""
    ) -> Mapping[int, Weight]:
        """What ties each entity to those of the question, and to its words; an entity may be left out."""
        ...

    async def read_sources(self, sources: Collection[str]) -> Mapping[str, Article]:
        """Those sources of facts that are articles of the corpus, by id."""
        ...
