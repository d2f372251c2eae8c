"""Answers from the graph without a model: what is told, what it rests on, and when literature takes over."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reasoning.assistant import Answered
from tests.integration.mirage.conftest import Room

DENIALS = ("unrelated", "not linked", "no connection", "not related", "does not cause", "no relation")


def timeless(answered: Answered) -> list[dict[str, Any]]:
    """The trace without its times."""
    return [
        {key: value for key, value in span.items() if not key.endswith("_ms")}
        for span in json.loads(json.dumps(answered.trace.as_json()))
    ]


def hand_over(answered: Answered) -> str:
    assert answered.answer.route.method == "mirage"
    assert answered.answer.route.ran == "literature"
    assert "handover" in [notice.code for notice in answered.answer.answer.notices]
    assert not any(words in answered.answer.answer.text.lower() for words in DENIALS)
    (span,) = [span for span in answered.trace.spans if span.stage == "method"]
    return str(span.output["reason"])


async def test_a_path_is_told_and_cited_beside_literature(room: Room):
    answer = (await room.ask("How is metformin related to kidney failure?")).answer
    assert answer.route.ran == "mirage"
    told = [sentence.text for sentence in answer.answer.sentences]
    assert "Type 2 diabetes may be treated with metformin." in told
    assert "Type 2 diabetes can lead to kidney failure." in told
    kinds = {citation.kind for citation in answer.citations}
    assert kinds == {"path", "passage"}
    triples = {(f.head, f.relation, f.tail, f.source) for c in answer.citations for f in c.facts}
    assert ("metformin", "treats", "type 2 diabetes", "lib-metformin") in triples
    assert ("type 2 diabetes", "complication", "kidney failure", "lib-diabetes") in triples
    for citation in answer.citations:
        assert bool(citation.facts) == (citation.kind == "path")
    quotes = {citation.quote for citation in answer.citations if citation.kind == "passage"}
    assert "Over the years type 2 diabetes can lead to kidney failure." in quotes


async def test_every_sentence_leads_to_its_facts(room: Room):
    answer = (await room.ask("Could a cough with high fever be pneumonia?")).answer
    report = answer.report
    assert report is not None
    assert [sentence["facts"] for sentence in report["sentences"]]
    for sentence in report["sentences"]:
        assert sentence["facts"], sentence
        assert all(str(each) in report["facts"] for each in sentence["facts"])
    assert report["parameters"]["hops"] == 4
    assert report["preset"] == "product"
    assert {chain["status"] for chain in report["chains"]} == {"completed"}


async def test_what_explains_more_of_the_question_comes_first(room: Room):
    report = (await room.ask("I have a cough and high fever. What could it be?")).answer.report
    assert report is not None
    assert report["candidates"][0] == ["pneumonia", 2]


async def test_the_same_question_has_the_same_trace(room: Room):
    runs = [timeless(await room.ask("How is metformin related to kidney failure?")) for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]
    assert [span["params"]["id"] for span in runs[0] if span["stage"] == "chain"] == ["q1", "q2", "q3"]


async def test_recommended_and_contraindicated_alike_is_said_to_be_uncertain(room: Room):
    answer = (await room.ask("May I take ibuprofen with a stomach ulcer?")).answer
    assert "does not agree with itself" in answer.answer.text
    assert answer.report is not None
    assert [pair[2] for pair in answer.report["uncertain"]] == ["contraindicated"]


async def test_what_literature_contradicts_is_shown_as_uncertain(room: Room):
    answer = (await room.ask("Is zinc good for a common cold?")).answer
    assert answer.route.ran == "mirage"
    assert "conflict" in [notice.code for notice in answer.answer.notices], answer.answer.text
    assert answer.answer.confidence == "low"


async def test_a_count_of_articles_is_told_as_no_more(room: Room):
    answer = (await room.ask("Does asthma cause eczema?")).answer
    assert answer.route.ran == "mirage"
    told = " ".join(sentence.text for sentence in answer.answer.sentences)
    assert "does not tell how they are related" in told
    assert not any(word in told for word in ("cause", "lead to", "treat"))
    assert answer.answer.confidence == "low"  # nothing but the graph


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("What does zolvendramab do to blimflam?", "nothing links"),
        ("What is scurvy like?", "only one entity links (scurvy)"),
        ("Does metformin and Metformin help?", "only one entity links (metformin)"),
        ("Is scurvy due to metformin?", "no path"),
        ("Does vitamin C help with night blindness?", "no path"),  # its relation has no wording
        ("Does the left hand hurt the fourth wall?", "the nearest one has 3"),
    ],
)
async def test_no_ground_is_handed_over_and_said(room: Room, question: str, reason: str):
    answered = await room.ask(question)
    assert reason in hand_over(answered)


async def test_an_unknown_relation_is_in_the_trace_and_not_in_the_answer(room: Room):
    answered = await room.ask("Does vitamin C help with night blindness?")
    assert "glows" not in answered.answer.model_dump_json()
    found = [span.output for span in answered.trace.spans if span.stage == "look_up"]
    assert any(one["facts"] for one in found)


async def test_a_hub_of_ten_thousand_is_cut_and_says_so(room: Room):
    answered = await room.ask("Do condition 1 and condition 2 both come with tiredness?")
    answer = answered.answer
    assert answer.route.ran == "mirage"
    assert answer.report is not None
    searches = [search for chain in answer.report["chains"] for search in chain["searches"]]
    cut = [search["cut"].get("possible_disease", 0) for search in searches]
    assert max(cut) == 9_990
    assert max(len(search["evidence_ids"]) for search in searches) <= 20
    assert len(answer.answer.sentences) <= 6


async def test_a_ring_ends(room: Room):
    answered = await room.ask("How are ring 1 and ring 3 related?")
    assert answered.answer.route.ran == "mirage"
    assert "ring 1 can lead to ring 2" in answered.answer.answer.text.lower()
