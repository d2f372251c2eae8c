"""The evidence set: each passage once, capped by article, packed in turns over the queries."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reasoning.methods.sema_rag.pool import Pool
from tests.evidence import evidence


def found(*eids: str) -> list[object]:
    return [evidence(eid, f"Text of {eid}.") for eid in eids]


def test_a_passage_is_kept_once_with_all_its_origins() -> None:
    pool = Pool(None)
    first = pool.add(found("a:0", "b:0"), 1, 0)  # type: ignore[arg-type]
    second = pool.add(found("b:0", "c:0"), 2, 1)  # type: ignore[arg-type]
    assert (first.new, second.new, second.known) == (2, 1, 1)
    origins = pool.snippets["b:0"].origins
    assert [(one.round, one.query, one.rank) for one in origins] == [(1, 0, 2), (2, 1, 1)]


def test_no_more_of_an_article_than_the_cap_over_all_queries() -> None:
    pool = Pool(2)
    pool.add(found("a:0", "a:1", "a:2"), 1, 0)  # type: ignore[arg-type]
    added = pool.add(found("a:3", "b:0"), 2, 1)  # type: ignore[arg-type]
    assert list(pool.snippets) == ["a:0", "a:1", "b:0"]
    assert (added.new, added.capped) == (1, 1)
    assert set(pool.refused) == {"a:2", "a:3"}


def test_packing_takes_turns_over_the_queries() -> None:
    pool = Pool(None)
    pool.add(found("a:0", "b:0", "c:0"), 1, 0)  # type: ignore[arg-type]
    pool.add(found("d:0", "b:0", "e:0"), 2, 1)  # type: ignore[arg-type]
    assert [item.eid for item in pool.packed()] == ["a:0", "d:0", "b:0", "c:0", "e:0"]


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True), max_size=4))
def test_what_does_not_fit_is_the_worst_of_each_query(queries: list[list[str]]) -> None:
    pool = Pool(None)
    for at, names in enumerate(queries):
        pool.add(found(*(f"{name}:0" for name in names)), 1, at)  # type: ignore[arg-type]
    packed = [item.eid[0] for item in pool.packed()]
    assert sorted(packed) == sorted({name for names in queries for name in names})
    best = {name: min(names.index(name) for names in queries if name in names) for name in packed}
    assert [best[name] for name in packed] == sorted(best.values())


def test_what_another_query_brings_is_not_refused() -> None:
    pool = Pool(None)
    pool.refuse(found("a:0", "b:0"), "below the relevance floor")  # type: ignore[arg-type]
    pool.add(found("a:0"), 1, 1)  # type: ignore[arg-type]
    assert set(pool.refused) == {"b:0"}
