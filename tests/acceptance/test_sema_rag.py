"""SEMA-RAG as a person meets it: a question with options, one without, and several at once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.emulators.model import ModelServer, Reply
from tests.integration.sema_rag.scripts import say, scripted, step_of
from tests.program import Call

STEM = "Which medicine lowers uric acid in people with gout?"
GOUT = f"{STEM} A) salbutamol B) allopurinol C) insulin D) warfarin"


def ask(call: Call, question: str, *words: str, **settings: str) -> Any:
    asked = call("ask", "--json", "--no-history", "--offline", *words, question, **settings)
    assert asked.code == 0, asked.err
    return asked.json()


def test_the_router_runs_it_and_the_choice_stands_with_its_sentences(call: Call) -> None:
    answer = ask(call, GOUT, "--trace")
    assert answer["route"]["ran"] == "sema-rag"
    body = answer["answer"]
    assert body["choice"] == {"label": "B", "text": "allopurinol"}, answer["report"]
    assert "allopurinol" in body["sentences"][0]["text"]
    assert body["sentences"][0]["text"] in answer["citations"][0]["quote"]
    assert body["text"].startswith("Answer: B) allopurinol")
    assert "A) salbutamol" in next(one["text"] for one in body["notices"] if one["code"] == "other_options")


def test_json_and_trace_have_the_report(call: Call) -> None:
    answer = ask(call, GOUT, "--trace")
    report = answer["report"]
    assert report["findings"][0]["stance"]["B"] == "supports"
    assert report["conflicts"] == []
    assert {one["reason"] for one in report["dropped"]} <= {
        "duplicate",
        "off_topic",
        "superseded",
        "retracted",
    }
    assert report["dropped"]
    (span,) = [span for span in answer["trace"] if span["stage"] == "adjudicate"]
    assert span["output"]["report"]["findings"] == report["findings"]
    assert span["output"]["report"]["dropped"] == report["dropped"]
    stages = [span["stage"] for span in answer["trace"]]
    for stage in ("interpret", "explore", "round", "retrieve", "gate", "adjudicate", "conclude"):
        assert stage in stages
    explored = next(span for span in answer["trace"] if span["stage"] == "explore")
    assert explored["params"]["preset"] == report["preset"] == "product"
    assert explored["output"]["stop"] == report["stop"]
    searched = [span for span in answer["trace"] if span["stage"] in ("interpret", "retrieve", "streams")]
    assert not [span for span in searched if "salbutamol" in json.dumps(span)]


def test_a_question_without_options_gets_words(call: Call) -> None:
    answer = ask(call, "What can prevent repeated attacks of gout?", "--method", "sema-rag")
    assert answer["route"]["ran"] == "sema-rag"
    assert answer["answer"]["choice"] is None
    assert answer["answer"]["sentences"]
    assert answer["report"]["findings"]


@pytest.mark.parametrize(
    "question",
    [
        "Which of these lowers uric acid in people with gout? A) salbutamol B) insulin C) warfarin",
        "What is the capital of France? A) Paris B) Rome C) Madrid",
    ],
)
def test_what_the_library_does_not_bear_out_is_not_chosen(call: Call, question: str) -> None:
    answer = ask(call, question)
    assert answer["route"]["ran"] == "sema-rag"
    assert answer["answer"]["choice"] is None
    assert answer["answer"]["abstained"]
    assert not answer["citations"]


def test_of_several_questions_the_first_is_answered(call: Call) -> None:
    answer = ask(call, f"1. {GOUT}\n2. Which drug thins blood? A) zinc B) warfarin C) insulin D) iron")
    assert answer["answer"]["choice"]["label"] == "B"
    assert "more_questions" in [one["code"] for one in answer["answer"]["notices"]]


def test_a_models_choice_is_told_where_evidence_bears_it_out(call: Call) -> None:
    def interpret(_: dict[str, Any]) -> Reply:
        return say(intent="treatment", entities=["gout", "uric acid"], constraints=[], init_query=STEM)

    with ModelServer(scripted(interpret=interpret)) as server:
        answer = ask(call, GOUT, **server.settings())
    assert [step_of(one.body) for one in server.asked][:2] == ["interpret", "explore"]
    assert answer["answer"]["choice"]["label"] == "B"
    assert answer["report"]["choice"] == {"label": "B", "by": "model", "insufficient": False, "said": True}
    assert answer["usage"]["llm_calls"] <= 5
