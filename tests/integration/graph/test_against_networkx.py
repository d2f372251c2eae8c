"""Limits off, the paths are those that networkx finds, on the paper's graph and on small random ones."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import networkx
import pytest

from reasoning.retrieval.graphs import read_graph
from storage.corpus.graph import Graph, GraphLabel, GraphRecord
from storage.graph import Outcome
from tests.integration.graph.conftest import Load, ids

PAIRS = 2000


def as_networkx(record: GraphRecord) -> networkx.Graph[str]:
    plain: networkx.Graph[str] = networkx.Graph()
    plain.add_nodes_from(entity.name for entity in record.entities)
    names = [entity.name for entity in record.entities]
    plain.add_edges_from((names[fact.head], names[fact.tail]) for fact in record.facts)
    return plain


def shortest(plain: networkx.Graph[str], start: str, end: str, hops: int) -> set[tuple[str, ...]]:
    try:
        if networkx.shortest_path_length(plain, start, end) > hops:
            return set()
        return {tuple(path) for path in networkx.all_shortest_paths(plain, start, end)}
    except networkx.NetworkXNoPath:
        return set()


async def paths_by_name(graph: Graph, start: int, end: int, hops: int) -> set[tuple[str, ...]]:
    found = await graph.paths([start], [end], hops, None, deadline=60)
    assert found.outcome in (Outcome.FOUND, Outcome.NOTHING)
    named = [tuple(entity.name for entity in path.entities) for path in found.paths]
    assert len(named) == len(set(named))
    for path in found.paths:
        for fact, first, second in zip(path.facts, path.entities, path.entities[1:], strict=False):
            assert {fact.head.id, fact.tail.id} == {first.id, second.id}
    return set(named)


@pytest.mark.shared_data
@pytest.mark.slow
async def test_the_papers_graph(graph: Graph, shared: Path) -> None:
    record = read_graph(
        shared / "data" / "kg" / "chatdoctor_triples.tsv", "tsv", GraphLabel("emckg")
    ).finish()
    assert (len(record.entities), len(record.facts)) == (1123, 2899)  # 5,798 statements, each also inverted
    await graph.replace(record)
    plain = as_networkx(record)
    names = sorted(plain)
    known = {name: found[0].entity.id for name, found in (await graph.find_names(names)).items()}
    chosen = random.Random(22)
    lengths = set()
    for _ in range(PAIRS):
        start, end = chosen.sample(names, 2)
        wanted = shortest(plain, start, end, 3)
        assert await paths_by_name(graph, known[start], known[end], 3) == wanted, (start, end)
        lengths |= {len(path) for path in wanted}
    assert lengths == {2, 3, 4}


@pytest.mark.parametrize("seed", range(4))
async def test_random_graphs_up_to_four_hops(graph: Graph, load: Load, seed: int) -> None:
    chosen = random.Random(seed)
    nodes = [f"node {number}" for number in range(24)]
    lines = set()
    while len(lines) < 30:
        head, tail = chosen.sample(nodes, 2)
        lines.add(f"{head}|{chosen.choice(['r', 's'])}|{tail}")
    await load(*sorted(lines))
    plain: networkx.Graph[str] = networkx.Graph(
        [(line.split("|")[0], line.split("|")[2]) for line in sorted(lines)]
    )
    present = sorted(plain)
    known = dict(zip(present, await ids(graph, *present), strict=True))
    longest = 0
    for start in present:
        for end in present:
            if start < end:
                wanted = shortest(plain, start, end, 4)
                assert await paths_by_name(graph, known[start], known[end], 4) == wanted, (start, end)
                longest = max(longest, *(len(path) for path in wanted), 0)
    assert longest == 5


@pytest.mark.parametrize("seed", range(4))
async def test_cut_off_they_are_the_first_of_all(graph: Graph, load: Load, seed: int) -> None:
    """Five of a ranked list: the same five as without a limit, at every length."""
    chosen = random.Random(seed)
    layers = [[f"{layer}{number}" for number in range(1 if layer in "ae" else 5)] for layer in "abcde"]
    lines = [
        f"{one}|r|{other}"
        for first, second in pairwise(layers)
        for one in first
        for other in second
        if chosen.random() < 0.8
    ]
    extra = [f"{chosen.choice(layers[chosen.randint(1, 3)])}|s|about {number}" for number in range(12)]
    await load(*lines, *dict.fromkeys(extra))
    for layer in (2, 3, 4):
        start, end = await ids(graph, "a0", layers[layer][0])
        about = await ids(graph, *sorted({line.split("|")[2] for line in extra}))
        for one, other in ((start, end), (end, start)):
            every = await graph.paths([one], [other], 4, None, about=about)
            first = await graph.paths([one], [other], 4, 3, about=about)
            assert first.paths == every.paths[:3]
            assert first.more == (len(every.paths) > 3)
            ranks = [(-path.coverage, path.hubs, [e.name for e in path.entities]) for path in every.paths]
            assert ranks == sorted(ranks)
