"""The graphs as the reasoning sees them: one object, frozen dataclasses in and out, SQL inside."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy.ext.asyncio import AsyncEngine

from storage.corpus.dense import QueryVector
from storage.encoders import EncoderManifest
from storage.graph import Entity, GraphSummary, NameMatch, Neighbourhood, Paths

DEADLINE = 2.0  # seconds a look-up may take (F22)


class Graph:
    """All stored graphs, or those named in `only`, seen through the vectors of one encoder."""

    def __init__(
        self, engine: AsyncEngine, manifest: EncoderManifest, only: Collection[str] | None = None
    ) -> None:
        self._engine = engine
        self._reading = engine.execution_options(isolation_level="AUTOCOMMIT")
        self.manifest = manifest
        self.only = None if only is None else frozenset(only)

    def restricted(self, only: Collection[str]) -> Graph:
        """The same, over these graphs alone (for instance those of one language)."""
        return Graph(self._engine, self.manifest, only)

    async def find_names(self, names: Collection[str]) -> dict[str, list[NameMatch]]:
        """Entities whose name or alias equals each of `names` (case, `_`, blanks and punctuation aside), those
        by their own name first, then those with more facts; names that nothing has are left out."""
        raise NotImplementedError

    async def search_names(self, text: str, limit: int = 10) -> list[NameMatch]:
        """Names that are spelled most alike, best first, one a entity: letter trigrams of words, so that typos
        and other word orders are found; for Chinese, pairs of characters."""
        raise NotImplementedError

    async def nearest(self, vector: QueryVector | None, limit: int = 10) -> list[NameMatch]:
        """Names nearest to this vector of the encoder (`manifest`), best first, one a entity. Raises
        EncoderMismatch."""
        raise NotImplementedError

    async def read_entities(self, ids: Collection[int]) -> dict[int, Entity]:
        """With aliases; ids that no graph has are left out."""
        raise NotImplementedError

    async def neighbours(
        self,
        entities: Sequence[int],
        per_relation: int | None = 10,
        *,
        about: Collection[int] = (),
        deadline: float = DEADLINE,
    ) -> Neighbourhood:
        """The facts of each entity, at most `per_relation` of each relation and direction (None: all).

        `about` are the question's entities, which rank the facts. Outcomes: FOUND, NOTHING (it has no fact),
        UNKNOWN (one of the ids is of no graph, or none was given), TIME_OUT after `deadline` seconds.
        """
        raise NotImplementedError

    async def paths(
        self,
        sources: Sequence[int],
        targets: Sequence[int],
        hops: int = 4,
        limit: int | None = 5,
        *,
        about: Collection[int] = (),
        deadline: float = DEADLINE,
    ) -> Paths:
        """The first `limit` shortest paths (None: all) of at most `hops` (1 to 4) facts from one of `sources` to
        one of `targets`, walked against their direction too; no entity twice.

        Several ids on a side are one entity as several graphs have it; a path stays within one graph.
        Outcomes: FOUND, NOTHING (no path within `hops`), UNKNOWN, SAME, TIME_OUT.
        """
        raise NotImplementedError

    async def counts(self) -> list[GraphSummary]:
        """What is stored, by name of the graph."""
        raise NotImplementedError
