"""Case F22: what a question may be told where the graph has a hub, a ring, strangers and no path."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reasoning.encoders import Encoder
from reasoning.linking import GraphLinker
from reasoning.retrieval.graph_search import CorpusGraph
from reasoning.retrieval.graphs import read_graph
from storage.corpus import Corpus
from storage.corpus.graph import Graph, GraphLabel
from storage.database import create_engine
from storage.encoders import MINILM
from tests.integration.conftest import NewDatabase
from tests.integration.mirage.conftest import Room
from tests.integration.mirage.test_rules import DENIALS

pytestmark = pytest.mark.shared_data


@pytest.fixture(scope="module")
def case(shared: Path) -> Any:
    return json.loads((shared / "cases" / "inputs" / "F22_graph.json").read_text("utf-8"))


@pytest.fixture(scope="module")
async def field_url(
    case: Any, new_database: NewDatabase, minilm: Encoder, tmp_path_factory: pytest.TempPathFactory
) -> str:
    hub, ring = case["hub"], case["ring"]
    edges = [tuple(edge) for edge in case["edges"]]
    edges += [(f"Condition {n}", hub["relation"], hub["name"]) for n in range(1, hub["degree"])]
    names = [f"Ring {n}" for n in range(1, ring["size"] + 1)]
    edges += [(one, ring["relation"], other) for i, one in enumerate(names) for other in names[i + 1 :]]
    rows = [("head", "relation", "tail", "source"), *((*edge, "F22") for edge in edges)]
    file = tmp_path_factory.mktemp("field") / "f22.tsv"
    file.write_text("\n".join("\t".join(row) for row in rows), encoding="utf-8")
    url = new_database("corpus")
    engine = create_engine(url)
    await Corpus(engine, MINILM).open()
    await Graph(engine, MINILM).replace(read_graph(file, "tsv", GraphLabel("f22")).finish())
    await engine.dispose()
    return url


@pytest.fixture
async def field(room: Room, field_url: str) -> AsyncIterator[Room]:
    engine = create_engine(field_url)
    graph, corpus = Graph(engine, MINILM), Corpus(engine, MINILM)
    search = CorpusGraph(graph, corpus, room.encoder)
    yield replace(room, graph=search, linker=GraphLinker(graph))
    await engine.dispose()


async def test_every_ask_ends_and_none_denies_a_relation(field: Room, case: Any):
    for ask in case["asks"]:
        answered = await field.ask(f"How is {' related to '.join(ask['entities'])} seen?")
        text = answered.answer.answer.text.lower()
        assert not any(words in text for words in (*DENIALS, *ask.get("may_not_say", ()))), ask["id"]
        found = ask.get("path_found")
        if found is not None:
            assert (answered.answer.route.ran == "mirage") == found, ask["id"]


async def test_facts_keep_their_direction(field: Room):
    answer = (await field.ask("Is lactic acidosis due to metformin?")).answer
    assert answer.answer.sentences[0].text == "Metformin may cause Lactic acidosis."
    (fact,) = answer.citations[0].facts
    assert (fact.head, fact.relation, fact.tail) == ("Metformin", "may_cause", "Lactic acidosis")
