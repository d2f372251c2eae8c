"""The shortest paths between two entities: a search from both sides, in SQL, that stops at the first length
that has one (F22).

Both sides are expanded once, each entity a single time. One hop: a side holds the other end. Two hops: an
entity is in both sides. Three hops: facts join the sides. Four hops: both sides reach an entity. So what is
read grows with the facts about the near entities, never with the number of walks, and the statements
(`path_queries`) are written so that no wrong estimate of the planner makes one compare every entity with every
other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, product
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.graph.path_queries import BETWEEN_SIDES, FOUR_HOPS, UP_TO_TWO
from storage.corpus.graph.reading import Nodes, read_between, read_nodes
from storage.graph import FactPath, GraphFact, Outcome, Paths

MOST_HOPS = 4
_LOOK_UP = 4  # facts read in a row cost about as much as one looked up by both of its ends


@dataclass(frozen=True, slots=True)
class _Walk:
    """The inner entities of paths, and their rank; ends are added when the facts are read."""

    inner: tuple[int, ...]
    coverage: int = 0
    hubs: int = 0


class PathSearch:
    """One search; how far it got when time ran out is in `searched`."""

    def __init__(self, hops: int, limit: int | None, about: Collection[int]) -> None:
        if not 1 <= hops <= MOST_HOPS:
            raise ValueError(f"Paths have 1 to {MOST_HOPS} hops, not {hops}.")
        self._hops = hops
        self._limit = limit
        self._about = about
        self.searched = 0

    async def run(self, connection: AsyncConnection, sources: Sequence[int], targets: Sequence[int]) -> Paths:
        """See `Graph.paths`."""
        both = set(sources) & set(targets)
        a, b = sorted(set(sources) - both), sorted(set(targets) - both)
        query: dict[str, Any] = {"a": a, "b": b, "about": sorted(set(self._about) - {*sources, *targets})}
        query["most"] = None if self._limit is None else self._limit + 1
        near = (await connection.execute(UP_TO_TWO, query | {"both": sorted(both)})).all()
        if not sources or not targets or near[0].known < len({*sources, *targets}):
            return Paths(Outcome.UNKNOWN)
        if not a or not b:
            return Paths(Outcome.SAME)
        walks = await self._walk(connection, near, query)
        if not walks:
            return Paths(Outcome.NOTHING, searched=self._hops)
        paths = await _read_paths(connection, walks, a, b, query["most"])
        more = self._limit is not None and len(paths) > self._limit
        return Paths(Outcome.FOUND, paths[: self._limit], searched=paths[0].hops, more=more)

    async def _walk(
        self, connection: AsyncConnection, near: Sequence[Any], query: dict[str, Any]
    ) -> list[_Walk]:
        """The best walks of the smallest length that has any, at most one more than the limit."""
        self.searched = min(self._hops, 2)
        sizes = near[0]
        if sizes.direct:
            return [_Walk(())]
        if self._hops == 1:
            return []
        if found := [_Walk((row.x,), row.coverage, row.hubs) for row in near if row.x is not None]:
            return found
        if self._hops >= 3:
            statement = BETWEEN_SIDES[_way(sizes)]
            rows = (await connection.execute(statement, query)).all()
            self.searched = 3
            if rows:
                return [_Walk((row.x, row.y), row.coverage, row.hubs) for row in rows]
        if self._hops == MOST_HOPS:
            rows = (await connection.execute(FOUR_HOPS, query)).all()
            self.searched = MOST_HOPS
            return [_Walk((row.x, row.m, row.y), row.coverage, row.hubs) for row in rows]
        return []


def _way(sizes: Any) -> str:
    """What reads least: every pair of the sides, or the facts of one side's entities."""
    costs = {
        "pairs": _LOOK_UP * sizes.near_a * sizes.near_b,
        "from_a": sizes.facts_a,
        "from_b": sizes.facts_b,
    }
    return min(costs, key=lambda way: costs[way])


async def _read_paths(
    connection: AsyncConnection, walks: Sequence[_Walk], a: list[int], b: list[int], most: int | None
) -> tuple[FactPath, ...]:
    """Walks with their facts, from each end that they can begin and stop at."""
    pairs: set[tuple[int, int]] = set()
    for walk in walks:
        pairs |= set(pairwise(walk.inner))
        pairs |= set(product(a, walk.inner[:1] or b)) | set(product(walk.inner[-1:], b))
    nodes = await read_nodes(connection, {key for pair in pairs for key in pair})
    between = await read_between(connection, pairs, nodes)
    joined: dict[int, set[int]] = defaultdict(set)
    for first, second in map(tuple, between):
        joined[first].add(second)
        joined[second].add(first)
    paths = (
        _path(steps, walk, nodes, between) for walk in walks for steps in _with_ends(walk.inner, a, b, joined)
    )
    return tuple(islice(paths, most))


def _with_ends(
    inner: tuple[int, ...], a: list[int], b: list[int], joined: dict[int, set[int]]
) -> Iterator[tuple[int, ...]]:
    for start, end in product(a, b):
        if all(second in joined[first] for first, second in pairwise((start, *inner, end))):
            yield start, *inner, end


def _path(
    steps: tuple[int, ...], walk: _Walk, nodes: Nodes, between: dict[frozenset[int], list[GraphFact]]
) -> FactPath:
    hops = [between[frozenset(pair)] for pair in pairwise(steps)]
    return FactPath(
        tuple(nodes.entities[key] for key in steps),
        tuple(facts[0] for facts in hops),
        tuple(tuple(facts[1:]) for facts in hops),
        walk.coverage,
        walk.hubs,
    )
