"""Paths and imports of graphs beside their peers (P8): the same five paths from all, or the bench stops."""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median

import psycopg
from sqlalchemy import make_url

from reasoning.retrieval.graphs import read_graph
from storage.corpus.graph import EntityRecord, FactRecord, Graph, GraphLabel, GraphRecord
from storage.corpus.graph.naming import fold_entity, trigrams
from storage.corpus.graph.writing import replace_graph
from storage.database import connect, create_engine
from storage.encoders import MINILM
from storage.schema import upgrade
from tests.bench.graph_peers import FIRST, HOPS, Found, Pair, Peers, Way, recursive_way, scale_free
from tests.bench.report import Aim, Row
from tests.bench.timing import Processors, Taken, take_turns

NODES, EACH = 50_000, 8  # about 400,000 facts
ROWS = 60_000  # facts of the import that is compared
_DATABASE = "carecite_bench_graph"
_P95 = Aim("<=", 1.0)
_CTE = Aim(">=", 10.0)


async def measure_graph(url: str, data: Path, repeats: int, pairs: int) -> list[Row]:
    """Where the paper's graph is not at hand, the generated one alone is measured."""
    rows: list[Row] = []
    async with _fresh(url) as (graph, database):
        triples = data / "kg" / "chatdoctor_triples.tsv"
        if triples.is_file():
            record = read_graph(triples, "tsv", GraphLabel("emckg")).finish()
            rows += await _measure_paths("EMCKG", record, graph, database, repeats, pairs)
        record = _generated(NODES, EACH)
        rows += await _measure_paths("scale-free", record, graph, database, repeats, min(pairs, 60))
        rows.append(await _measure_import(graph, database, repeats))
    return rows


@asynccontextmanager
async def _fresh(url: str) -> AsyncIterator[tuple[Graph, str]]:
    """A database of its own on the same server."""
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {_DATABASE} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {_DATABASE}")
        database = make_url(url).set(database=_DATABASE).render_as_string(hide_password=False)
        upgrade(database, "corpus")
        engine = create_engine(database)
        try:
            yield Graph(engine, MINILM), database
        finally:
            await engine.dispose()
            admin.execute(f"DROP DATABASE {_DATABASE} WITH (FORCE)")


def _generated(nodes: int, each: int) -> GraphRecord:
    edges = scale_free(nodes, each)
    entities = [EntityRecord(f"N{place}", f"entity {place}") for place in range(nodes)]
    facts = [FactRecord(head, "r", tail, ("generated",)) for head, tail in edges]
    return GraphRecord(GraphLabel("scale-free"), entities, facts)


async def _measure_paths(
    name: str, record: GraphRecord, graph: Graph, database: str, repeats: int, count: int
) -> list[Row]:
    await graph.replace(record)
    names = [entity.name for entity in record.entities]
    peers = Peers(names, [(fact.head, fact.tail) for fact in record.facts])
    only = graph.restricted([record.label.name])
    with psycopg.connect(database, autocommit=True) as connection:
        ids = _ids(connection, record)
        ours = _our_way(only, ids)
        ways = {"ours": ours, "naive recursive CTE": recursive_way(connection, ids), **peers.ways()}
        asked = _pairs(len(names), count)
        await _compare(ways, asked)
        taken = await take_turns(ways, asked, repeats, Processors(database))
    title = f"{name}, {len(names):,} entities, {len(record.facts):,} facts: first {FIRST} of <= {HOPS} hops"
    small = name == "EMCKG"
    rows = [Row("graph", f"{title}, p95", taken["ours"].p95, "ms", _P95 if small else None, taken["ours"])]
    for peer in ways:
        if peer != "ours":
            aim = _CTE if peer == "naive recursive CTE" and not small else None
            ratio = taken[peer].p50 / taken["ours"].p50
            details = {"cpu_ratio": round(taken[peer].cpu / max(taken["ours"].cpu, 1e-6), 2), "pairs": count}
            rows.append(Row("graph", title, ratio, "x", aim, taken["ours"], taken[peer], peer, details))
    return rows


def _ids(connection: psycopg.Connection, record: GraphRecord) -> list[int]:
    query = "SELECT e.code, e.id FROM entities e JOIN graphs g ON g.id = e.graph_id WHERE g.name = %s"
    found = dict(connection.execute(query, (record.label.name,)).fetchall())
    return [found[entity.code] for entity in record.entities]


def _our_way(graph: Graph, ids: Sequence[int]) -> Way:
    places = {key: place for place, key in enumerate(ids)}

    async def find(pair: Pair) -> Found:
        found = await graph.paths([ids[pair[0]]], [ids[pair[1]]], HOPS, FIRST, deadline=60)
        return [tuple(places[entity.id] for entity in path.entities) for path in found.paths]

    return find


def _pairs(nodes: int, count: int) -> list[Pair]:
    chosen = random.Random(8)
    return [tuple(chosen.sample(range(nodes), 2)) for _ in range(count)]  # type: ignore[misc]


async def _compare(ways: dict[str, Way], asked: Sequence[Pair]) -> None:
    """All find the same five, in the same order."""
    for pair in asked:
        wanted = await ways["ours"](pair)
        for name, way in ways.items():
            if (found := await way(pair)) != wanted:
                raise RuntimeError(f"{name} finds {found} for {pair}, not {wanted}.")


async def _measure_import(graph: Graph, database: str, repeats: int) -> Row:
    """The whole import against one INSERT a row; both in one transaction, indexes and all."""
    record = _generated(ROWS // EACH, EACH)
    assert record.version  # a hash over all, which rows that are inserted one by one do not have
    ours, theirs = [], []
    for _ in range(min(repeats, 2)):
        await graph.remove("scale-free")
        began = time.perf_counter()
        async with connect(graph._engine) as connection:
            await replace_graph(connection, record, lambda done, of: None)
        ours.append(1000 * (time.perf_counter() - began))
        await graph.remove("scale-free")
        began = time.perf_counter()
        _insert_rows(database, record)
        theirs.append(1000 * (time.perf_counter() - began))
    facts = len(record.facts)
    taken = [Taken(median(times) / facts, max(times) / facts, 0.0) for times in (ours, theirs)]
    ratio = taken[1].p50 / taken[0].p50
    title = f"import of {facts:,} facts, a fact"
    return Row("graph", title, ratio, "x", Aim(">=", 10.0), taken[0], taken[1], "row inserts")


def _insert_rows(database: str, record: GraphRecord) -> None:
    with psycopg.connect(database) as connection:
        label = record.label
        insert = "INSERT INTO graphs (name, version, language, source, licence) VALUES (%s, %s, %s, '', '')"
        row = connection.execute(f"{insert} RETURNING id", (label.name, "", label.language)).fetchone()
        ids = []
        for entity in record.entities:
            insert = "INSERT INTO entities (graph_id, code, name, kinds, degree) VALUES (%s, %s, %s, %s, 0)"
            values = (row and row[0], entity.code, entity.name, list(entity.kinds))
            found = connection.execute(f"{insert} RETURNING id", values).fetchone()
            ids.append(found[0] if found else 0)
            insert = (
                "INSERT INTO entity_names (entity_id, name, folded, role, grams) VALUES (%s, %s, %s, %s, %s)"
            )
            values = (ids[-1], entity.name, fold_entity(entity.name), "name", trigrams(entity.name))
            connection.execute(insert, values)
        for fact in record.facts:
            insert = "INSERT INTO facts (head_id, relation, tail_id, sources) VALUES (%s, %s, %s, %s)"
            connection.execute(insert, (ids[fact.head], fact.relation, ids[fact.tail], list(fact.sources)))
