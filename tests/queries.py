"""Query trees of any shape for property tests. CARECITE_TEST_EXAMPLES raises how many are tried."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from storage.documents import PartialDate
from storage.query import AllOf, AnyOf, Field, HasAbstract, Published, Query, Term, Without

EXAMPLES = int(os.environ.get("CARECITE_TEST_EXAMPLES", "0"))


def examples(usual: int) -> settings:
    """`usual` examples in the suite, or as many as the setting says."""
    return settings(
        max_examples=EXAMPLES or usual, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )


_WORDS = """
lung cancer egfr hip pain quality of life the OR NOT aspirin α TNFα β-blocker PD-L1 Crohn's Sjögren’s 2.4
cancerous hips 肺癌
"""
WORDS = tuple(_WORDS.split())
HEADINGS = (
    "Lung Neoplasms",
    "Neoplasms",
    "Diabetes Mellitus",
    "Diabetes Mellitus, Type 2",
    "Heart",
    "Heart Failure",
    "Pain",
)
TYPES = ("Review", "Systematic Review", "Randomized Controlled Trial", "Clinical Trial, Phase III")
LANGUAGES = ("en", "ger", "english", "German")

phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
days = st.builds(PartialDate, st.integers(2018, 2022), st.none() | st.integers(1, 12)) | st.builds(
    PartialDate, st.integers(2018, 2022), st.integers(1, 12), st.integers(1, 31)
)


def text_terms(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Query]:
    fields = st.sampled_from([Field.ANY, Field.TITLE_ABSTRACT, Field.TITLE])
    return st.builds(Term, texts, fields, st.none() | st.integers(0, 6), st.booleans())


def names(field: Field, known: tuple[str, ...]) -> st.SearchStrategy[Query]:
    return st.builds(Term, st.sampled_from(known), st.just(field))


def limits() -> st.SearchStrategy[Query]:
    return st.one_of(
        names(Field.TYPE, TYPES),
        names(Field.LANGUAGE, LANGUAGES),
        st.builds(Published, st.none() | days, st.none() | days),
        st.just(HasAbstract()),
    )


def trees(texts: st.SearchStrategy[str] = phrases) -> st.SearchStrategy[Query]:
    """Trees in any form, normal or not."""
    leaves = st.one_of(
        text_terms(texts),
        text_terms(texts),
        names(Field.MESH, HEADINGS),
        names(Field.MESH_ALONE, HEADINGS),
        limits(),
    )

    def branches(inner: st.SearchStrategy[Query]) -> st.SearchStrategy[Query]:
        parts = st.lists(inner, max_size=4).map(tuple)
        return st.one_of(st.builds(AllOf, parts), st.builds(AnyOf, parts), st.builds(Without, inner, inner))

    return st.recursive(leaves, branches, max_leaves=8)
