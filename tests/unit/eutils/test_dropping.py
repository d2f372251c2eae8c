"""What a search went on without: named by PubMed, or found by comparing (case F04)."""

from __future__ import annotations

import pytest

from reasoning.retrieval.eutils.documents import Found
from reasoning.retrieval.eutils.dropping import find_dropped, words_asked
from storage.query import AllOf, AnyOf, Field, Published, Term, Without

ALL = Found(1, ("1",), '"lung neoplasms"[MeSH Terms] OR "lung"[All Fields] AND "cancer"[All Fields]')


def test_words_asked_are_those_of_texts() -> None:
    query = AllOf(
        (
            AnyOf((Term("Lung Neoplasms", Field.MESH), Term("lung cancer", Field.TITLE_ABSTRACT))),
            Without(Term("Sjögren's EGFR-T790M"), Term("mice")),
            Term("review", Field.TYPE),
            Published(),
        )
    )
    assert words_asked(query) == ["lung", "cancer", "sjogren", "egfr", "t790m"]


@pytest.mark.parametrize(
    ("asked", "found", "dropped"),
    [
        ("lung cancer", ALL, ()),
        ("lung cancers", ALL, ()),  # a form of the word
        ("lung cancer xyzzylomab", ALL, ("xyzzylomab",)),  # went without a word about it
        ("the lung of my own", ALL, ()),  # grammar
        ("lung mri", ALL, ()),  # too short to compare
        ("anything", Found(0), ()),  # no translation
        ("abc", Found(0, phrases_not_found=("fleegle[MeSH Terms]",)), ("fleegle",)),
        ("xyzzyl", Found(1, translation="x[All Fields]", phrases_not_found=("xyzzyl",)), ("xyzzyl",)),
        ("water tablets", Found(1, translation="x[tiab]", quoted_phrases_not_found=('"water tablets"',)), ()),
        ("about water", Found(1, translation="water[tiab]", ignored=("about",)), ()),
        ("attack", Found(1, translation='"myocardial"[mh]', rewritten={"heart attack": "x"}), ()),
    ],
)  # fmt: skip
def test_dropped_words(asked: str, found: Found, dropped: tuple[str, ...]) -> None:
    assert find_dropped(found, words_asked(Term(asked))) == dropped
