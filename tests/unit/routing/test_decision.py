"""The decision on the development questions, its signals, and that no text breaks it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoning.routing import judge
from tests.unit.routing.development import QUESTIONS

METHODS = {"exam": "sema-rag", "cancer": "cometa", "multi_entity": "mirage", "general": "literature"}


def test_the_development_questions_are_many_and_of_both_languages() -> None:
    assert len(QUESTIONS) >= 150
    assert sum(language == "zh" for _, language, _ in QUESTIONS) >= 30


@pytest.mark.parametrize(("label", "language", "question"), QUESTIONS)
def test_development_questions_go_where_they_should(label: str, language: str, question: str) -> None:
    decision = judge(question).route
    assert decision.method == METHODS[label], decision


def test_signals_and_reason_say_what_the_decision_rests_on() -> None:
    exam = judge("Best drug for gout with lymphoma? A. allopurinol B. aspirin").route
    assert exam.signals.options == ["A", "B"]
    assert exam.signals.cancer_terms == ["lymphoma"]
    assert {"gout", "allopurinol", "aspirin"} <= set(exam.signals.entities)
    assert "options" in exam.reason
    assert "lymphoma" in judge("what is lymphoma").route.reason
    assert judge("warfarin and ibuprofen").route.signals.entities == ["warfarin", "ibuprofen"]


@pytest.mark.parametrize("wanted", ["cometa", "mirage", "sema-rag", "literature"])
def test_a_method_asked_for_by_name_wins(wanted: str) -> None:
    judgement = judge("What is lung cancer?", wanted)
    assert judgement.route.method == wanted
    assert judgement.route.ran == wanted
    assert judgement.other is None
    assert judgement.route.signals.cancer_terms == ["cancer"]


@pytest.mark.parametrize(
    ("question", "method", "other"),
    [
        ("I have a lump on my wrist", "literature", "cometa"),
        ("Can stress make psoriasis worse?", "literature", "mirage"),
        ("Can metformin help with psoriassis?", "mirage", "literature"),
        ("What is lung cancer?", "cometa", None),
        ("What is gout?", "literature", None),
        ("warfarin and ibuprofen", "mirage", None),
    ],
)
def test_ties_are_where_signals_are_weak(question: str, method: str, other: str | None) -> None:
    judgement = judge(question)
    assert (judgement.route.method, judgement.other) == (method, other)


@given(st.text())
def test_no_text_breaks_the_router(text: str) -> None:
    assert judge(text).route.method in METHODS.values()


_PIECES = st.sampled_from(
    [
        *(
            "A.",
            "B)",
            "(A)",
            "(B)",
            "1.",
            "2)",
            "①",
            "②",
            "- ",
            "\n",
            "yes/no/maybe",
            "options: ",
            ";",
            ".",
            "?",
            " ",
        ),
        *(
            "cancer",
            "癌",
            "not ",
            "benign ",
            "ALL",
            "St. ",
            "pain in my ",
            "left ",
            "knee",
            "diabetes",
            "糖尿病",
            "和",
        ),
    ]
)


@settings(max_examples=300)
@given(st.lists(_PIECES, max_size=60).map("".join))
def test_no_mixture_of_signals_breaks_the_router(text: str) -> None:
    route: Any = judge(text).route
    assert len(set(route.signals.entities)) == len(route.signals.entities)


@pytest.mark.parametrize(
    "piece",
    [
        "A. ",
        "(A) (B) ",
        "not a ",
        "1) x ",
        "- \n",
        "St. ",
        "pain in my left ",
        "癌",
        "cancer ",
        "\n",
        "yes no ",
    ],
)
def test_long_texts_are_read_in_linear_time(piece: str) -> None:
    """A hang limit only: a quadratic search would take minutes here."""
    import time

    began = time.monotonic()
    judge(piece * (200_000 // len(piece)))
    assert time.monotonic() - began < 60
