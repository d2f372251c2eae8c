"""A graph into the database: one transaction replaces the whole of it, by binary COPY."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import PyFormat, Transformer
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.corpus.graph.naming import fold_entity, trigrams
from storage.corpus.graph.records import EntityRecord, FactRecord, GraphRecord
from storage.corpus.rows import copy_rows, driver_of
from storage.corpus.writing import begin_writing

Tick = Callable[[int, int], None]  # facts copied so far, and all
_EVERY = 10_000

_VERSION = "SELECT version FROM graphs WHERE name = :name"
_SET_ASIDE = "UPDATE graphs SET name = name || ' (replaced)' WHERE name = :name RETURNING id"
_INSERT = """
INSERT INTO graphs (name, version, language, source, licence)
VALUES (:name, :version, :language, :source, :licence) RETURNING id
"""
# Ids in one block: loads wait for each other, so nobody else draws from the sequence.
_BLOCK = """
WITH drawn AS (SELECT nextval(pg_get_serial_sequence(:table, 'id')) AS first)
SELECT first, setval(pg_get_serial_sequence(:table, 'id'), first + :count) FROM drawn
"""
_VECTORS = """
SELECT c.relname FROM encoders e JOIN pg_class c ON c.relname = e.manifest->>'table' || '_names'
WHERE c.relnamespace = 'public'::regnamespace
"""
# The same name has the same vector, in whichever graph it stood before.
_REUSE = """
INSERT INTO {table} (name_id, embedding)
SELECT DISTINCT ON (n.id) n.id, v.embedding FROM entity_names n JOIN entities e ON e.id = n.entity_id
JOIN entity_names o ON o.folded = n.folded AND o.name = n.name JOIN {table} v ON v.name_id = o.id
WHERE e.graph_id = :graph ORDER BY n.id
"""
_REMOVE_FACTS = "DELETE FROM facts USING entities e WHERE e.id = head_id AND e.graph_id = :graph"
_REMOVE = "DELETE FROM graphs WHERE id = :graph"


async def stored_version(connection: AsyncConnection, name: str) -> str | None:
    found: str | None = (await connection.execute(text(_VERSION), {"name": name})).scalar()
    return found


async def replace_graph(connection: AsyncConnection, record: GraphRecord, tick: Tick) -> bool:
    """Store the graph in place of one of its name; False where that is the same version already.

    Vectors of names that were stored before are taken over, those of other names are missing afterwards.
    """
    await begin_writing(connection)
    label, version = record.label, record.version
    if await stored_version(connection, label.name) == version:
        return False
    old = (await connection.execute(text(_SET_ASIDE), {"name": label.name})).scalar()
    values = {"name": label.name, "version": version, "language": label.language}
    values |= {"source": label.source, "licence": label.licence}
    graph: int = (await connection.execute(text(_INSERT), values)).scalar_one()
    await _copy(connection, record, graph, tick)
    for table in (await connection.execute(text(_VECTORS))).scalars().all():
        await connection.execute(text(_REUSE.format(table=table)), {"graph": graph})
    if old is not None:
        await _remove(connection, old)
    return True


async def remove_graph(connection: AsyncConnection, name: str) -> bool:
    """Whether there was one."""
    await begin_writing(connection)
    found = await connection.execute(text("SELECT id FROM graphs WHERE name = :name"), {"name": name})
    graph = found.scalar()
    if graph is not None:
        await _remove(connection, graph)
    return graph is not None


async def _remove(connection: AsyncConnection, graph: int) -> None:
    """Facts first, which the cascade does not reach; no fact joins two graphs."""
    await connection.execute(text(_REMOVE_FACTS), {"graph": graph})
    await connection.execute(text(_REMOVE), {"graph": graph})


async def _copy(connection: AsyncConnection, record: GraphRecord, graph: int, tick: Tick) -> None:
    driver = await driver_of(connection)
    first = await _draw_ids(connection, "entities", len(record.entities))
    array = _Arrays(driver)
    degrees = Counter(end for fact in record.facts for end in {fact.head, fact.tail})
    await copy_rows(
        driver,
        "entities (id, graph_id, code, name, kinds, degree)",
        ("int4", "int4", "text", "text", "bytea", "int4"),
        (
            (first + place, graph, entity.code, entity.name, array(entity.kinds), degrees[place])
            for place, entity in enumerate(record.entities)
        ),
    )
    await copy_rows(
        driver,
        "entity_names (entity_id, name, folded, role, grams)",
        ("int4", "text", "text", "text", "text[]"),
        (row for place, entity in enumerate(record.entities) for row in _names(first + place, entity)),
    )
    await copy_rows(
        driver,
        "facts (head_id, relation, tail_id, sources)",
        ("int4", "text", "int4", "bytea"),
        (
            (first + fact.head, fact.relation, first + fact.tail, array(fact.sources))
            for fact in _counted(record.facts, tick)
        ),
    )


class _Arrays:
    """Arrays of text in binary form. Most facts share theirs, and encoding one takes as long as the rest of a
    row; so each is encoded once, and handed to COPY as the bytes that it is."""

    def __init__(self, driver: psycopg.AsyncConnection[Any]) -> None:
        self._dumper = Transformer(driver).get_dumper([""], PyFormat.BINARY)
        self._known: dict[tuple[str, ...], Buffer | None] = {}

    def __call__(self, texts: tuple[str, ...]) -> Buffer | None:
        if texts not in self._known:
            self._known[texts] = self._dumper.dump(list(texts))
        return self._known[texts]


def _counted(facts: Sequence[FactRecord], tick: Tick) -> Iterator[FactRecord]:
    for place, fact in enumerate(facts, start=1):
        if place % _EVERY == 0 or place == len(facts):
            tick(place, len(facts))
        yield fact


async def _draw_ids(connection: AsyncConnection, table: str, count: int) -> int:
    """The first of `count` ids in a row."""
    return int((await connection.execute(text(_BLOCK), {"table": table, "count": count})).one().first)


def _names(entity_id: int, entity: EntityRecord) -> Iterator[tuple[Any, ...]]:
    """Its own name first; aliases that differ from it by more than case and signs."""
    seen: set[str] = set()
    for name, role in ((entity.name, "name"), *entity.aliases.items()):
        if (folded := fold_entity(name)) not in seen:
            seen.add(folded)
            yield entity_id, name, folded, role, trigrams(name)
