"""The form of the graph's files, and what the check of the graph finds."""

from __future__ import annotations

import pytest

from bot.starter_graph import find_faults, occurs
from storage.facts import Fact, read_facts, starter_facts

HEADER = "head\trelation\ttail\tsource\n"
TEXTS = {"lib-gout": "Gout\nColchicine may treat gout. Gout causes joint pain. Aspirin can cause gout."}


def test_lines_that_are_no_facts_are_named():
    text = (
        HEADER + " gout \thas_symptom\tjoint  pain\tlib-gout\n\ngout\thas_symptom\tNaN\tlib-gout\nx\ty\tz\n"
    )
    facts, rejected = read_facts(text)
    assert facts == (Fact("gout", "has_symptom", "joint pain", "lib-gout"),)
    assert [(each.line, each.reason) for each in rejected] == [
        (3, "It has 1 columns, not 4."),
        (4, "It has no tail."),
        (5, "It has 3 columns, not 4."),
    ]


@pytest.mark.parametrize("text", ["", "head\ttail\trelation\tsource\na\tb\tc\td\n", "a\thas_symptom\tb\td\n"])
def test_a_file_without_its_header_is_rejected_whole(text: str):
    facts, rejected = read_facts(text)
    assert facts == ()
    assert [each.line for each in rejected] == [1]


@pytest.mark.parametrize(
    ("facts", "fault"),
    [
        ([("gout", "has_symptom", "joint pain", "lib-goat")], "unknown source"),
        ([("gout", "has_symptom", "fever", "lib-gout")], "not in its source, 'fever'"),
        ([("gout", "has_symptom", "pain in", "lib-gout")], "not in its source, 'pain in'"),
        ([("gout", "hurts", "joint pain", "lib-gout")], "unknown relation"),
        ([("gout", "is_a", "Gout", "lib-gout")], "both ends are the same"),
        ([("gout", "has_symptom", "joint pain", "lib-gout")] * 2, "said twice"),
        (
            [
                ("gout", "need_medication", "colchicine", "lib-gout"),
                ("Colchicine", "possible_cure_disease", "gout", "lib-gout"),
            ],
            "its inverse is listed",
        ),
        (
            [
                ("aspirin", "interacts_with", "colchicine", "lib-gout"),
                ("colchicine", "interacts_with", "aspirin", "lib-gout"),
            ],
            "its inverse is listed",
        ),
        (
            [
                ("gout", "need_medication", "colchicine", "lib-gout"),
                ("colchicine", "need_medication", "joint pain", "lib-gout"),
            ],
            "'colchicine' is a disease in",
        ),
    ],
)
def test_each_fault_is_found_once(facts: list[tuple[str, str, str, str]], fault: str):
    (found,) = find_faults([Fact(*each) for each in facts], TEXTS)
    assert found.startswith(fault)


def test_sound_facts_have_no_fault():
    facts = [
        Fact("Gout", "has_symptom", "joint pain", "lib-gout"),
        Fact("gout", "need_medication", "Colchicine", "lib-gout"),
        Fact("aspirin", "side_effect", "gout", "lib-gout"),
    ]
    assert list(find_faults(facts, TEXTS)) == []


def test_an_end_is_a_whole_phrase():
    assert occurs("gout", "Gout, at night.")
    assert occurs("A1C (test)", "an a1c (test).")
    assert not occurs("gout", "goutweed")


def test_the_shipped_facts_are_read():
    assert Fact("gout", "is_a", "arthritis", "lib-gout") in starter_facts()
