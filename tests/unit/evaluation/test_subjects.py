"""Whether a hit is still about the subject (case F04)."""

from __future__ import annotations

import pytest

from reasoning.evaluation.subjects import holds_subject, subject_of, subject_query
from reasoning.rewriting import Concept, Pico, Rewriting
from storage.documents import Article, MeshHeading, Section
from storage.query import search_terms

SYNDROME = Concept(name="Veldhoven-Asakura syndrome")
STROKE = Concept(name="stroke", synonyms=["cerebral infarction"], mesh_candidates=["Stroke"])
DRUG = Concept(name="silodosin", drug_generic="silodosin", drug_brand=["Rapaflo"])


def record(title: str = "", abstract: str = "", mesh: str = "") -> Article:
    headings = (MeshHeading(mesh),) if mesh else ()
    return Article(doc_id="1", title=title, source="test", sections=(Section(abstract),), mesh=headings)


@pytest.mark.parametrize(
    ("article", "concept", "holds"),
    [
        (record("Down syndrome and sleep", "A syndrome was seen."), SYNDROME, False),
        (record(abstract="Asakura saw it. Veldhoven's syndrome is another."), SYNDROME, False),
        (record(abstract="Asakura and Veldhoven saw the syndrome."), SYNDROME, True),
        (record(abstract="We met three children with the syndrome of Veldhoven-Asakura."), SYNDROME, True),
        (record("Falls after strokes"), STROKE, True),
        (record(abstract="Two infarctions, one of them cerebral."), STROKE, True),
        (record("Gait", mesh="Stroke"), STROKE, True),
        (record("Alpha blockers for the prostate"), DRUG, False),
        (record("Rapaflo and meals"), DRUG, True),
        (record(), DRUG, False),
    ],
)
def test_what_holds_a_concept(article: Article, concept: Concept, holds: bool) -> None:
    assert holds_subject(article, (concept,)) is holds
    assert holds_subject(article, (Concept(name="of the"), concept)) is holds


def test_the_subject_is_what_must_be_there() -> None:
    may = STROKE.model_copy(update={"must": False})
    asked = Rewriting(corrected="", question_en="", pico=Pico(P=[may], I=[DRUG]))
    assert subject_of(asked) == (DRUG,)
    assert subject_of(asked.model_copy(update={"pico": Pico(P=[may])})) == (may,)
    assert subject_of(asked.model_copy(update={"pico": Pico()})) == ()


def test_the_widest_query_has_every_name() -> None:
    query = subject_query((STROKE, DRUG))
    assert query is not None
    asked = {term.text.lower() for term in search_terms(query)}
    assert {"stroke", "cerebral infarction", "silodosin", "rapaflo"} <= asked
    assert subject_query((Concept(name="的"),)) is None
