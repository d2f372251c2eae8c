"""The shortest paths between two entities: a search from both sides that stops at the first length that has
one (F22).

Both sides are expanded once, each entity a single time. One hop: a side holds the other end. Two hops: an
entity is in both sides. Three hops: facts join the sides. Four hops: both sides reach an entity. So what is
read grows with the facts about the near entities, never with the number of walks. The searching is done by
`graph_paths_1.sql`; here walks become paths with their facts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, pairwise, product
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.graph.reading import Between, fetch, read_between, read_nodes
from storage.graph import FactPath, Outcome, Paths

MOST_HOPS = 4
_QUICK = 3  # hops that are searched in one go; a fourth costs more and may run out of time by itself
_SEARCH = """
SELECT * FROM graph_paths_1(
  %(a)s::int[], %(b)s::int[], %(about)s::int[], %(shortest)s, %(longest)s, %(most)s::int
)
"""


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
        if not sources or not targets:
            return Paths(Outcome.UNKNOWN)
        if not a or not b:
            return await _same(connection, sorted({*sources, *targets}))
        about = sorted(set(self._about) - {*sources, *targets})
        most = None if self._limit is None else self._limit + 1
        rows = await self._search(connection, {"a": a, "b": b, "about": about, "most": most})
        length = rows[0].length
        if length == 0:
            return Paths(Outcome.UNKNOWN)
        if length is None:
            return Paths(Outcome.NOTHING, searched=self._hops)
        paths = await _read_paths(connection, rows, a, b, most)
        more = self._limit is not None and len(paths) > self._limit
        return Paths(Outcome.FOUND, paths[: self._limit], searched=length, more=more)

    async def _search(self, connection: AsyncConnection, query: dict[str, Any]) -> Sequence[Any]:
        quick = query | {"shortest": 1, "longest": min(self._hops, _QUICK)}
        rows = await fetch(connection, _SEARCH, quick)
        if rows[0].length is None:
            self.searched = min(self._hops, _QUICK)
            if self._hops > _QUICK:
                last = query | {"shortest": self._hops, "longest": self._hops}
                rows = await fetch(connection, _SEARCH, last)
        return rows


async def _same(connection: AsyncConnection, ids: list[int]) -> Paths:
    known = (await read_nodes(connection, ids)).entities
    return Paths(Outcome.SAME if len(known) == len(ids) else Outcome.UNKNOWN)


async def _read_paths(
    connection: AsyncConnection, walks: Sequence[Any], a: list[int], b: list[int], most: int | None
) -> tuple[FactPath, ...]:
    """Walks with their facts, from each end that they can begin and stop at."""
    inner = [tuple(key for key in (walk.x, walk.m, walk.y) if key is not None) for walk in walks]
    pairs: set[tuple[int, int]] = set()
    for steps in inner:
        pairs.update(pairwise(steps))
        pairs.update(product(a, steps[:1] or b))
        pairs.update(product(steps[-1:], b))
    between = await read_between(connection, pairs)
    joined: dict[int, set[int]] = defaultdict(set)
    for first, second in map(tuple, between.facts):
        joined[first].add(second)
        joined[second].add(first)
    paths = (
        _path(steps, walk, between)
        for walk, middle in zip(walks, inner, strict=True)
        for steps in _with_ends(middle, a, b, joined)
    )
    return tuple(islice(paths, most))


def _with_ends(
    inner: tuple[int, ...], a: list[int], b: list[int], joined: dict[int, set[int]]
) -> Iterator[tuple[int, ...]]:
    for start, end in product(a, b):
        if all(second in joined[first] for first, second in pairwise((start, *inner, end))):
            yield start, *inner, end


def _path(steps: tuple[int, ...], walk: Any, between: Between) -> FactPath:
    hops = [between.facts[frozenset(pair)] for pair in pairwise(steps)]
    return FactPath(
        tuple(between.entities[key] for key in steps),
        tuple(facts[0] for facts in hops),
        tuple(tuple(facts[1:]) for facts in hops),
        walk.coverage,
        walk.hubs,
    )
