"""What a graph may not contain is counted with its reason; a statement counts once."""

from __future__ import annotations

import itertools
import random

import networkx
import pytest

from reasoning.retrieval.graphs import Draft
from reasoning.retrieval.graphs.rings import ring_closers
from storage.corpus.graph import GraphLabel, GraphRecord


def drafted(*facts: tuple[str, ...], symmetric: tuple[str, ...] = ()) -> Draft:
    draft = Draft(GraphLabel("small", source="somebody"), symmetric)
    for number, (head, relation, tail, *source) in enumerate(facts, start=1):
        for end in (head, tail):
            draft.add_entity(end, end)
        draft.add_fact(head, relation, tail, *source, where=number)
    return draft


def said(record: GraphRecord) -> list[tuple[str, ...]]:
    names = [entity.name for entity in record.entities]
    return [(names[fact.head], fact.relation, names[fact.tail], *fact.sources) for fact in record.facts]


@pytest.mark.parametrize(
    ("fact", "reasons"),
    [
        (("", "r", "b"), {"no id": 1, "no head": 1}),
        (("a", "r", "NaN"), {"the id is `NaN`": 1, "the tail is `NaN`": 1}),
        (("a", " ", "b"), {"no relation": 1}),
        (("a", "r", "a"), {"both ends are the same": 1}),
        (
            ("a", "r", "b" * 401),
            {"the id has more than 400 characters": 1, "the tail has more than 400 characters": 1},
        ),
    ],
)
def test_what_is_no_fact(fact: tuple[str, ...], reasons: dict[str, int]) -> None:
    draft = drafted(fact)
    assert dict(draft.refused) == reasons
    assert draft.finish().facts == []


def test_an_end_that_nobody_described() -> None:
    draft = drafted(("a", "r", "b"))
    assert not draft.add_fact("a", "r", "c")
    assert draft.refused == {"an end that is no entity of the graph": 1}


def test_repetitions_are_counted_and_sources_kept() -> None:
    draft = drafted(("a", "r", "b", "x"), ("a", "r", "b", "y"), ("a", "r", "b", "x"), ("a", "s", "b"))
    assert said(draft.finish()) == [("a", "r", "b", "x", "y"), ("a", "s", "b", "somebody")]
    assert draft.refused == {"said twice": 1}


def test_a_statement_and_its_inverse() -> None:
    """Kept in the direction that the lexicon names first, whichever of them the file has."""
    pair = [("fever", "possible_disease", "flu", "x"), ("flu", "has_symptom", "fever", "y")]
    for order in (pair, pair[::-1]):
        draft = drafted(*order)
        (fact,) = said(draft.finish())
        assert fact[:3] == ("flu", "has_symptom", "fever")
        assert sorted(fact[3:]) == ["x", "y"]
        assert (draft.inverses, draft.refused) == (1, {})
    assert said(drafted(pair[0]).finish()) == [("flu", "has_symptom", "fever", "x")]


def test_a_relation_that_is_its_own_inverse() -> None:
    draft = drafted(("a", "interacts_with", "b"), ("b", "interacts_with", "a"), ("b", "interacts_with", "a"))
    assert said(draft.finish()) == [("a", "interacts_with", "b", "somebody")]
    assert draft.inverses == 1
    both = drafted(("a", "near", "b"), ("b", "near", "a"), symmetric=("near",))
    assert len(both.finish().facts) == 1
    assert len(drafted(("a", "near", "b"), ("b", "near", "a")).finish().facts) == 2


def test_types_come_from_the_source_or_else_from_the_lexicon() -> None:
    draft = drafted(("flu", "has_symptom", "fever"), ("scan", "can_check_disease", "flu"))
    draft.add_entity("scan", "scan", ("procedure", "medication"))
    kinds = {entity.name: entity.kinds for entity in draft.finish().entities}
    assert kinds == {"flu": ("disease",), "fever": ("symptom",), "scan": ("procedure", "treatment")}


def test_rings_of_is_a_are_opened() -> None:
    draft = drafted(("a", "is_a", "b"), ("b", "is_a", "c"), ("c", "is_a", "a"), ("c", "r", "a"))
    assert [fact[:3] for fact in said(draft.finish())] == [
        ("a", "is_a", "b"),
        ("b", "is_a", "c"),
        ("c", "r", "a"),
    ]
    assert draft.refused == {"closes a ring of is_a": 1}
    assert draft.examples[0].where == "c is_a a"


@pytest.mark.parametrize("seed", range(20))
def test_no_ring_is_left_and_no_more_is_taken_than_needed(seed: int) -> None:
    chosen = random.Random(seed)
    edges = list(dict.fromkeys(tuple(chosen.sample(range(12), 2)) for _ in range(24)))
    closing = ring_closers(edges)
    kept = networkx.DiGraph([edge for edge in edges if edge not in closing])
    assert networkx.is_directed_acyclic_graph(kept)
    for edge in closing:
        assert not networkx.is_directed_acyclic_graph(networkx.DiGraph([*kept.edges, edge]))


def test_a_long_chain_needs_no_recursion() -> None:
    assert ring_closers([*itertools.pairwise(range(50_000)), (49_999, 0)]) == [(49_999, 0)]


def test_the_version_is_of_the_content() -> None:
    facts = [("a", "r", "b", "x"), ("b", "r", "c", "x"), ("c", "s", "a", "x")]
    version = drafted(*facts).finish().version
    assert drafted(*facts[::-1]).finish().version == version
    others = [facts[:2], [*facts, ("a", "s", "b", "x")], [("a", "r", "b", "y"), *facts[1:]]]
    assert version not in [drafted(*other).finish().version for other in others]
    assert len({drafted(*other).finish().version for other in others}) == 3
