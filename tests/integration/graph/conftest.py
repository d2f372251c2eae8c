"""A corpus with graphs, made of lines as a TSV file has them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from reasoning.retrieval.graphs import read_graph
from storage.corpus import Corpus
from storage.corpus.graph import Graph, GraphLabel
from storage.database import create_engine
from storage.encoders import MINILM
from storage.graph import Entity

Load = Callable[..., Awaitable[Graph]]


@pytest.fixture
async def graph(corpus_url: str) -> AsyncIterator[Graph]:
    """No graph at all."""
    engine = create_engine(corpus_url)
    await Corpus(engine, MINILM).open()
    yield Graph(engine, MINILM)
    await engine.dispose()


@pytest.fixture
def load(graph: Graph, tmp_path: Path) -> Load:
    """load("a|has_symptom|b", ..., name="small"): the graph with one more stored in it."""

    async def load_lines(*lines: str, name: str = "small") -> Graph:
        file = tmp_path / f"{name}.tsv"
        file.write_text("".join(line.replace("|", "\t") + "\n" for line in lines), encoding="utf-8")
        await graph.replace(read_graph(file, "tsv", GraphLabel(name)).finish())
        return graph

    return load_lines


async def entity(graph: Graph, name: str) -> Entity:
    """The one entity of this name."""
    found = await graph.find_names([name])
    (match,) = found[name]
    return match.entity


async def ids(graph: Graph, *names: str) -> list[int]:
    return [(await entity(graph, name)).id for name in names]
