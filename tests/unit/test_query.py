"""The query tree: its normal form, its words, and ways to ask for less."""

from __future__ import annotations

import pytest
from hypothesis import given

from storage.corpus.word_index import broader_names
from storage.documents import PartialDate
from storage.loosening import NEAR, drop_limits, leave_one_out, loosen
from storage.query import (
    AllOf,
    AnyOf,
    Field,
    HasAbstract,
    Published,
    Query,
    Term,
    Without,
    all_of,
    any_of,
    normalise,
    words_of,
)
from storage.words import split_words
from tests.queries import examples, trees

TIAB = Field.TITLE_ABSTRACT
A, B, C = Term("asthma", TIAB), Term("cough", TIAB), Term("wheeze", TIAB)
RECENT, REVIEW = Published(PartialDate(2020)), Term("review", Field.TYPE)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Sjögren’s syndrome", ["sjogren", "syndrome"]),
        ("β-blocker TNFα TNF-alpha", ["beta", "blocker", "tnf", "alpha", "tnf", "alpha"]),
        ("λ-carrageenan ς", ["lambda", "carrageenan", "sigma"]),
        ("PD-L1/CD8+ 2.4%", ["pd", "l1", "cd8", "2", "4"]),
        ("ﬁbrosis Straße Ⅳ", ["fibrosis", "strasse", "iv"]),
        ("肺癌 EGFR突变", ["肺", "癌", "egfr", "突", "变"]),
        ("καρκίνος", ["καρκινοσ"]),
        ("women's it's", ["women", "it"]),
        ("& + # '", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert split_words(text) == words
    assert split_words(" ".join(words)) == words


@pytest.mark.parametrize(
    ("tree", "normal"),
    [
        (AllOf((A, AllOf((B, AllOf((A,)))))), AllOf((A, B))),
        (AnyOf((AnyOf((A, B)), Term("&"), AllOf(()))), AnyOf((A, B))),
        (AllOf((Published(), Term("gout"))), Term("gout")),
        (AllOf(()), None),
        (Without(AllOf(()), A), None),
        (Without(A, Term("+")), A),
        (Without(Without(A, B), C), Without(A, AnyOf((B, C)))),
        (Published(PartialDate(1000), PartialDate(3000)), None),
        (Term("  this OR\tthat ", TIAB), Term("this or that", TIAB)),
        (Term("one", TIAB, near=3), Term("one", TIAB)),
        (Term("one two", near=3), Term("one two")),
        (Term("one two", TIAB, near=-3), Term("one two", TIAB, near=0)),
        (Term("abc", TIAB, prefix=True), Term("abc", TIAB)),
        (Term("abcd", TIAB, near=2, prefix=True), Term("abcd", TIAB, prefix=True)),
        (Term("two abcd", prefix=True), AllOf((Term("two"), Term("abcd", prefix=True)))),
        (Term("gout hasabstract"), AllOf((Term("gout"), HasAbstract()))),
        (Term("GER", Field.LANGUAGE), Term("german", Field.LANGUAGE)),
        (Term("Neoplasms", Field.MESH, near=1, prefix=True), Term("Neoplasms", Field.MESH)),
    ],
)
def test_normal_form(tree: Query, normal: Query | None) -> None:
    assert normalise(tree) == normal


def test_constructors_leave_nothing_out() -> None:
    assert all_of(A, None, any_of(B, C)) == AllOf((A, AnyOf((B, C))))
    assert any_of(None, all_of()) is None


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        (AllOf((Term("Is the PD-L1 test"), REVIEW, RECENT, HasAbstract())), ["pd", "l1", "test"]),
        (Without(A, Term("adults")), ["asthma"]),
        (AnyOf((A, Term("Asthma, Aspirin-Induced", Field.MESH))), ["asthma", "aspirin", "induced"]),
        (Term("english", Field.LANGUAGE), []),
    ],
)
def test_search_words(tree: Query, words: list[str]) -> None:
    assert words_of(tree) == words


def test_a_phrase_loosens_step_by_step() -> None:
    tree: Query | None = AllOf((Without(Term("dry eyes", Field.TITLE), A), REVIEW))
    seen = []
    for _ in range(5):
        assert tree
        tree = loosen(tree)
        seen.append(tree)
    words = (Term("dry", Field.TITLE), Term("eyes", Field.TITLE))
    assert seen == [
        AllOf((Without(base, A), REVIEW))
        for base in (
            Term("dry eyes", Field.TITLE, near=0),
            Term("dry eyes", Field.TITLE, near=NEAR),
            AllOf(words),
            AllOf((Term("dry", TIAB), Term("eyes", TIAB))),
            AllOf((Term("dry"), Term("eyes"))),
        )
    ]
    assert loosen(seen[-1]) == seen[-1]


def test_headings_loosen() -> None:
    alone = Term("Asthma/therapy", Field.MESH_ALONE)
    assert loosen(alone) == Term("Asthma/therapy", Field.MESH)
    assert loosen(Term("Asthma/therapy", Field.MESH)) == Term("Asthma")


def test_limits_and_concepts_are_dropped() -> None:
    tree = AllOf((A, AnyOf((B, C)), RECENT, HasAbstract(), REVIEW))
    assert drop_limits(tree) == AllOf((A, AnyOf((B, C))))
    assert drop_limits(Without(AllOf((A, RECENT)), B)) == A
    assert drop_limits(AnyOf((A, RECENT))) is None
    rest = (RECENT, HasAbstract(), REVIEW)
    assert leave_one_out(tree) == (AllOf((A, *rest)), AllOf((AnyOf((B, C)), *rest)))
    assert leave_one_out(Without(AllOf((A, B)), C)) == (Without(A, C), Without(B, C))
    assert leave_one_out(A) == leave_one_out(AllOf((A, RECENT))) == ()


@examples(200)
@given(trees())
def test_loosened_trees_are_normal(tree: Query) -> None:
    normal = normalise(tree)
    if normal is not None:
        for wider in (loosen(normal), drop_limits(normal), *leave_one_out(normal)):
            assert wider is None or normalise(wider) == wider


@pytest.mark.parametrize(
    ("name", "broader"),
    [
        ("Breast Neoplasms, Male", ["breast neoplasms male", "breast neoplasms", "neoplasms"]),
        ("Carcinoma, Non-Small-Cell Lung", ["carcinoma non small cell lung", "carcinoma"]),
        ("Heart Failure", ["heart failure", "failure"]),
        ("+", []),
    ],
)
def test_headings_above(name: str, broader: list[str]) -> None:
    assert broader_names(name) == broader
