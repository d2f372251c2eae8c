"""The shortest paths between two entities: a search from both sides, in SQL, that stops at the first length
that has one (F22).

Both sides are expanded once, each entity a single time. Paths of one hop are ends that meet a side, of two
hops entities in both sides, of three hops facts between the sides, of four hops entities that both sides
reach. So what is read grows with the facts about the near entities and never with the number of walks.

The rank is a sum over the inner entities, so that of four hops only the best halves of each middle are
joined: no cut half belongs to a kept path.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.graph.neighbours import TOUCHED
from storage.corpus.graph.reading import Nodes, read_between, read_nodes
from storage.graph import FactPath, Outcome, Paths

MOST_HOPS = 4

# One side: the entities next to one of its ends, with what they add to the rank.
_SIDE = """
{side} AS MATERIALIZED (
  SELECT near.origin, near.id, e.degree, e.name, coalesce(t.touch, 0) AS touch
  FROM (
    SELECT head_id AS origin, tail_id AS id FROM facts WHERE head_id = ANY(CAST(:{side} AS int[]))
    UNION SELECT tail_id, head_id FROM facts WHERE tail_id = ANY(CAST(:{side} AS int[]))
  ) near JOIN entities e ON e.id = near.id LEFT JOIN touched t ON t.id = near.id
)
"""
_SIDES = f"WITH {TOUCHED}, {_SIDE.format(side='a')}, {_SIDE.format(side='b')}"
_ORDER = "ORDER BY coverage DESC, hubs, {names}, x, y, a, b LIMIT :most"
# From the side with fewer facts to the other one; a stage is skipped where an earlier one found something.
_UP_TO_THREE = f"""
{_SIDES},
one AS MATERIALIZED (
  SELECT origin AS a, id AS b FROM a WHERE id = ANY(CAST(:b AS int[]))
),
two AS MATERIALIZED (
  SELECT a.origin AS a, a.id AS x, b.origin AS b, a.touch, a.degree, a.name FROM a JOIN b USING (id)
  WHERE :hops >= 2 AND NOT EXISTS (SELECT FROM one)
),
joined AS MATERIALIZED (
  SELECT a.id AS x, f.tail_id AS y FROM (SELECT DISTINCT id FROM a) a JOIN facts f ON f.head_id = a.id
  WHERE f.tail_id IN (SELECT id FROM b)
    AND :hops >= 3 AND NOT EXISTS (SELECT FROM one) AND NOT EXISTS (SELECT FROM two)
  UNION
  SELECT a.id, f.head_id FROM (SELECT DISTINCT id FROM a) a JOIN facts f ON f.tail_id = a.id
  WHERE f.head_id IN (SELECT id FROM b)
    AND :hops >= 3 AND NOT EXISTS (SELECT FROM one) AND NOT EXISTS (SELECT FROM two)
)
SELECT * FROM (
SELECT a, NULL::int AS x, NULL::int AS y, b, 0 AS coverage, 0 AS hubs, '' AS name_a, '' AS name_b FROM one
UNION ALL
SELECT a, x, NULL, b, touch, degree, name, '' FROM two
UNION ALL
SELECT a.origin, a.id, b.id, b.origin, a.touch + b.touch, a.degree + b.degree, a.name, b.name
FROM joined JOIN a ON a.id = joined.x JOIN b ON b.id = joined.y
) found
{_ORDER}
"""
_HALF = """
{side}_half AS MATERIALIZED (
  SELECT {side}.origin, {side}.id, f.tail_id AS m FROM {side} JOIN facts f ON f.head_id = {side}.id
  UNION SELECT {side}.origin, {side}.id, f.head_id FROM {side} JOIN facts f ON f.tail_id = {side}.id
)
"""
_BEST = """
{side}_best AS MATERIALIZED (
  SELECT * FROM (
    SELECT half.origin, half.id, half.m, {side}.touch, {side}.degree, {side}.name,
           row_number() OVER (
             PARTITION BY half.m
             ORDER BY {side}.touch DESC, {side}.degree, {side}.name COLLATE "C", half.id, half.origin
           ) AS place
    FROM {side}_half half JOIN middle ON middle.id = half.m
    JOIN {side} ON {side}.origin = half.origin AND {side}.id = half.id
  ) ranked WHERE place <= coalesce(CAST(:most AS int), place)
)
"""
_FOUR = f"""
{_SIDES}, {_HALF.format(side="a")}, {_HALF.format(side="b")},
middle AS MATERIALIZED (
  SELECT e.id, e.degree, e.name, coalesce(t.touch, 0) AS touch
  FROM (SELECT m FROM a_half INTERSECT SELECT m FROM b_half) met
  JOIN entities e ON e.id = met.m LEFT JOIN touched t ON t.id = met.m
),
{_BEST.format(side="a")}, {_BEST.format(side="b")}
SELECT * FROM (
SELECT a.origin AS a, a.id AS x, middle.id AS m, b.id AS y, b.origin AS b,
       a.touch + middle.touch + b.touch AS coverage, a.degree + middle.degree + b.degree AS hubs,
       a.name AS name_a, middle.name AS name_m, b.name AS name_b
FROM middle JOIN a_best a ON a.m = middle.id JOIN b_best b ON b.m = middle.id
) found
{_ORDER}
"""


def _named(statement: str, middle: str = "") -> dict[bool, Any]:
    """By whether the sides are swapped: ties go by the names from the asked source on."""
    names = {False: ("name_a", middle, "name_b"), True: ("name_b", middle, "name_a")}
    return {
        swapped: text(statement.format(names=", ".join(f'{name} COLLATE "C"' for name in order if name)))
        for swapped, order in names.items()
    }


_STATEMENTS = {3: _named(_UP_TO_THREE), 4: _named(_FOUR, "name_m")}


class PathSearch:
    """One search; what it knows when time runs out is in `searched`."""

    def __init__(self, hops: int, limit: int | None, about: Collection[int]) -> None:
        if not 1 <= hops <= MOST_HOPS:
            raise ValueError(f"Paths have 1 to {MOST_HOPS} hops, not {hops}.")
        self._hops = hops
        self._limit = limit
        self._about = about
        self.searched = 0

    async def run(self, connection: AsyncConnection, sources: Sequence[int], targets: Sequence[int]) -> Paths:
        """See `Graph.paths`."""
        ends = await read_nodes(connection, {*sources, *targets})
        if not sources or not targets or len(ends.entities) < len({*sources, *targets}):
            return Paths(Outcome.UNKNOWN)
        both = set(sources) & set(targets)
        a, b = sorted(set(sources) - both), sorted(set(targets) - both)
        if not a or not b:
            return Paths(Outcome.SAME)
        swapped = _degree(ends, a) > _degree(ends, b)
        sides = {"a": b, "b": a} if swapped else {"a": a, "b": b}
        rows = await self._find(connection, sides, swapped)
        if not rows:
            return Paths(Outcome.NOTHING, searched=self._hops)
        more = self._limit is not None and len(rows) > self._limit
        paths = await _read_paths(connection, rows[: self._limit], swapped)
        return Paths(Outcome.FOUND, paths, searched=paths[0].hops, more=more)

    async def _find(
        self, connection: AsyncConnection, sides: dict[str, list[int]], swapped: bool
    ) -> Sequence[Any]:
        most = None if self._limit is None else self._limit + 1
        about = sorted(set(self._about) - {*sides["a"], *sides["b"]})
        query = {**sides, "about": about, "most": most}
        near = query | {"hops": min(self._hops, 3)}
        rows = (await connection.execute(_STATEMENTS[3][swapped], near)).all()
        self.searched = min(self._hops, 3)
        if not rows and self._hops > 3:
            rows = (await connection.execute(_STATEMENTS[4][swapped], query)).all()
        return rows


def _degree(nodes: Nodes, ids: Sequence[int]) -> int:
    return sum(nodes.entities[key].degree for key in ids)


async def _read_paths(
    connection: AsyncConnection, rows: Sequence[Any], swapped: bool
) -> tuple[FactPath, ...]:
    walks = [
        [key for key in (row.a, row.x, getattr(row, "m", None), row.y, row.b) if key is not None]
        for row in rows
    ]
    nodes = await read_nodes(connection, {key for walk in walks for key in walk})
    pairs = {(first, second) for walk in walks for first, second in pairwise(walk)}
    between = await read_between(connection, pairs, nodes)
    paths = []
    for row, walk in zip(rows, walks, strict=True):
        steps = walk[::-1] if swapped else walk
        hops = [between[frozenset(pair)] for pair in pairwise(steps)]
        paths.append(
            FactPath(
                tuple(nodes.entities[key] for key in steps),
                tuple(facts[0] for facts in hops),
                tuple(tuple(facts[1:]) for facts in hops),
                int(row.coverage),
                int(row.hubs),
            )
        )
    return tuple(paths)
