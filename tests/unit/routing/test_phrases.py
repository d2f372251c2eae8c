"""Folding and finding names."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.routing.phrases import Phrases
from reasoning.routing.words import fold, split_words

NAMES = Phrases([("heart attack", 1), ("heart", 2), ("MS", 3), ("pneumonia", 4), ("pain in knee", 5)])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Leukaemias", "leukemia"),
        ("oesophagus", "esophagus"),
        ("metastases", "metastasis"),
        ("biopsies", "biopsy"),
        ("carcinomata", "carcinoma"),
        ("tumours", "tumor"),
        ("Crohn’s", "crohn"),
        ("viruses", "virus"),
        ("Sjögren", "sjogren"),
    ],
)
def test_forms_of_a_word_are_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("heart attacks hurt the heart", [1, 2]),
        ("heart. attack", [2]),
        ("MS and ms", [3]),
        ("I HAVE MS AND NOTHING ELSE IN THE WHOLE WORLD", []),
        ("pnemonia", [4]),
        ("pain in my left knee", [5]),
        ("pain in knee my", [5]),
    ],
)
def test_names_are_found(text: str, values: list[int]) -> None:
    assert [found.value for found in NAMES.find(split_words(text))] == values


def test_misspellings_are_marked() -> None:
    assert [found.exact for found in NAMES.find(split_words("pnemonia pneumonia"))] == [False, True]


@given(st.text())
def test_words_lie_in_the_text_in_order(text: str) -> None:
    words = split_words(text)
    assert all(text[word.start : word.end] == word.raw for word in words)
    assert all(one.end <= two.start for one, two in pairwise(words))
