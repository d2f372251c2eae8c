"""Entities, facts and counts by id, and how their rows become dataclasses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from psycopg.rows import namedtuple_row
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.graph_tables import names_table
from storage.corpus.rows import driver_of
from storage.encoders import EncoderManifest
from storage.facts import relations
from storage.graph import Entity, GraphFact, GraphSummary

_ENTITIES = """
SELECT e.id, e.name, e.kinds, e.degree, g.name AS graph, g.version
FROM entities e JOIN graphs g ON g.id = e.graph_id
WHERE e.id = ANY(:ids)
"""
_ALIASES = """
SELECT entity_id, name FROM entity_names WHERE entity_id = ANY(:ids) AND role <> 'name' ORDER BY id
"""
_BETWEEN = """
SELECT f.id, f.head_id, f.relation, f.tail_id, f.sources, h.name AS head, h.kinds AS head_kinds,
       h.degree AS head_degree, t.name AS tail, t.kinds AS tail_kinds, t.degree AS tail_degree,
       g.name AS graph, g.version
FROM unnest(%(heads)s::int[], %(tails)s::int[]) AS pair(head, tail)
JOIN facts f ON f.head_id = pair.head AND f.tail_id = pair.tail
JOIN entities h ON h.id = f.head_id JOIN entities t ON t.id = f.tail_id JOIN graphs g ON g.id = h.graph_id
"""
_COUNTS = """
SELECT g.name, g.version, g.language, g.source, g.licence,
  (SELECT count(*) FROM entities e WHERE e.graph_id = g.id) AS entities,
  (SELECT count(*) FROM entities e JOIN entity_names n ON n.entity_id = e.id
   WHERE e.graph_id = g.id) AS names,
  (SELECT count(*) FROM entities e JOIN facts f ON f.head_id = e.id WHERE e.graph_id = g.id) AS facts,
  (SELECT count(*) FROM entities e JOIN entity_names n ON n.entity_id = e.id
   JOIN {vectors} v ON v.name_id = n.id WHERE e.graph_id = g.id) AS embedded
FROM graphs g ORDER BY g.name
"""


@dataclass(frozen=True, slots=True)
class Nodes:
    """Entities by id, without aliases, and the versions of their graphs."""

    entities: dict[int, Entity]
    versions: dict[str, str]

    def fact(self, row: Any) -> GraphFact:
        """From a row with the columns of `facts`, both of whose ends are here."""
        head, tail = self.entities[row.head_id], self.entities[row.tail_id]
        return GraphFact(row.id, head, row.relation, tail, tuple(row.sources), self.versions[head.graph])


async def read_nodes(connection: AsyncConnection, ids: Collection[int]) -> Nodes:
    """Ids that no graph has are left out."""
    rows = (await connection.execute(text(_ENTITIES), {"ids": sorted(ids)})).all()
    entities = {row.id: Entity(row.id, row.name, tuple(row.kinds), row.graph, row.degree) for row in rows}
    return Nodes(entities, {row.graph: row.version for row in rows})


async def fetch(connection: AsyncConnection, query: str, params: Mapping[str, Any]) -> list[Any]:
    """Rows by the driver itself, for look-ups that take less than SQLAlchemy's part in them."""
    driver = await driver_of(connection)
    async with driver.cursor(row_factory=namedtuple_row) as cursor:
        await cursor.execute(query, params)
        return await cursor.fetchall()


async def read_aliases(connection: AsyncConnection, ids: Collection[int]) -> dict[int, tuple[str, ...]]:
    found: dict[int, list[str]] = defaultdict(list)
    for row in (await connection.execute(text(_ALIASES), {"ids": sorted(ids)})).all():
        found[row.entity_id].append(row.name)
    return {key: tuple(names) for key, names in found.items()}


@dataclass(frozen=True, slots=True)
class Between:
    """Facts by the pair that they join, those with a wording first, then by relation and direction."""

    facts: dict[frozenset[int], list[GraphFact]]
    entities: dict[int, Entity]


async def read_between(connection: AsyncConnection, pairs: Collection[tuple[int, int]]) -> Between:
    """All facts that join each pair, whichever their direction."""
    turned = sorted({*pairs, *((second, first) for first, second in pairs)})
    query = {"heads": [head for head, _ in turned], "tails": [tail for _, tail in turned]}
    between = Between(defaultdict(list), {})
    for row in await fetch(connection, _BETWEEN, query):
        for key, name, kinds, degree in (
            (row.head_id, row.head, row.head_kinds, row.head_degree),
            (row.tail_id, row.tail, row.tail_kinds, row.tail_degree),
        ):
            between.entities.setdefault(key, Entity(key, name, tuple(kinds), row.graph, degree))
        head, tail = between.entities[row.head_id], between.entities[row.tail_id]
        fact = GraphFact(row.id, head, row.relation, tail, tuple(row.sources), row.version)
        between.facts[frozenset((head.id, tail.id))].append(fact)
    for facts in between.facts.values():
        facts.sort(key=_worded_first)
    return between


def _worded_first(fact: GraphFact) -> tuple[bool, str, str, int]:
    return fact.relation not in relations(), fact.relation, fact.head.name, fact.id


async def read_counts(connection: AsyncConnection, manifest: EncoderManifest) -> list[GraphSummary]:
    query = _COUNTS.format(vectors=names_table(manifest))
    return [GraphSummary(**row._mapping) for row in (await connection.execute(text(query))).all()]
