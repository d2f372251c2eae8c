"""Query trees as PubMed's text and back (methods.md 5.3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.retrieval.pubmed import Problem, QuerySyntaxError, lint, parse_query, print_query
from storage.documents import PartialDate
from storage.query import (
    AllOf,
    AnyOf,
    Field,
    HasAbstract,
    Published,
    Query,
    Term,
    Without,
    normalise,
    words_of,
)
from tests.queries import examples, trees

TIAB, MESH = Field.TITLE_ABSTRACT, Field.MESH


@pytest.mark.parametrize(
    ("tree", "printed"),
    [
        (Term("EGFR", TIAB), "EGFR[tiab]"),
        (Term("lung cancer", TIAB), '"lung cancer"[tiab]'),
        (Term("lung cancer", TIAB, near=0), '"lung cancer"[tiab:~0]'),
        (Term("osimert", TIAB, prefix=True), "osimert*[tiab]"),
        (Term("PD-L1", TIAB), '"PD-L1"[tiab]'),
        (Term("dry eyes"), "dry eyes"),
        (Term("Lung Neoplasms", MESH), '"Lung Neoplasms"[mh]'),
        (Term("Heart", Field.MESH_ALONE), "Heart[mh:noexp]"),
        (Term("review", Field.TYPE), "review[pt]"),
        (Term("en", Field.LANGUAGE), "english[la]"),
        (Published(PartialDate(2020, 1), PartialDate(2026, 12)), "2020/01:2026/12[dp]"),
        (Published(PartialDate(2020)), "2020:3000[dp]"),
        (Published(None, PartialDate(2020, 2, 29)), "1000:2020/02/29[dp]"),
        (HasAbstract(), "hasabstract"),
        (
            AllOf((AnyOf((Term("a1", TIAB), Term("b1", TIAB))), Term("dry eyes"), HasAbstract())),
            "(a1[tiab] OR b1[tiab]) AND (dry eyes) AND hasabstract",
        ),
        (Without(Term("gout", TIAB), Term("review", Field.TYPE)), "gout[tiab] NOT review[pt]"),
        (
            AllOf((Term("gout", TIAB), Without(Term("pain", TIAB), Term("hip", TIAB)))),
            "gout[tiab] AND (pain[tiab] NOT hip[tiab])",
        ),
    ],
)
def test_printed(tree: Query, printed: str) -> None:
    assert print_query(tree) == printed
    assert parse_query(printed) == normalise(tree)
    assert lint(printed) == [] or not words_of(tree)


@pytest.mark.parametrize(
    "said",
    ["CAN I TAKE NAPROXEN OR NOT WITH WARFARIN", "what does an OR of 2.4 (95% CI) mean", 'a "b" [tiab] c*'],
)
def test_patient_words_are_data(said: str) -> None:
    printed = print_query(Term(said))
    assert not {"AND", "OR", "NOT"} & set(printed.split())
    assert not set('"()[]*') & set(printed)
    assert parse_query(printed) == normalise(Term(said))


def test_characters_are_kept() -> None:
    """Greek letters, accents, apostrophes, & + % # reach the transport as they were typed."""
    said = "Sjögren’s β-blocker vitamin C & cold + zinc 50% dose #2"
    assert print_query(Term(said)) == said.replace("’", "'")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a1 OR b1 AND c1", AllOf((AnyOf((Term("a1"), Term("b1"))), Term("c1")))),
        ("lung cancer[tiab] EGFR[ti]", AllOf((Term("lung cancer", TIAB), Term("EGFR", Field.TITLE)))),
        ('"Neoplasms"[MeSH Terms:noexp]', Term("Neoplasms", Field.MESH_ALONE)),
        ('"hip pain"[Title/Abstract:~3]', Term("hip pain", TIAB, near=3)),
        ('"2019"[Date - Publication] : "3000"[Date - Publication]', Published(PartialDate(2019))),
        ("2019[dp]", Published(PartialDate(2019), PartialDate(2019))),
        ("x1 NOT y1 NOT z1", Without(Term("x1"), AnyOf((Term("y1"), Term("z1"))))),
        ("systematic[sb] gout", AllOf((Term("systematic review", Field.TYPE), Term("gout")))),
        ("breast canc*", AllOf((Term("breast"), Term("canc", prefix=True)))),
        ("gout and or not", Term("gout and or not")),
    ],
)
def test_parsed(text: str, tree: Query) -> None:
    assert parse_query(text) == tree


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('"gout', Problem.UNBALANCED),
        ("(gout", Problem.UNBALANCED),
        ("gout[tiab", Problem.UNBALANCED),
        ("gout)(", Problem.UNBALANCED),
        ("“gout”[tiab]", Problem.CURLY_QUOTES),
        ("gout[Supplement]", Problem.UNKNOWN_TAG),
        ("痛风[tiab]", Problem.FOREIGN_SCRIPT),
        ("gou*[tiab]", Problem.SHORT_PREFIX),
        ("go*ut[tiab]", Problem.SHORT_PREFIX),
        (" OR ".join(["goutish*[tiab]"] * 257), Problem.TOO_MANY_WILDCARDS),
        ("gout " * 5000, Problem.TOO_LONG),
        ("[pdat]", Problem.NO_SEARCH_WORD),
        ("AND OR", Problem.NO_SEARCH_WORD),
        ("review[pt] AND 2020[dp]", Problem.NO_SEARCH_WORD),
        ("of the", Problem.NO_SEARCH_WORD),
        ("gout AND", Problem.NO_QUERY),
        ("gout OR AND pain", Problem.NO_QUERY),
        ("gout:pain", Problem.NO_QUERY),
        ("5 years[dp] AND gout", Problem.NO_QUERY),
    ],
)
def test_problems(text: str, problem: Problem) -> None:
    assert problem in lint(text)


@pytest.mark.parametrize(
    "text", ["", "()", "a1 AND ()", "NOT a1", "a1[tiab] AND NOT", "((a1)", "x1[nothing]", "(" * 5000]
)
def test_refused(text: str) -> None:
    with pytest.raises(QuerySyntaxError):
        parse_query(text)


@examples(300)
@given(trees() | trees(st.text(max_size=12)))
def test_round_trip(tree: Query) -> None:
    normal = normalise(tree)
    printed = print_query(tree)
    if normal is None:
        assert printed == ""
        return
    assert normalise(normal) == normal
    assert parse_query(printed) == normal
    assert print_query(normal) == printed
    found = set(lint(printed)) - {Problem.FOREIGN_SCRIPT}
    assert found == (set() if words_of(tree) else {Problem.NO_SEARCH_WORD})
