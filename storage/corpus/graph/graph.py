"""The graphs as the reasoning sees them: one object, frozen dataclasses in and out, SQL inside."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from storage.corpus.dense import QueryVector
from storage.corpus.graph import names as naming
from storage.corpus.graph import reading, vectors, writing
from storage.corpus.graph.neighbours import find_neighbours
from storage.corpus.graph.paths import PathSearch
from storage.corpus.graph.records import GraphRecord
from storage.corpus.graph.weighing import weigh
from storage.database import connect
from storage.encoders import EncoderManifest
from storage.errors import QueryTooSlow
from storage.graph import Entity, GraphSummary, NameMatch, Neighbourhood, Outcome, Paths, Weight

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
        """Entities whose name or alias equals each of `names`; names that nothing has are left out.

        Case, accents, `_`, punctuation and a possessive s do not count. Those by their own name come first,
        then those with more facts.
        """
        async with connect(self._reading) as connection:
            return await naming.find_names(connection, names, self.only)

    async def search_names(self, text: str, limit: int = 10) -> list[NameMatch]:
        """Names that are spelled most alike, best first, one an entity, from a score of 0.3 on.

        By letter trigrams of words, so that typos and other word orders are found; by pairs of characters in
        Chinese.
        """
        return (await self.search_all([text], limit))[0]

    async def search_all(self, texts: Sequence[str], limit: int = 10) -> list[list[NameMatch]]:
        """`search_names` for several texts in one statement, a list for each."""
        async with connect(self._reading) as connection:
            return await naming.search_names(connection, texts, limit, self.only)

    async def nearest(self, vector: QueryVector | None, limit: int = 10) -> list[NameMatch]:
        """Names nearest to a vector that this encoder's `encode_query` made, best first, one an entity.

        No vector, no names. Raises EncoderMismatch.
        """
        return (await self.nearest_all([vector], limit))[0]

    async def nearest_all(
        self, vectors: Sequence[QueryVector | None], limit: int = 10
    ) -> list[list[NameMatch]]:
        """`nearest` for several vectors in one statement, a list for each. Raises EncoderMismatch."""
        async with connect(self._reading) as connection:
            return await naming.nearest_names(connection, self.manifest, vectors, limit, self.only)

    async def read_entities(self, ids: Collection[int]) -> dict[int, Entity]:
        """With aliases; ids that no graph has are left out."""
        async with connect(self._reading) as connection:
            found = (await reading.read_nodes(connection, ids)).entities
            aliases = await reading.read_aliases(connection, ids)
        return {key: replace(entity, aliases=aliases.get(key, ())) for key, entity in found.items()}

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
        try:
            async with asyncio.timeout(deadline), connect(self._reading) as connection:
                return await find_neighbours(connection, entities, per_relation, about)
        except (TimeoutError, QueryTooSlow):
            return Neighbourhood(Outcome.TIME_OUT)

    async def weigh(
        self,
        entities: Collection[int],
        *,
        about: Collection[int] = (),
        vector: QueryVector | None = None,
        deadline: float = DEADLINE,
    ) -> dict[int, Weight]:
        """What ties each entity to the question's entities `about`, and to its vector by `encode_query`.

        All of them are answered for; empty after `deadline` seconds. Raises EncoderMismatch.
        """
        try:
            async with asyncio.timeout(deadline), connect(self._reading) as connection:
                return await weigh(connection, self.manifest, entities, about, vector)
        except (TimeoutError, QueryTooSlow):
            return {}

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
        """The first `limit` shortest paths (None: all) of at most `hops` facts (1 to 4) from one of `sources`
        to one of `targets`, walked against their direction too; no entity twice.

        Several ids on a side are one entity as several graphs have it; a path stays within one graph.
        Outcomes: FOUND, NOTHING (no path within `hops`), UNKNOWN, SAME, TIME_OUT.
        """
        search = PathSearch(hops, limit, about)
        try:
            async with asyncio.timeout(deadline), connect(self._reading) as connection:
                return await search.run(connection, sources, targets)
        except (TimeoutError, QueryTooSlow):
            return Paths(Outcome.TIME_OUT, searched=search.searched)

    async def counts(self) -> list[GraphSummary]:
        """What is stored, by name of the graph."""
        async with connect(self._reading) as connection:
            return await reading.read_counts(connection, self.manifest)

    async def version(self, name: str) -> str | None:
        """Of a stored graph."""
        async with connect(self._reading) as connection:
            return await writing.stored_version(connection, name)

    async def replace(self, record: GraphRecord, tick: writing.Tick = lambda done, of: None) -> bool:
        """Store a graph in place of one of its name; False where that is the same version already."""
        async with connect(self._engine) as connection:
            stored = await writing.replace_graph(connection, record, tick)
        if stored:
            async with connect(self._reading) as connection:
                await connection.execute(text("VACUUM (ANALYZE) entities, entity_names, facts"))
        return stored

    async def remove(self, name: str) -> bool:
        """Whether there was a graph of this name."""
        async with connect(self._engine) as connection:
            return await writing.remove_graph(connection, name)

    async def count_missing(self) -> int:
        """Names without a vector of this encoder."""
        async with connect(self._engine) as connection:
            await vectors.prepare_vectors(connection, self.manifest)
            return await vectors.count_missing(connection, self.manifest, self._listed())

    async def missing_names(self, after: int, limit: int) -> list[tuple[int, str]]:
        """Ids and names without a vector, by id, beyond `after`."""
        async with connect(self._reading) as connection:
            return await vectors.missing_names(connection, self.manifest, self._listed(), after, limit)

    async def store_vectors(self, ids: Sequence[int], rows: NDArray[Any]) -> int:
        """One vector a name; returns how many could be stored. Raises EncoderMismatch."""
        async with connect(self._engine) as connection:
            return await vectors.store_name_vectors(connection, self.manifest, ids, rows)

    def _listed(self) -> list[str] | None:
        return None if self.only is None else sorted(self.only)
