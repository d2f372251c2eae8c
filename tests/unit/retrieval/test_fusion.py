"""Reciprocal rank fusion (methods.md 1.4, case F06)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.retrieval.fusion import K, clean_ids, fuse

ROOT = Path(__file__).resolve().parents[3]
FUSE = """
import json, sys
from reasoning.retrieval.fusion import fuse
print(json.dumps(fuse(json.load(sys.stdin))))
"""


def fused_with_seed(lists: dict[str, list[object]], seed: int) -> list[tuple[str, float]]:
    """In a process of its own, whose strings hash differently."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-S", "-c", FUSE]
    said = subprocess.run(
        command, input=json.dumps(lists), env=environment, capture_output=True, text=True, check=True
    )
    return [(item, score) for item, score in json.loads(said.stdout)]


def order(**streams: list[object]) -> list[str]:
    return [item for item, _ in fuse(streams)]


@pytest.mark.shared_data
def test_the_field_case(shared: Path) -> None:
    case = json.loads((shared / "cases" / "inputs" / "F06_ranked_lists.json").read_text())
    ways = {tuple(fused_with_seed(case["lists"], seed)) for seed in range(case["repeat_with_hash_seeds"])}
    (fused,) = ways
    assert [item for item, _ in fused] == case["expected_order"]
    assert dict(fused) == pytest.approx(case["expected_scores"], abs=1e-9)


def test_same_order_in_every_process() -> None:
    lists: dict[str, list[object]] = {
        "symbolic": ["7", "8", None],
        "dense": [9, " 8", "x", ""],
        "third": ["y"],
    }
    assert len({tuple(fused_with_seed(lists, seed)) for seed in range(4)}) == 1


def test_ids_that_were_written_differently() -> None:
    assert clean_ids([" 12", 12, "12\n", None, "", "  ", 13, "PMC1"]) == ["12", "13", "PMC1"]


def test_scores() -> None:
    scores = dict(fuse({"symbolic": ["1", "2"], "dense": [2, 2, 3]}))
    assert scores == pytest.approx({"1": 1 / 61, "2": 1 / 62 + 1 / 61, "3": 1 / 62})
    weighted = dict(fuse({"symbolic": ["1"], "dense": ["2"]}, k=9, weights={"dense": 3.0}))
    assert weighted == pytest.approx({"1": 0.1, "2": 0.3})


def test_ties_go_to_the_better_rank_in_the_first_stream() -> None:
    assert order(symbolic=["1", "9"], dense=["9", "1"]) == ["1", "9"]
    assert order(dense=["9", "1"], symbolic=["1", "9"]) == ["9", "1"]
    assert order(symbolic=["5"], dense=["9"]) == ["5", "9"]


def test_then_to_the_newer_date_the_larger_pmid_and_the_id() -> None:
    streams = {"symbolic": [], "a": ["90000611"], "b": ["90000612"], "c": ["PMC2"], "d": ["PMC1"], "e": ["7"]}
    dates = {"7": (2020, 1, 2), "PMC2": (2020, 1, 1)}
    fused = fuse(streams, newness=lambda item: dates.get(item, (0, 0, 0)))
    assert [item for item, _ in fused] == ["7", "PMC2", "90000612", "90000611", "PMC1"]


def test_one_list_alone_stays_as_it_is() -> None:
    for streams in ({"a": ["3", "1", "2"], "b": []}, {"b": [], "a": ["3", "1", "2"]}, {"a": ["3", "1", "2"]}):
        assert [item for item, _ in fuse(streams)] == ["3", "1", "2"]
    assert fuse({}) == fuse({"a": [], "b": [None, " "]}) == []


IDS = st.lists(
    st.one_of(st.integers(1, 30), st.integers(1, 30).map(str), st.sampled_from(["PMC1", " 7 ", "", None]))
)


@given(st.dictionaries(st.sampled_from("abc"), IDS, max_size=3))
def test_what_holds_for_any_lists(streams: dict[str, list[object]]) -> None:
    fused = fuse(streams)
    scores = dict(fused)
    assert set(scores) == {item for ids in streams.values() for item in clean_ids(ids)}
    assert len(scores) == len(fused)
    assert [score for _, score in fused] == sorted(scores.values(), reverse=True)
    assert all(0 < score <= len(streams) / (K + 1) + 1e-12 for score in scores.values())
    doubled = {name: [item for each in ids for item in (each, each)] for name, ids in streams.items()}
    assert fuse(doubled) == fused
    assert fuse({**streams, "z": []}) == fused


@given(st.lists(st.integers(1, 50), unique=True, min_size=2))
def test_agreement_is_rewarded(ids: list[int]) -> None:
    """What both name is ahead of what only one names at that rank or a lower one."""
    last = str(ids[-1])
    fused = dict(fuse({"a": ids, "b": [last]}))
    assert all(fused[last] > fused[str(other)] for other in ids[:-1])
