"""Levels from strict to loose: four at most, none without words, capital words stay words (case F05)."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoning.llm import Budget, RulesOnly
from reasoning.methods.cometa.strategy import Level, date_limit, plan_levels
from reasoning.rewriting import Concept, DateLimit, Pico, Rewriting, Vocabulary, rewrite
from reasoning.trace import Trace
from storage.documents import PartialDate
from storage.query import AllOf, Field, HasAbstract, Published, Query, normalise, search_terms, words_of
from tests.unit.rewriting.vocabularies import SmallCorpus

TODAY = date(2026, 11, 29)
CORPUS = SmallCorpus()


def levels_of(question: str, language: str = "en") -> tuple[Level, ...]:
    done = asyncio.run(rewrite(question, language, CORPUS, RulesOnly(), Budget(), Trace()))
    return plan_levels(done.value, done.vocabulary, TODAY)


def texts(query: Query) -> str:
    return " ".join(term.text for term in search_terms(query))


def asked(*concepts: Concept, limit: DateLimit | None = None) -> Rewriting:
    return Rewriting(
        corrected="", question_en="a question", pico=Pico(P=list(concepts)), date=limit or DateLimit()
    )


def test_each_level_asks_for_less() -> None:
    levels = levels_of("Does osimertinib prolong survival of lung cancer? Studies of the last 3 years")
    assert [level.name for level in levels] == ["L1", "L2", "L3", "L4"]
    strict, abstract, relaxed, rescue = (level.query for level in levels)
    for query, first in ((strict, 2023), (abstract, 2023), (relaxed, 2020)):
        assert isinstance(query, AllOf)
        assert Published(PartialDate(first)) in query.parts
    assert isinstance(strict, AllOf)
    assert HasAbstract() in strict.parts
    assert isinstance(relaxed, AllOf)
    assert HasAbstract() not in relaxed.parts
    assert "Published" not in str(rescue)


def test_strict_terms_have_fields_and_relaxed_ones_have_none() -> None:
    levels = levels_of("naproxen and warfarin")
    assert all(term.field is not Field.ANY for term in search_terms(levels[0].query))
    assert all(term.field is Field.ANY for term in search_terms(levels[2].query))


def test_names_take_no_other_endings() -> None:
    levels = levels_of("BRCA1 and osimertinib in psoriasis")
    stemmed = {term.text for term in search_terms(levels[0].query) if term.prefix}
    assert stemmed
    assert stemmed.isdisjoint({"BRCA1", "osimertinib"})


def test_relaxed_wants_two_of_the_rarest() -> None:
    concepts = [Concept(name=name) for name in ("warfarin", "naproxen", "psoriasis")]
    relaxed = plan_levels(asked(*concepts), Vocabulary(), TODAY)[2].query
    pairs = {frozenset(words_of(pair)) for pair in getattr(relaxed, "parts", ())}
    assert pairs == {
        frozenset(pair)
        for pair in (("warfarin", "naproxen"), ("warfarin", "psoriasis"), ("naproxen", "psoriasis"))
    }


def test_one_concept_needs_fewer_levels() -> None:
    levels = levels_of("What is psoriasis?")
    assert len({level.query for level in levels}) == len(levels) < 4


def test_without_a_concept_the_keywords_are_asked_for() -> None:
    levels = plan_levels(
        Rewriting(corrected="", question_en="what about the umbrella", pico=Pico()), Vocabulary(), TODAY
    )
    assert [words_of(level.query) for level in levels] == [["umbrella"]]
    assert not plan_levels(
        Rewriting(corrected="", question_en="and or not", pico=Pico()), Vocabulary(), TODAY
    )


@pytest.mark.parametrize(
    ("kind", "value", "times", "first", "last"),
    [
        ("last_years", "5", 1, 2021, None),
        ("last_years", "5", 2, 2016, None),
        ("since", "2020", 1, 2020, None),
        ("since", "2020", 2, 2014, None),
        ("range", "2015-2019", 1, 2015, 2019),
        ("range", "2015-2019", 2, 2010, 2019),
    ],
)
def test_date_limits(kind: str, value: str, times: int, first: int, last: int | None) -> None:
    limit = DateLimit.model_validate({"kind": kind, "value": value})
    expected = Published(PartialDate(first), PartialDate(last) if last else None)
    assert date_limit(asked(limit=limit), TODAY, times) == expected


@pytest.mark.parametrize("value", ["", "soon", None, "9999", "99999999", "-"])
@pytest.mark.parametrize("kind", ["none", "since", "last_years", "range"])
def test_a_date_that_says_nothing_is_left_out(kind: str, value: str | None) -> None:
    limit = date_limit(asked(limit=DateLimit.model_validate({"kind": kind, "value": value})), TODAY)
    assert limit is None


@pytest.mark.shared_data
def test_questions_of_the_field(shared: Path) -> None:
    """The rows of F05 that a person typed."""
    rows = json.loads((shared / "cases/inputs/F05_questions.json").read_text())["rows"]
    for row in (row for row in rows if "said" in row):
        levels = levels_of(row["said"], "zh" if row["id"] == "chinese" else "en")
        said = " ".join(texts(level.query) for level in levels).casefold()
        for wanted in row.get("keep", ()):
            assert any(form.casefold() in said for form in wanted.split("|")), (row["id"], wanted, said)
        for word in row.get("not_operator", ()):
            assert word not in " ".join(texts(level.query) for level in levels).split(), row["id"]
        if row.get("ladder"):
            assert len(levels) > 1, row["id"]
        if row.get("ascii_terms"):
            assert said.isascii(), row["id"]
        assert all(words_of(level.query) for level in levels), row["id"]


def check_levels(levels: tuple[Level, ...]) -> None:
    assert len(levels) <= 4
    for level in levels:
        assert words_of(level.query)
        assert normalise(level.query) == level.query
        for term in search_terms(level.query):
            assert not any("\u3040" <= character <= "\uffdc" for character in term.text)


@settings(deadline=None, max_examples=150)
@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(
            st.sampled_from(
                [
                    "AND",
                    "OR",
                    "NOT",
                    "(",
                    '"',
                    "[tiab]",
                    "warfarin",
                    "我妈",
                    "肺癌",
                    "替尼",
                    "cáncer",
                    "p.V600E",
                    "since 2020",
                ]
            ),
            max_size=12,
        ).map(" ".join),
    ),
    st.sampled_from(["en", "zh", "es", "de", "ja"]),
)
def test_any_text_makes_sound_levels(text: str, language: str) -> None:
    check_levels(levels_of(text, language))


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.builds(
            Concept,
            name=st.text(max_size=30),
            mesh_candidates=st.lists(st.text(max_size=10), max_size=2),
            synonyms=st.lists(st.text(max_size=10), max_size=2),
            gene=st.none() | st.text(max_size=5),
            must=st.booleans(),
        ),
        max_size=6,
    ),
    st.builds(
        DateLimit,
        kind=st.sampled_from(["none", "last_years", "range", "since"]),
        value=st.none() | st.text(alphabet="0123456789-", max_size=9),
    ),
)
def test_any_draft_makes_sound_levels(concepts: list[Concept], limit: DateLimit) -> None:
    check_levels(plan_levels(asked(*concepts, limit=limit), Vocabulary(), TODAY))
