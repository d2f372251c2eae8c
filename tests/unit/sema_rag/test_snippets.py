"""Fewer sentences of each passage, for a model that reads slowly."""

from __future__ import annotations

from reasoning.grounding.passages import number_passages
from reasoning.methods.sema_rag.snippets import show_passages
from tests.evidence import evidence

GOUT = evidence(
    "90070001:0",
    "Gout hurts. Dolexan prevents attacks of gout. It is taken once a day. Dolexan is not for children.",
    title="Gout",
)
REST = evidence("90070002:0", "Rest helps.", title="Rest")
GIVEN = number_passages([GOUT, REST])


def test_without_a_limit_all_is_shown() -> None:
    assert show_passages(GIVEN, "dolexan", None) == GIVEN


def test_the_nearest_sentences_stay_in_their_order_with_their_numbers() -> None:
    first, second = show_passages(GIVEN, "Does dolexan prevent gout in children?", 2)
    assert [(one.ref, one.text) for one in first.sentences] == [
        ("1.2", "Dolexan prevents attacks of gout."),
        ("1.4", "Dolexan is not for children."),
    ]
    assert second == GIVEN[1], "a short passage is whole"
