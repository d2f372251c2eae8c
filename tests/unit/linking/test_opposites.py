"""Near misses: what keeps two names apart, however alike they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.linking.likeness import is_misspelling, may_mean
from reasoning.linking.opposites import differ, negated_before
from storage.graph import Entity, NameMatch

STEMS = ("diabetes", "kidney disease", "arm pain", "glycemia", "kalemia", "natremia", "thyroidism", "tension")
PAIRS = (
    ("type 1 ", "type 2 "),
    ("stage 3 ", "stage 4 "),
    ("left ", "right "),
    ("acute ", "chronic "),
    ("hyper", "hypo"),
    ("non-", ""),
    ("high ", "low "),
    ("primary ", "secondary "),
    ("benign ", "malignant "),
    ("no ", ""),
)


def match(name: str) -> NameMatch:
    return NameMatch(Entity(1, name, ("disease",), "test", 1), name, 1.0)


@given(
    st.sampled_from(STEMS),
    st.sampled_from(PAIRS),
    st.booleans(),
    st.integers(0, 30),
    st.sampled_from("aeiorst"),
)
def test_no_likeness_ties_opposed_or_numbered_names(
    stem: str, pair: tuple[str, str], turned: bool, place: int, letter: str
) -> None:
    """Neither as they are, nor with a letter more in one of them."""
    first, second = (pair[1], pair[0]) if turned else pair
    written, meant = first + stem, second + stem
    assert differ(written, meant)
    slip = len(first) + min(place, len(stem))
    for said in (written, written[:slip] + letter + written[slip:]):
        assert not is_misspelling(said, match(meant))
        assert not may_mean(said, match(meant))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hepatitis A", "hepatitis B"),
        ("vitamin B6", "vitamin B12"),
        ("type I diabetes", "type II diabetes"),
        ("typical pneumonia", "atypical pneumonia"),
        ("neutropenia", "neutrophilia"),
        ("bradycardia", "tachycardia"),
        ("type 2 diabetes", "diabetes"),
    ],
)
def test_near_misses(one: str, other: str) -> None:
    assert differ(one, other)
    assert differ(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("type II diabetes", "diabetes type 2"),
        ("high blood pressure", "hypertension"),
        ("swollen ankles", "swelling of the ankle"),
        ("burning when I pee", "painful urination"),
    ],
)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert not differ(one, other)


def test_a_part_of_a_negated_word_is_no_name() -> None:
    assert negated_before("non-Hodgkin lymphoma", 4)
    assert not negated_before("post Hodgkin", 5)


@pytest.mark.parametrize(
    ("written", "meant", "same"),
    [
        ("metroprolol", "metoprolol", True),
        ("metformine", "metformin", True),
        ("hydralzine", "hydralazine", True),
        ("pnuemonia", "pneumonia", True),
        ("hyprkalemia", "hyperkalemia", False),  # as near to hypokalemia
        *(
            (one, other, False)
            for pair in (
                ("hydroxyzine", "hydralazine"),
                ("metformin", "metronidazole"),
                ("prednisone", "prednisolone"),
                ("clonidine", "clonazepam"),
                ("Celebrex", "Celexa"),
                ("losartan", "valsartan"),
                ("nifedipine", "nimodipine"),
                ("omeprazole", "esomeprazole"),
                ("citalopram", "escitalopram"),
                ("lamivudine", "lamotrigine"),
                ("prednisolon", "prednisone"),
                ("vinblastine", "vincristine"),
            )
            for one, other in (pair, pair[::-1])
        ),
    ],
)
def test_look_alikes(written: str, meant: str, same: bool) -> None:
    assert is_misspelling(written, match(meant)) is same
    assert not may_mean(written, match(meant))
