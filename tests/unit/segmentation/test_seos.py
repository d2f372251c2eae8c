"""Breaks from token counts and vectors alone (methods.md 1.6 steps 3 to 8)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from reasoning.retrieval.segmentation.seos import (
    Break,
    BreakRule,
    SeosParams,
    choose_breaks,
    depths,
    minima,
    similarities,
)

PARAMS = SeosParams(b_max=50, b=40)
TOKENS = st.lists(st.integers(0, 50), min_size=1, max_size=60)


def _vectors(n: int, seed: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(size=(n, 4))


def _topics(*lengths: int) -> NDArray[np.float64]:
    """Sentences of one topic have one vector, topics have nothing in common."""
    return np.repeat(np.eye(len(lengths)), lengths, axis=0)


def _parts(tokens: list[int], breaks: list[Break]) -> list[list[int]]:
    ends = [0, *(each.gap + 1 for each in breaks), len(tokens)]
    return [tokens[start:end] for start, end in pairwise(ends)]


def test_similarity_of_the_windows_beside_a_gap() -> None:
    vectors = np.array([[1.0, 0], [3.0, 0], [0, 2.0], [0, 0]])
    # windows clipped at the ends; scale and zero vectors do not matter
    assert similarities(vectors, 2) == pytest.approx([2**-0.5, 0.0, 2**-0.5 * 0], abs=1e-6)
    assert similarities(vectors, 1) == pytest.approx([1.0, 0.0, 0.0], abs=1e-6)


def test_depth_climbs_while_similarity_does_not_fall() -> None:
    assert depths([0.9, 0.2, 0.5, 0.4, 0.8]) == pytest.approx([0.0, 1.0, 0.0, 0.5, 0.0])


@pytest.mark.parametrize(
    ("sims", "found"),
    [
        ([0.9, 0.2, 0.5, 0.4, 0.8], [1, 3]),
        ([0.9, 0.3, 0.3, 0.3, 0.8], [2]),  # the middle of a plateau
        ([0.1, 0.5, 0.2], [0, 2]),
        ([0.5, 0.5, 0.5], []),  # all the same: no lowest point (case F14)
        ([], []),
    ],
)
def test_minima(sims: list[float], found: list[int]) -> None:
    assert minima(sims) == found


def test_the_break_is_where_the_topic_changes() -> None:
    breaks = choose_breaks([10] * 7, _topics(3, 4), PARAMS)
    assert [(each.gap, each.rule) for each in breaks] == [(2, BreakRule.MINIMUM)]
    assert breaks[0].sim == 0.0
    assert breaks[0].depth == pytest.approx(2.0)


def test_what_fits_is_one_part() -> None:
    assert choose_breaks([10] * 5, _topics(2, 3), PARAMS) == []
    assert choose_breaks([], None, PARAMS) == []


def test_equal_depths_and_similarities_are_taken_in_order() -> None:
    breaks = choose_breaks([6] * 16, _topics(4, 4, 4, 4), PARAMS)
    assert [each.gap for each in breaks] == [3, 7]  # K = 3: the third minimum is not needed


def test_identical_vectors_give_even_parts() -> None:
    parts = _parts([10] * 12, choose_breaks([10] * 12, np.ones((12, 3)), PARAMS))
    assert [sum(part) for part in parts] == [40, 40, 40]


def test_without_vectors_parts_are_even_too() -> None:
    breaks = choose_breaks([10] * 8, None, PARAMS)
    assert [(each.gap, each.sim, each.depth) for each in breaks] == [(3, None, None)]


def test_three_long_sentences_are_split_although_they_are_few() -> None:
    breaks = choose_breaks([40, 45, 40], _vectors(3, 1), PARAMS)
    assert [each.rule for each in breaks] == [BreakRule.FORCED, BreakRule.FORCED]


def test_a_part_above_the_limit_is_split_at_its_best_gap() -> None:
    # one break wanted (K = 2), at the topic; 60 tokens remain on its right
    breaks = choose_breaks([10] * 2 + [6] * 10, _topics(2, 10), SeosParams(b_max=50, b=45))
    assert [(each.gap, each.rule) for each in breaks] == [(1, BreakRule.MINIMUM), (6, BreakRule.FORCED)]


@given(TOKENS, st.integers(0, 9))
def test_no_part_is_above_the_limit(tokens: list[int], seed: int) -> None:
    for vectors in (_vectors(len(tokens), seed), np.ones((len(tokens), 2)), None):
        parts = _parts(tokens, choose_breaks(tokens, vectors, PARAMS))
        assert all(part and sum(part) <= PARAMS.b_max for part in parts)
        assert [each for part in parts for each in part] == tokens


@given(TOKENS, st.integers(0, 9), st.floats(0.01, 1000))
def test_breaks_depend_on_direction_only_and_repeat(tokens: list[int], seed: int, scale: float) -> None:
    vectors = _vectors(len(tokens), seed)
    assert choose_breaks(tokens, vectors, PARAMS) == choose_breaks(tokens, vectors * scale, PARAMS)
    assert choose_breaks(tokens, vectors, PARAMS) == choose_breaks(tokens, vectors.copy(), PARAMS)


@given(TOKENS, st.integers(0, 9))
def test_only_the_limit_makes_small_parts(tokens: list[int], seed: int) -> None:
    breaks = choose_breaks(tokens, _vectors(len(tokens), seed), PARAMS)
    free = [each for each in breaks if each.rule is not BreakRule.FORCED]
    assert len(free) <= max(sum(tokens) - 1, 0) // PARAMS.b
    if free:
        assert all(len(part) >= 2 and sum(part) >= 14 for part in _parts(tokens, free))


def test_params_are_checked() -> None:
    with pytest.raises(ValueError, match="b_max"):
        SeosParams(b_max=100, b=120)
    with pytest.raises(ValueError, match="o_budget"):
        SeosParams(o_budget=1.5)
