"""A graph goes in whole, by COPY, and only where it changed; its names' vectors outlive a new version."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from sqlalchemy import event

from reasoning.encoders import Encoder
from reasoning.retrieval.graphs import Draft, embed_names
from storage.corpus import Corpus
from storage.corpus.graph import Graph, GraphLabel, GraphRecord
from storage.encoders import MEDCPT, MINILM
from storage.errors import EncoderMismatch
from tests.integration.graph.conftest import Load, entity, ids
from tests.integration.storage.documents import query


@contextmanager
def counted(graph: Graph) -> Iterator[list[str]]:
    """Statements that go through SQLAlchemy, and each COPY."""
    statements: list[str] = []
    engine = graph._engine.sync_engine

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(" ".join(statement.split()))

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(engine, "before_cursor_execute", note)


def chain(length: int) -> GraphRecord:
    draft = Draft(GraphLabel("chain"))
    for place in range(length):
        draft.add_entity(f"E{place}", f"entity {place}", aliases={f"other {place}": "alias"})
    for place in range(length - 1):
        draft.add_fact(f"E{place}", "r", f"E{place + 1}", f"source {place}")
    return draft.finish()


async def test_statements_do_not_grow_with_the_graph(graph: Graph) -> None:
    counts = []
    for length in (10, 5000):
        with counted(graph) as statements:
            assert await graph.replace(chain(length))
        assert not any("INSERT INTO facts" in statement for statement in statements)
        counts.append(len([s for s in statements if not s.startswith("DELETE")]))
    assert counts[0] == counts[1] <= 12


async def test_the_same_again_changes_nothing(graph: Graph, corpus_url: str) -> None:
    assert await graph.replace(chain(5))
    before = query(corpus_url, "SELECT id FROM entities ORDER BY id")
    with counted(graph) as statements:
        assert not await graph.replace(chain(5))
    assert len(statements) == 2  # the lock, the version
    assert query(corpus_url, "SELECT id FROM entities ORDER BY id") == before


async def test_another_version_takes_the_place_of_the_first(graph: Graph, corpus_url: str) -> None:
    await graph.replace(chain(5))
    assert await graph.replace(chain(3))
    (summary,) = await graph.counts()
    assert (summary.entities, summary.names, summary.facts) == (3, 6, 2)
    assert summary.version == chain(3).version == await graph.version("chain")
    (fact,) = (await graph.neighbours(await ids(graph, "entity 0"))).facts
    assert (fact.version, fact.sources) == (summary.version, ("source 0",))
    assert query(corpus_url, "SELECT count(*) FROM facts") == [(2,)]
    assert await graph.remove("chain")
    assert not await graph.remove("chain")
    for table in ("graphs", "entities", "entity_names", "facts"):
        assert query(corpus_url, f"SELECT count(*) FROM {table}") == [(0,)]


async def test_no_fact_is_left_without_its_ends(load: Load, graph: Graph, corpus_url: str) -> None:
    """No foreign key sees to it."""
    orphans = """
    SELECT count(*) FROM facts f WHERE NOT EXISTS (SELECT FROM entities WHERE id = f.head_id)
    OR NOT EXISTS (SELECT FROM entities WHERE id = f.tail_id)
    """
    await load("a|r|b", name="kept")
    await graph.replace(chain(5))
    for change in (graph.replace(chain(3)), graph.replace(chain(9)), graph.remove("chain")):
        assert await change
        assert query(corpus_url, orphans) == [(0,)]
    assert query(corpus_url, "SELECT count(*) FROM facts") == [(1,)]


async def test_progress_reaches_the_end(graph: Graph) -> None:
    told: list[tuple[int, int]] = []
    await graph.replace(chain(12_001), lambda done, of: told.append((done, of)))
    assert told == [(10_000, 12_000), (12_000, 12_000)]


async def test_degrees_and_aliases(load: Load) -> None:
    graph = await load("a|r|b", "a|s|b", "c|r|a", "a|别名|the first")
    found = await graph.read_entities(await ids(graph, "a", "b"))
    assert {e.name: (e.degree, e.aliases) for e in found.values()} == {"a": (3, ("the first",)), "b": (2, ())}
    assert (await entity(graph, "the first")).name == "a"


async def test_names_are_equal_or_alike(load: Load) -> None:
    graph = await load(
        "Metformin|treats|Type 2 diabetes",
        "Metoprolol|treats|Hypertension",
        "Sjögren's syndrome|r|Crohn_disease",
        "糖尿病|r|高血压",
    )
    for asked, wanted in (
        ("METFORMIN", "Metformin"),
        ("type-2 diabetes", "Type 2 diabetes"),
        ("sjogren syndrome", "Sjögren's syndrome"),
        ("crohn_Disease", "Crohn disease"),
    ):
        assert (await entity(graph, asked)).name == wanted
    assert await graph.find_names(["metformine"]) == {}
    for asked, wanted in (
        ("metformine", "Metformin"),
        ("metroprolol", "Metoprolol"),
        ("diabetes type 2", "Type 2 diabetes"),
        ("糖尿病人", "糖尿病"),
    ):
        assert (await graph.search_names(asked))[0].entity.name == wanted
    assert await graph.search_names("zolvendramab") == []
    assert await graph.search_names("") == []
    assert len(await graph.search_names("met", 1)) <= 1


async def test_names_are_embedded_once(load: Load, minilm: Encoder, corpus_url: str) -> None:
    graph = await load("fever|r|flu", "myocardial infarction|r|chest pain", "myocardial infarction|别名|MI")
    assert [item async for item in embed_names(graph, minilm)] == [(5, 5)]
    vector = minilm.encode_query("cardiac infarction").vector
    nearest = await graph.nearest(vector, 2)
    assert nearest[0].entity.name == "myocardial infarction"
    assert nearest[0].score > nearest[1].score
    assert len({match.entity.id for match in await graph.nearest(vector, 10)}) == 4
    assert [item async for item in embed_names(graph, minilm)] == []
    assert (await graph.counts())[0].embedded == 5

    texts = minilm.counts.of("query").texts
    await load("fever|r|flu", "fever|r|malaria")  # another version: old names keep their vectors
    assert (await graph.counts())[0].embedded == 2
    assert [item async for item in embed_names(graph, minilm)] == [(1, 1)]
    assert minilm.counts.of("query").texts == texts + 1


async def test_vectors_of_one_graph_alone(load: Load, minilm: Encoder) -> None:
    await load("fever|r|flu", name="one")
    graph = await load("fever|r|cold", name="two")
    async for _ in embed_names(graph, minilm):
        pass
    found = await graph.restricted(["two"]).nearest(minilm.encode_query("flu").vector, 5)
    assert {match.entity.graph for match in found} == {"two"}
    assert {match.entity.name for match in found} == {"fever", "cold"}


async def test_another_model_is_refused(load: Load, graph: Graph) -> None:
    """Same name, other weights: its vectors would be compared with those of the first (case F21)."""
    from dataclasses import replace

    await load("fever|r|flu")
    other = Graph(graph._engine, replace(MINILM, revision="other"))
    keys = [key for key, _ in await graph.missing_names(0, 10)]
    vectors = np.full((2, MINILM.dimensions), 0.1, np.float32)
    with pytest.raises(EncoderMismatch):
        await other.store_vectors(keys, vectors)
    assert await graph.store_vectors(keys, vectors) == 2
    with pytest.raises(EncoderMismatch):
        await other.nearest(vectors[0])
    assert await graph.nearest(None) == await graph.nearest(vectors[0] * 0) == []
    with pytest.raises(ValueError, match="shape"):
        await graph.nearest(vectors[0][:5])


async def test_unusable_vectors_are_left_out(load: Load) -> None:
    graph = await load("fever|r|flu")
    keys = [key for key, _ in await graph.missing_names(0, 10)]
    rows = np.full((2, MINILM.dimensions), 0.1, np.float32)
    rows[0] = np.nan
    assert await graph.store_vectors(keys, rows) == 1
    assert await graph.count_missing() == 1


async def test_an_adopted_encoder_loses_the_vectors_of_names_too(load: Load, graph: Graph) -> None:
    from dataclasses import replace

    await load("fever|r|flu")
    keys = [key for key, _ in await graph.missing_names(0, 10)]
    await graph.store_vectors(keys, np.full((2, MINILM.dimensions), 0.1, np.float32))
    assert await Corpus(graph._engine, replace(MINILM, revision="other")).adopt()
    assert (await graph.counts())[0].embedded == 0


async def test_an_added_encoder_has_a_table_for_names(load: Load, graph: Graph) -> None:
    from dataclasses import replace

    await load("fever|r|flu")
    house = replace(MEDCPT, name="house", table="embedding_house")
    await Corpus(graph._engine, house).adopt()
    assert await Graph(graph._engine, house).count_missing() == 2
