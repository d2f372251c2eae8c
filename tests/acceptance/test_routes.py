"""What an answer says of its route: the decision, what ran, and a notice where they differ."""

from __future__ import annotations

import pytest

from config.resources import read_toml
from tests.program import Call


def test_several_things_are_tied_together_over_the_graph(call: Call) -> None:
    answer = call("ask", "Can I take warfarin with aspirin?", "--json", "--no-history", "--offline").json()
    assert (answer["route"]["method"], answer["route"]["ran"]) == ("mirage", "mirage")
    (path,) = [cited for cited in answer["citations"] if cited["kind"] == "path"]
    (fact,) = path["facts"]
    assert (fact["head"], fact["relation"], fact["tail"]) == ("warfarin", "interacts_with", "aspirin")


def test_what_the_graph_does_not_tie_together_is_handed_over(call: Call) -> None:
    words = ("ask", "What is gout?", "--method", "mirage", "--json", "--no-history", "--offline")
    answer = call(*words).json()
    assert (answer["route"]["method"], answer["route"]["ran"]) == ("mirage", "literature")
    texts = [item["text"] for item in answer["answer"]["notices"] if item["code"] == "handover"]
    assert texts == [read_toml("notices/en.toml")["handover"]]


@pytest.mark.parametrize(
    ("question", "method"),
    [
        ("What is gout?", "literature"),
        ("Which drug treats gout? A. allopurinol B. warfarin C. metformin", "sema-rag"),
        ("What are the side effects of radiation therapy for lung cancer?", "cometa"),
    ],
)
def test_what_is_built_runs_as_decided(call: Call, question: str, method: str) -> None:
    answer = call("ask", question, "--json", "--no-history", "--offline").json()
    assert (answer["route"]["method"], answer["route"]["ran"]) == (method, method)
    assert "handover" not in [item["code"] for item in answer["answer"]["notices"]]


def test_nothing_is_said_of_a_search_that_did_not_run(call: Call) -> None:
    answer = call("ask", "乳腺癌早期有什么症状", "--json", "--no-history", "--offline").json()
    assert answer["route"]["method"] == "cometa"
    assert "handover" not in [item["code"] for item in answer["answer"]["notices"]]
