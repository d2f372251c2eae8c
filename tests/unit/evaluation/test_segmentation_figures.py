"""Measuring of cuts: rulers, ranges of other libraries' chunks, quotes, intervals over articles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.evaluation.metrics import interval_by
from reasoning.evaluation.segmentation_peers import PeerChangedText, ranges_of
from reasoning.evaluation.segmentation_ruler import Ruler
from reasoning.evaluation.segmentation_set import find_quote


def letters(texts: Sequence[str]) -> list[int]:
    return [len(text) for text in texts]


WORDS = st.lists(st.text("abc", min_size=1, max_size=6), min_size=1, max_size=40)


@given(WORDS, st.integers(6, 30), st.integers(0, 12))
def test_windows_cover_the_text_and_keep_their_size(words: list[str], size: int, overlap: int) -> None:
    text = " ".join(words)
    ruler = Ruler(text, letters)
    windows = ruler.windows(size, overlap)
    assert windows[0][0] == 0
    assert windows[-1][1] == len(text)
    assert all(ruler.tokens(window) <= size for window in windows)
    for (start, end), (following, _) in pairwise(windows):
        assert start < following
        assert text[end:following].strip() == ""
        assert following >= end or ruler.tokens((following, end)) <= overlap


@given(WORDS, st.integers(1, 30))
def test_a_head_is_the_start_of_its_range(words: list[str], room: int) -> None:
    text = " ".join(words)
    ruler = Ruler(text, letters)
    start, end = ruler.head((0, len(text)), room)
    assert start == 0
    assert ruler.tokens((0, end)) <= max(room, len(words[0]))
    assert end == len(text) or ruler.tokens((0, end + 2)) > room


@given(st.lists(st.text("ab \n", max_size=6), max_size=12))
def test_chunks_that_differ_in_blanks_alone_are_found(pieces: list[str]) -> None:
    found = ranges_of("".join(pieces), [" ".join(piece.split()) for piece in pieces])
    assert len(found) == sum(bool(piece.strip()) for piece in pieces)
    assert all(a[1] <= b[0] for a, b in pairwise(found))


def test_changed_text_is_an_error() -> None:
    with pytest.raises(PeerChangedText):
        ranges_of("one two", ["one", "too"])


def test_a_quote_is_found_across_line_ends() -> None:
    assert find_quote("It was\nlower (p = 0.02).", "was lower (p = 0.02)") == (3, 23)
    assert find_quote("It was lower.", "was higher") is None


def test_intervals_over_articles_are_wider_where_questions_repeat() -> None:
    values = np.repeat([1.0, 0.0, 1.0, 1.0, 0.0, 1.0], 20)
    one = interval_by(values, [str(n) for n in range(len(values))])
    many = interval_by(values, [str(n // 20) for n in range(len(values))])
    assert many[1] - many[0] > 2 * (one[1] - one[0])
