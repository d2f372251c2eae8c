"""A question with options: the option that the library bears out, with its sentences, or none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.emulators.model import Chat, ModelServer, Reply
from tests.program import Call

STEM = "Which medicine lowers uric acid in people with gout?"
GOUT = f"{STEM} A) salbutamol B) allopurinol C) insulin D) warfarin"


def ask(call: Call, question: str, *words: str, **settings: str) -> Any:
    asked = call(
        "ask", "--json", "--no-history", "--offline", "--method", "cometa", *words, question, **settings
    )
    assert asked.code == 0, asked.err
    return asked.json()


def test_a_choice_stands_with_the_sentences_that_bear_it_out(call: Call) -> None:
    answer = ask(call, GOUT, "--trace")
    body = answer["answer"]
    assert body["choice"] == {"label": "B", "text": "allopurinol"}, answer["report"]
    assert "allopurinol" in body["sentences"][0]["text"]
    assert body["sentences"][0]["text"] in answer["citations"][0]["quote"]
    assert body["text"].startswith("Answer: B) allopurinol")
    assert answer["question"] == GOUT
    spans = [span for span in answer["trace"] if span["stage"] not in ("route", "choose", "step")]
    assert not [span for span in spans if "salbutamol" in json.dumps(span)], "options never enter a query"


@pytest.mark.parametrize(
    "question",
    [
        "Which of these lowers uric acid in people with gout? A) salbutamol B) insulin C) warfarin",
        "What is the capital of France? A) Paris B) Rome C) Madrid",
    ],
)
def test_what_the_library_does_not_bear_out_is_not_chosen(call: Call, question: str) -> None:
    answer = ask(call, question)
    assert answer["answer"]["choice"] is None
    assert answer["answer"]["abstained"]
    assert not answer["citations"]


def chooses(label: str, cites: str = "1.1") -> Any:
    def reply(request: dict[str, Any], number: int) -> Reply:
        text = "\n".join(message["content"] for message in request["messages"])
        if '"answer_choice"' not in text:
            return Chat("{}")
        fields = {"reasoning": "It says so.", "answer_choice": label, "cites": [cites], "insufficient": False}
        return Chat(json.dumps(fields))

    return reply


def test_a_models_choice_is_told_where_evidence_bears_it_out(call: Call) -> None:
    with ModelServer(chooses("B")) as server:
        answer = ask(call, GOUT, **server.settings())
    assert answer["answer"]["choice"]["label"] == "B"
    assert answer["report"]["choice"] == {"label": "B", "by": "model", "insufficient": False, "said": True}


def test_a_models_choice_that_nothing_bears_out_is_not_told(call: Call) -> None:
    with ModelServer(chooses("A")) as server:
        answer = ask(call, GOUT, **server.settings())
    assert answer["answer"]["choice"] is None
    assert answer["answer"]["abstained"]
    assert answer["report"]["choice"]["said"] is False


def test_a_choice_outside_the_options_is_the_rules_to_make(call: Call) -> None:
    with ModelServer(chooses("Z")) as server:
        answer = ask(call, GOUT, **server.settings())
    assert answer["answer"]["choice"] == {"label": "B", "text": "allopurinol"}
    assert answer["report"]["choice"]["by"] == "rule"
    assert any(remark["code"] == "model_failed" for remark in answer["degraded"])
