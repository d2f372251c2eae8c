"""Case F22: near misses, missing paths, hubs and rings, each of its asks that needs no linker."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest

from reasoning.retrieval.graphs import Draft
from storage.corpus.graph import Graph, GraphLabel
from storage.graph import Outcome
from tests.integration.graph.conftest import Load, entity, ids

HANG = 20.0  # seconds: a limit against hanging, no more


@pytest.fixture
def case(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "cases" / "inputs" / "F22_graph.json").read_text())
    found["by_id"] = {ask["id"]: ask for ask in found["asks"]}
    return found


@pytest.fixture
async def loaded(case: dict[str, Any], load: Load) -> Graph:
    """The nodes and edges of the case, with its hub and its ring. `Scurvy` has a fact of its own: an entity
    without any is no part of a list of triples."""
    lines = ["|".join(edge) for edge in case["edges"]] + ["Scurvy|r|Vitamin C deficiency"]
    lines += [f"Fatigue|has_symptom|Condition {number}" for number in range(1, 5001)]
    ring = [f"Ring {number}" for number in range(1, 31)]
    lines += [f"{one}|same_as|{other}" for one in ring for other in ring if one != other]
    return await load(*lines)


@pytest.mark.shared_data
async def test_facts_keep_their_direction(loaded: Graph, case: dict[str, Any]) -> None:
    for name in ("anchor", "direction"):
        ask = case["by_id"][name]
        near = await loaded.neighbours(await ids(loaded, *ask["entities"]))
        found = [list(fact.as_fact().triple) for fact in near.facts]
        assert near.outcome is Outcome.FOUND
        for wanted in ask["facts_include"]:
            assert [wanted[0].casefold(), wanted[1], wanted[2].casefold()] in found
        for never in ask.get("facts_never", ()):
            assert [never[0].casefold(), never[1], never[2].casefold()] not in found
    for fact in near.facts:
        assert fact.read_from(near.groups[0].entity.id).say() == fact.read_from(fact.head.id).say()


@pytest.mark.shared_data
async def test_bridges(loaded: Graph, case: dict[str, Any]) -> None:
    for name in ("bridge", "no path", "through the hub", "ring"):
        ask = case["by_id"][name]
        start, end = await ids(loaded, *ask["entities"])
        found = await loaded.paths([start], [end], min(ask["path_max_hops"], 4), deadline=HANG)
        assert (found.outcome is Outcome.FOUND) == ask.get("path_found", True)
        for path in found.paths:
            assert len(set(path.entities)) == path.hops + 1
    assert found.paths[0].hops == 1  # round the ring there is no other shortest way
    (hub,) = (await loaded.paths(*[[key] for key in await ids(loaded, "Condition 1", "Condition 2")])).paths
    assert [entity.name for entity in hub.entities] == ["Condition 1", "Fatigue", "Condition 2"]
    assert hub.forward == (False, True)


@pytest.mark.shared_data
async def test_one_entity_is_no_bridge(loaded: Graph, case: dict[str, Any]) -> None:
    one, other = case["by_id"]["same entity twice"]["entities"]
    first, second = await ids(loaded, one, other)
    assert (await loaded.paths([first], [second])).outcome is Outcome.SAME


@pytest.mark.shared_data
async def test_a_hub_is_cut_by_a_fixed_rule(loaded: Graph, case: dict[str, Any]) -> None:
    most = case["by_id"]["hub"]["max_facts_per_relation"]
    key = await ids(loaded, "Fatigue")
    near = await loaded.neighbours(key, most, deadline=HANG)
    forward = next(group for group in near.groups if group.total == 5000)
    assert (len(forward.facts), forward.cut) == (most, 4990)
    assert [fact.tail.name for fact in forward.facts][:3] == ["Condition 1", "Condition 10", "Condition 100"]
    assert near == await loaded.neighbours(key, most, deadline=HANG)
    about = await ids(loaded, "Condition 4711")
    first = (await loaded.neighbours(key, 1, about=about, deadline=HANG)).groups
    assert [group.facts[0].tail.name for group in first if group.total == 5000] == ["Condition 4711"]


async def test_rarer_entities_come_first(load: Load) -> None:
    graph = await load("a|r|common", "a|r|rare", "common|r|x", "common|r|y")
    near = await graph.neighbours(await ids(graph, "a"))
    assert [fact.tail.name for fact in near.facts] == ["rare", "common"]


async def test_an_unknown_entity_is_told_from_one_without_facts(load: Load) -> None:
    graph = await load("a|r|b", "lonely|别名|on its own")
    known = await ids(graph, "a")
    (alone,) = await ids(graph, "on its own")
    for unknown in ([], [10**6], [*known, 10**6]):
        assert (await graph.neighbours(unknown)).outcome is Outcome.UNKNOWN
        assert (await graph.paths(unknown, known)).outcome is Outcome.UNKNOWN
        assert (await graph.paths(known, unknown)).outcome is Outcome.UNKNOWN
    assert (await graph.neighbours([alone])).outcome is Outcome.NOTHING
    nothing = await graph.paths(known, [alone], 3)
    assert (nothing.outcome, nothing.searched) == (Outcome.NOTHING, 3)


async def test_time_that_ran_out_is_told_from_nothing(load: Load, corpus_url: str) -> None:
    """A table that somebody holds is as slow as it gets; afterwards nothing runs on in the server."""
    graph = await load("a|r|b", "b|r|c")
    a, c = await ids(graph, "a", "c")
    running = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()"
    here = f"{running} AND datname = current_database() AND query LIKE '%facts%'"
    with psycopg.connect(corpus_url) as other:
        other.execute("LOCK TABLE facts IN ACCESS EXCLUSIVE MODE")
        found = await graph.paths([a], [c], deadline=0.3)
        near = await graph.neighbours([a], deadline=0.3)
        for _ in range(50):
            if other.execute(here).fetchone() == (0,):
                break
            await asyncio.sleep(0.1)
        assert other.execute(here).fetchone() == (0,)
        other.rollback()
    assert (found.outcome, found.searched, near.outcome) == (Outcome.TIME_OUT, 0, Outcome.TIME_OUT)
    assert (await graph.paths([a], [c])).outcome is Outcome.FOUND


async def test_hops_have_a_bound(load: Load) -> None:
    graph = await load("a|r|b", "b|r|c", "c|r|d", "d|r|e", "e|r|f")
    a, e, f = await ids(graph, "a", "e", "f")
    for hops in (1, 2, 3):
        assert (await graph.paths([a], [e], hops)).outcome is Outcome.NOTHING
    assert (await graph.paths([a], [e], 4)).paths[0].hops == 4
    assert (await graph.paths([a], [f], 4)).outcome is Outcome.NOTHING
    for hops in (0, 5):
        with pytest.raises(ValueError, match="1 to 4 hops"):
            await graph.paths([a], [f], hops)


async def test_a_statement_and_its_inverse_are_one(load: Load) -> None:
    """Read from the symptom it is worded as its inverse, and a path over it is a single one."""
    graph = await load("flu|has_symptom|fever", "fever|possible_disease|flu", "cold|possible_disease|flu")
    fever = await entity(graph, "fever")
    (group,) = (await graph.neighbours([fever.id])).groups
    assert (group.relation, group.forward, group.total) == ("possible_disease", True, 1)
    (fact,) = group.facts
    assert str(fact.as_fact()) == "flu -[has_symptom]-> fever (small)"
    assert fact.read_from(fever.id).say() == "fever can be a sign of flu"
    found = await graph.paths(await ids(graph, "fever"), await ids(graph, "cold"))
    assert [[r.say() for r in path.readings()] for path in found.paths] == [
        ["fever can be a sign of flu", "flu can present with cold"]
    ]


async def test_several_facts_between_two_are_one_path(load: Load) -> None:
    graph = await load("a|zeta|b", "b|alpha|a", "a|complication|b")
    a, b = await ids(graph, "a", "b")
    (path,) = (await graph.paths([a], [b])).paths
    assert [fact.relation for fact in path.facts] == ["complication"]  # it has a wording
    assert [[fact.relation for fact in facts] for facts in path.beside] == [["alpha", "zeta"]]
    assert path.beside[0][0].read_from(a).say() == "b -[alpha]-> a"


async def test_a_relation_both_ways_is_one_group(load: Load) -> None:
    graph = await load("a|interacts_with|b", "c|interacts_with|a", "b|interacts_with|a")
    (group,) = (await graph.neighbours(await ids(graph, "a"))).groups
    assert (group.relation, group.total) == ("interacts_with", 2)


async def test_several_graphs(load: Load) -> None:
    """The same name is an entity of each; a path stays within one."""
    await load("a|r|b", "c|r|d", name="one")
    graph = await load("b|r|c", "a|r|x", name="two")
    matches = (await graph.find_names(["A"]))["A"]
    assert [match.entity.graph for match in matches] == ["one", "two"]
    both = [match.entity.id for match in matches]
    d = await ids(graph, "d")
    assert (await graph.paths(both, d)).outcome is Outcome.NOTHING
    x = await ids(graph, "x")
    assert (await graph.paths(both, x)).paths[0].entities[0].graph == "two"
    only = graph.restricted(["two"])
    assert [match.entity.graph for match in (await only.find_names(["a"]))["a"]] == ["two"]
    assert await only.search_names("d") == []


@pytest.mark.parametrize("hops", [2, 3, 4])
async def test_between_two_hubs_nothing_is_compared_with_everything(graph: Graph, hops: int) -> None:
    """Two hubs of 10,000 neighbours each, joined in one place, at each distance."""
    draft = Draft(GraphLabel("hubs"))
    chain = ["A", *(f"inner {place}" for place in range(1, hops)), "B"]
    pairs = [*pairwise(chain), *((hub, f"{hub} {number}") for hub in "AB" for number in range(9_999))]
    for head, tail in pairs:
        for end in (head, tail):
            draft.add_entity(end, end)
        draft.add_fact(head, "r", tail)
    await graph.replace(draft.finish())
    a, b = await ids(graph, "A", "B")
    about = await ids(graph, "A 17", "B 18")
    found = await graph.paths([a], [b], hops, about=about, deadline=HANG)
    assert [[entity.name for entity in path.entities] for path in found.paths] == [chain]
    assert (await graph.paths([a], [b], hops - 1, deadline=HANG)).outcome is Outcome.NOTHING
    (group,) = (await graph.neighbours([a], deadline=HANG)).groups
    assert (len(group.facts), group.total) == (10, 10_000)
