"""Linking: names, other names, compounds, misspellings, and what is no entity."""

from __future__ import annotations

import pytest

from reasoning.routing import link_entities
from reasoning.routing.entity_lexicon import LANGUAGES, load_concepts
from reasoning.routing.lexicon import read_lexicon, read_names
from reasoning.routing.words import split_words


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Tylenol and Advil", ["paracetamol", "ibuprofen"]),
        ("high blood pressure, also called hypertension", ["hypertension"]),
        ("type 2 diabetes mellitus in diabetics", ["diabetes"]),
        ("St. John's wort", ["St. John's wort"]),
        ("pain in my left knee", ["knee pain"]),
        ("migraine headaches", ["migraine"]),
        ("asthma inhaler", ["asthma"]),
        ("hemmorhoids", ["hemorrhoids"]),
        ("MS is hard", ["multiple sclerosis"]),
        ("25 ms and ms. Smith", []),
        ("Is there a treatment for the pain, doctor? Symptoms of disease", []),
        ("patience is healing and stronger", []),
        ("nervous system", []),
        ("heart, attack", []),
        ("hepatitis A", ["hepatitis A"]),
        ("糖尿病合并高血压", ["糖尿病", "高血压"]),
        ("血压高就是高血压", ["高血压"]),
        ("", []),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert [entity.name for entity in link_entities(text)] == names


def test_places_are_those_of_the_text() -> None:
    text = "Does Coumadin go with the knee pain pills?"
    for entity in link_entities(text):
        assert text[entity.start : entity.end] == entity.text


def test_kinds_and_weakness() -> None:
    found = {
        entity.name: entity for entity in link_entities("warfarin, stress, MRI, lisinipril and CFTR, alcohol")
    }
    assert {name: entity.kind for name, entity in found.items()} == {
        "warfarin": "drug",
        "stress": "weak",
        "MRI": "test",
        "lisinopril": "drug",
        "CFTR": "gene",
        "alcohol": "circumstance",
    }
    assert {name for name, entity in found.items() if entity.weak} == {"stress", "lisinopril"}


def test_the_lexicons_are_broad() -> None:
    sizes = {}
    for language in LANGUAGES:
        blocks = (value for value in read_lexicon("entities", language).values() if isinstance(value, str))
        sizes[language] = len({name for block in blocks for names in read_names(block) for name in names})
    assert sizes["en"] >= 1500
    assert sizes["zh"] >= 500


def test_topics_of_the_starter_library_are_linked() -> None:
    topics = {match.value.name for match in load_concepts().find(split_words("osimertinib and Wilms tumor"))}
    assert len(topics) == 2
