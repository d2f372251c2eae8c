"""Sentences that no passage holds (methods.md 1.6 step 8, case F16)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reasoning.retrieval.segmentation.long_sentences import cut_long
from reasoning.retrieval.segmentation.sentences import Span


def _words(texts: list[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def _bytes(texts: list[str]) -> list[int]:
    return [len(text.encode()) for text in texts]


def _cut(text: str, limit: int) -> list[str]:
    return [text[slice(*piece)] for piece in cut_long(text, Span(0, len(text)), _words, limit)]


def test_clauses_before_phrases_before_words() -> None:
    text = "one two three, four; five six, seven eight; nine"
    assert _cut(text, 6) == ["one two three, four; ", "five six, seven eight; nine"]
    assert _cut("one two, three four five, six", 4) == ["one two, ", "three four five, six"]
    assert _cut("a b c d e", 3) == ["a b c ", "d e"]


def test_white_space_before_the_first_word_is_kept() -> None:
    assert _cut("\n one two three four", 2) == ["\n ", "one two ", "three four"]


def test_no_cut_inside_a_number() -> None:
    assert _cut("one two three 1,000 four five six", 4) == ["one two three 1,000 ", "four five six"]


def test_rows_are_cut_between_cells() -> None:
    assert _cut("60 mg | a b c | d e", 6) == ["60 mg | ", "a b c | d e"]


def test_graphemes_stay_whole_in_a_hard_cut() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"  # 18 bytes, one picture
    text = "e\u0301" * 5 + family * 3
    pieces = [text[slice(*piece)] for piece in cut_long(text, Span(0, len(text)), _bytes, 20)]
    assert pieces == ["e\u0301" * 5, family, family, family]


@given(st.text(min_size=1, max_size=60), st.text(max_size=5), st.integers(8, 30))
def test_pieces_tile_and_fit(text: str, before: str, limit: int) -> None:
    text = text.encode("utf-8", "replace").decode()
    whole = before + text
    pieces = cut_long(whole, Span(len(before), len(whole)), _words, 3)
    assert "".join(whole[slice(*piece)] for piece in pieces) == text
    pieces = cut_long(text, Span(0, len(text)), _bytes, limit)
    assert "".join(text[slice(*piece)] for piece in pieces) == text
    graphemes = [piece for piece in pieces if len(text[slice(*piece)].encode()) > limit]
    assert all("\u200d" in text[slice(*piece)] or piece.end - piece.start > 1 for piece in graphemes)
