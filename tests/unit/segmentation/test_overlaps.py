"""How much a part repeats of the one before (methods.md 1.6 step 9)."""

from __future__ import annotations

import pytest

from reasoning.retrieval.segmentation.lexicon import opens_with_anaphor
from reasoning.retrieval.segmentation.overlaps import Overlap, choose_overlaps
from reasoning.retrieval.segmentation.seos import Break, BreakRule, SeosParams

PARAMS = SeosParams(b_max=100, b=80, o_budget=0.2)  # 16 tokens may be carried
RANKED = [place / 100 for place in range(100)]


def _overlap(sim: float | None, *, tokens: list[int] | None = None, anaphor: bool = False) -> Overlap:
    tokens = tokens or [5] * 12
    anaphors = [anaphor and place == 6 for place in range(len(tokens))]
    (overlap,) = choose_overlaps([Break(5, BreakRule.MINIMUM, sim, 0.0)], tokens, RANKED, anaphors, PARAMS)
    return overlap


@pytest.mark.parametrize(
    ("sim", "carried"), [(0.0, 0), (0.24, 0), (0.25, 1), (0.59, 1), (0.6, 2), (0.85, 3), (0.99, 3)]
)
def test_bands_of_the_rank(sim: float, carried: int) -> None:
    assert _overlap(sim).sentences == carried


def test_an_opening_word_that_points_back_adds_one() -> None:
    assert _overlap(0.1, anaphor=True).sentences == 1
    assert _overlap(0.7, anaphor=True).sentences == 3
    assert _overlap(0.9, anaphor=True).sentences == 3  # o_max


def test_caps_are_whole_sentences_within_budget_and_limit() -> None:
    assert _overlap(0.9, tokens=[5] * 5 + [12] + [5] * 6).sentences == 1
    assert _overlap(0.9, tokens=[5] * 5 + [17] + [5] * 6).sentences == 0
    assert _overlap(0.9, tokens=[5] * 6 + [15] * 6).sentences == 2  # 90 own, 10 fit
    assert _overlap(0.9, tokens=[5] * 5 + [12] + [5] * 6).wanted == 3


def test_no_more_than_the_left_part_has() -> None:
    breaks = [Break(0, BreakRule.FORCED, 0.9, 0.0), Break(1, BreakRule.FORCED, 0.9, 0.0)]
    assert [each.sentences for each in choose_overlaps(breaks, [5] * 4, RANKED, [False] * 4, PARAMS)] == [
        1,
        1,
    ]


def test_equal_similarities_are_in_the_middle() -> None:
    (overlap,) = choose_overlaps(
        [Break(0, BreakRule.LOWEST, 0.5, 0.0)], [5, 5], [0.5] * 9, [False] * 2, PARAMS
    )
    assert (overlap.rank, overlap.sentences) == (0.5, 1)


def test_rows_are_never_repeated() -> None:
    assert _overlap(None, anaphor=True).sentences == 0


@pytest.mark.parametrize(
    "text",
    [
        "This was seen.",
        "“Such people",
        "However, it",
        "In contrast, none",
        "(These were",
        "其中三例",
        "该药",
        "但是",
        "It fell.",
    ],
)
def test_anaphors(text: str) -> None:
    assert opens_with_anaphor(text)


@pytest.mark.parametrize(
    "text", ["Thistle oil", "Itching fell.", "It is known that", "Aspirin helps this.", "其他患者", ""]
)
def test_no_anaphors(text: str) -> None:
    assert not opens_with_anaphor(text)
