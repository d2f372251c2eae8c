"""A word with several meanings waits for another word of one of them."""

from __future__ import annotations

import pytest

from reasoning.linking.homographs import decide, senses_of


@pytest.mark.parametrize(
    ("text", "word", "meaning"),
    [
        ("MS is hard", "MS", None),
        ("MS with lesions on the MRI", "MS", "multiple sclerosis"),
        ("MS and a murmur of the valve", "MS", "mitral stenosis"),
        ("MS with lesions and a valve", "MS", None),
        ("RA in my joints", "RA", "rheumatoid arthritis"),
        ("PE from a clot", "PE", "pulmonary embolism"),
        ("I have a cold and want to sleep", "cold", "common cold"),
        ("may I have a cold drink", "cold", None),
        ("cold and cough", "cold", "common cold"),
        ("in labor with contractions", "labor", "childbirth"),
        ("the labor market", "labor", "manual labor"),
        ("labor", "labor", None),
    ],
)
def test_context_decides_or_nobody(text: str, word: str, meaning: str | None) -> None:
    start = text.index(word)
    found = decide(senses_of(word), text, start, start + len(word))
    assert (found.name if found else None) == meaning


def test_abbreviations_are_in_capitals() -> None:
    assert senses_of("MS")
    assert not senses_of("ms")
    assert senses_of("a cold") == senses_of("Cold") != ()
