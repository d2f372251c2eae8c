"""How others find the first five ranked shortest paths of at most three hops: the same task, each by the
quickest way its library offers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

import igraph
import networkx
import psycopg
import rustworkx

HOPS, FIRST = 3, 5
Pair = tuple[int, int]
Edges = Sequence[Pair]  # places of entities
Found = list[tuple[int, ...]]
Way = Callable[[Pair], Awaitable[Found]]

# Every walk from the one end, of up to three hops, that comes by no entity twice.
_RECURSIVE = """
WITH RECURSIVE walk AS (
  SELECT ARRAY[%(start)s::int] AS steps, %(start)s::int AS here, 0 AS hops
  UNION ALL
  SELECT steps || next.there, next.there, hops + 1
  FROM walk JOIN LATERAL (
    SELECT tail_id AS there FROM facts WHERE head_id = walk.here
    UNION SELECT head_id FROM facts WHERE tail_id = walk.here
  ) next ON NOT next.there = ANY(steps)
  WHERE hops < %(hops)s AND walk.here <> %(end)s
), found AS (SELECT * FROM walk WHERE here = %(end)s)
SELECT steps FROM found WHERE hops = (SELECT min(hops) FROM found)
ORDER BY (SELECT sum(e.degree) FROM unnest(steps[2:hops]) inner_id JOIN entities e ON e.id = inner_id),
         (SELECT array_agg(e.name COLLATE "C" ORDER BY place)
          FROM unnest(steps) WITH ORDINALITY AS step(id, place) JOIN entities e ON e.id = step.id)
LIMIT %(first)s
"""


class Peers:
    """One graph in each library, with the names and degrees that rank its paths."""

    def __init__(self, names: Sequence[str], edges: Edges) -> None:
        self._names = names
        self._networkx: networkx.Graph[int] = networkx.Graph(edges)
        self._networkx.add_nodes_from(range(len(names)))
        self._degrees = [degree for _, degree in sorted(self._networkx.degree)]
        self._igraph = igraph.Graph(n=len(names), edges=list(edges)).simplify()
        self._rustworkx = rustworkx.PyGraph(multigraph=False)
        self._rustworkx.add_nodes_from(list(range(len(names))))
        self._rustworkx.add_edges_from_no_data(list(edges))

    def ways(self) -> Mapping[str, Way]:
        return {"networkx": self._by_networkx, "igraph": self._by_igraph, "rustworkx": self._by_rustworkx}

    def _rank(self, paths: Iterable[Sequence[int]]) -> Found:
        """Rarer hubs, then names; as the product does without a question."""

        def key(path: Sequence[int]) -> tuple[int, list[str]]:
            return sum(self._degrees[node] for node in path[1:-1]), [self._names[node] for node in path]

        short = (path for path in paths if len(path) <= HOPS + 1)
        return [tuple(path) for path in sorted(short, key=key)[:FIRST]]

    async def _by_networkx(self, pair: Pair) -> Found:
        """`predecessor` is the search that can be cut off; paths are read back from it."""
        start, end = pair
        before = networkx.predecessor(self._networkx, start, cutoff=HOPS)
        if end not in before:
            return []
        paths = [[end]]
        while paths[0][0] != start:
            paths = [[node, *path] for path in paths for node in before[path[0]]]
        return self._rank(paths)

    async def _by_igraph(self, pair: Pair) -> Found:
        start, end = pair
        if self._igraph.distances(start, end)[0][0] > HOPS:
            return []
        return self._rank(self._igraph.get_all_shortest_paths(start, end))

    async def _by_rustworkx(self, pair: Pair) -> Found:
        start, end = pair
        return self._rank(map(list, rustworkx.all_shortest_paths(self._rustworkx, start, end)))


def recursive_way(connection: psycopg.Connection[Any], ids: Sequence[int]) -> Way:
    """The naive statement; `ids` of the entities by place."""
    places = {key: place for place, key in enumerate(ids)}

    async def walk(pair: Pair) -> Found:
        query = {"start": ids[pair[0]], "end": ids[pair[1]], "hops": HOPS, "first": FIRST}
        rows = connection.execute(_RECURSIVE, query, prepare=True).fetchall()
        return [tuple(places[step] for step in steps) for (steps,) in rows]

    return walk


def scale_free(nodes: int, each: int, seed: int = 5) -> list[Pair]:
    """Barabási and Albert: each new entity joins `each` others, the well joined ones rather."""
    return list(networkx.barabasi_albert_graph(nodes, each, seed=seed).edges)
