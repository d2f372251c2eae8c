"""What is one hop away from an entity, a fixed few of each relation (F22)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.graph.reading import read_nodes
from storage.facts import relations
from storage.graph import Entity, GraphFact, Neighbourhood, Neighbours, Outcome

# How many of the question's entities each entity is, or is joined to.
TOUCHED = """
touched AS MATERIALIZED (
  SELECT id, count(*) AS touch FROM (
    SELECT tail_id AS id, head_id AS about FROM facts WHERE head_id = ANY(CAST(:about AS int[]))
    UNION SELECT head_id, tail_id FROM facts WHERE tail_id = ANY(CAST(:about AS int[]))
    UNION SELECT a, a FROM unnest(CAST(:about AS int[])) a
  ) joined GROUP BY id
)
"""
# A relation that is its own inverse is one group, from whichever end it is read.
_NEIGHBOURS = f"""
WITH {TOUCHED}
SELECT * FROM (
  SELECT near.*, e.name, row_number() OVER ranked AS place,
         count(*) OVER (PARTITION BY near.start, near.relation, near.forward) AS total
  FROM (
    SELECT head_id AS start, tail_id AS there, true AS forward, id, head_id, relation, tail_id, sources
    FROM facts WHERE head_id = ANY(CAST(:ids AS int[]))
    UNION ALL
    SELECT tail_id, head_id, relation = ANY(CAST(:symmetric AS text[])), id, head_id, relation, tail_id,
           sources
    FROM facts WHERE tail_id = ANY(CAST(:ids AS int[]))
  ) near
  JOIN entities e ON e.id = near.there LEFT JOIN touched t ON t.id = near.there
  WINDOW ranked AS (
    PARTITION BY near.start, near.relation, near.forward
    ORDER BY coalesce(t.touch, 0) DESC, e.degree, e.name COLLATE "C", near.id
  )
) placed WHERE place <= coalesce(CAST(:most AS int), place)
ORDER BY start, relation, forward DESC, place
"""


async def find_neighbours(
    connection: AsyncConnection, ids: Sequence[int], per_relation: int | None, about: Collection[int]
) -> Neighbourhood:
    """See `Graph.neighbours`; the deadline is kept by the caller."""
    asked = (await read_nodes(connection, ids)).entities
    if not ids or len(asked) < len(set(ids)):
        return Neighbourhood(Outcome.UNKNOWN)
    symmetric = [relation.name for relation in relations().values() if relation.inverse == relation.name]
    query = {"ids": sorted(set(ids)), "about": sorted(set(about) - set(ids)), "most": per_relation}
    rows = (await connection.execute(text(_NEIGHBOURS), query | {"symmetric": symmetric})).all()
    nodes = await read_nodes(connection, {end for row in rows for end in (row.head_id, row.tail_id)})
    groups = []
    for (start, relation, forward), members in groupby(rows, lambda r: (r.start, r.relation, r.forward)):
        kept = list(members)
        facts = tuple(nodes.fact(row) for row in kept)
        groups.append(_group(asked[start], relation, forward, facts, kept[0].total))
    places = {key: place for place, key in enumerate(ids)}
    groups.sort(key=lambda group: (places[group.entity.id], group.relation, not group.forward))
    return Neighbourhood(Outcome.FOUND if groups else Outcome.NOTHING, tuple(groups))


def _group(
    entity: Entity, relation: str, forward: bool, facts: tuple[GraphFact, ...], total: int
) -> Neighbours:
    """Named as it is read from the entity, where the relation has an inverse."""
    if not forward:
        reading = facts[0].read_from(entity.id)
        return Neighbours(entity, reading.relation, reading.head.id == entity.id, facts, total)
    return Neighbours(entity, relation, True, facts, total)
