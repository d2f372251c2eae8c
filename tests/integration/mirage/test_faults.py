"""What goes wrong, through the whole assistant with a model: an answer, or literature, and a person is told.

Nothing may hang, and nothing that was not found is worded as evidence (case F22).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import psycopg
import pytest

from reasoning.assistant import Answered
from reasoning.methods.mirage import Preset
from reasoning.notices import notice
from reasoning.retrieval.graph_search import CorpusGraph
from reasoning.types import Answer
from storage.corpus import Corpus
from storage.corpus.graph import Graph
from storage.database import create_engine
from storage.encoders import MINILM
from tests.emulators.model import Chat, ModelServer, Reply, refuse
from tests.integration.mirage.conftest import Room
from tests.integration.mirage.scripts import decomposition, scripted, text_of, turn
from tests.integration.mirage.test_rules import DENIALS

HANG = 90.0  # seconds: a limit against hanging, no more
_NAMES = re.compile(r"^Concepts to begin with: (.*)$", re.MULTILINE)
_LISTED = re.compile(r"^- (.+) \(\w+\)$", re.MULTILINE)
_FACT = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)


def part_by_names(request: dict[str, Any]) -> Reply:
    """A part on each two concepts that follow each other."""
    names = _LISTED.findall(text_of(request))
    pairs = list(pairwise(names)) or [(names[0],)]
    return decomposition([(f"How is {' tied to '.join(pair)}?", list(pair)) for pair in pairs[:4]])


def search_once(request: dict[str, Any]) -> Reply:
    """The concepts of the part, then the first facts."""
    text = text_of(request)
    facts = _FACT.findall(text)
    if "\nSearch " not in text:
        first, *more = _NAMES.findall(text)[0].split(", ")
        return turn(reasoning="Nothing is known yet.", entity1=first, entity2=more[0] if more else "")
    if not facts:
        return turn(do="finish", answer="The graph has no facts on this.", facts=[])
    return turn(do="finish", answer=f"{facts[0][1]}.", facts=[int(n) for n, _ in facts[:3]])


def decline(_: dict[str, Any]) -> Reply:
    """For the steps of literature, which have their rules."""
    return refuse(500, "not this one")


WELL = {"decompose": part_by_names, "chain": search_once, "rewrite": decline, "answer": decline}


def codes(answer: Answer) -> set[str]:
    return {item.code for item in answer.answer.notices}


async def ask(room: Room, question: str, *, dead: Reply | None = None, **script: Any) -> Answer:
    """To its end, in time, without a word that denies; a `dead` model says nothing else."""
    with ModelServer([dead] if dead else scripted(**(WELL | script))) as server:
        answered: Answered = await asyncio.wait_for(room.ask_scripted(question, server), HANG)
    answer = answered.answer
    assert not any(words in answer.answer.text.lower() for words in DENIALS)
    assert answer.answer.sentences or "abstain" in codes(answer)
    for item in answer.answer.notices:
        assert item.text in answer.answer.text, "a person sees it, not only the trace"
    return answer


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("What does zolvendramab do to blimflam?", id="nothing links"),
        pytest.param("What is scurvy like?", id="one entity links"),
        pytest.param("Is scurvy due to metformin?", id="no path"),
        pytest.param("Does vitamin C help with night blindness?", id="no relation that is worded"),
    ],
)
async def test_what_the_graph_does_not_ground_is_handed_over_and_said(room: Room, question: str):
    answer = await ask(room, question)
    assert answer.route.ran == "literature"
    assert notice("handover", "en") in answer.answer.text
    assert "degraded" not in codes(answer), "nothing was broken"


async def test_a_hub_of_ten_thousand_is_told_in_few_sentences(room: Room):
    answer = await ask(room, "Do condition 1 and condition 2 both come with tiredness?")
    assert answer.route.ran == "mirage"
    assert 1 <= len(answer.answer.sentences) <= 6
    assert answer.report is not None
    assert len(answer.report["facts"]) <= 100


async def test_a_chain_that_walks_round_a_ring_for_ever_ends(room: Room):
    def walk(request: dict[str, Any]) -> Reply:
        step = text_of(request).count("\nSearch ")
        return turn(entity1=f"ring {step % 30 + 1}", entity2=f"ring {(step + 1) % 30 + 1}")

    answer = await ask(room, "How are ring 1 and ring 3 related?", chain=walk)
    assert answer.route.ran == "mirage"
    assert "can lead to ring 2" in answer.answer.text
    assert {one.code for one in answer.warnings} == {"chain_ended"}


async def test_all_chains_that_fail_are_said_to_have_failed(room: Room):
    hasty = replace(room, preset=Preset("hasty", chain_share=0.002))
    answer = await ask(hasty, "Does metformin lead to nausea?", chain=lambda _: Chat("{}", before=3.0))
    assert answer.route.ran == "literature"
    assert [(one.code, one.detail) for one in answer.degraded if one.code == "method_failed"] == [
        ("method_failed", "all chains failed (its time was up)")
    ]
    assert notice("handover_failed", "en") in answer.answer.text
    assert notice("handover", "en") not in answer.answer.text, "it would have fitted"
    assert notice("degraded", "en") in answer.answer.text
    assert answer.answer.confidence != "high"


async def test_one_chain_that_fails_is_said_by_a_notice_too(room: Room):
    brisk = replace(room, preset=Preset("brisk", chain_share=0.035))

    def one_hangs(request: dict[str, Any]) -> Reply:
        text = text_of(request)
        return Chat("{}", before=9.0) if "type 2 diabetes tied to" in text else search_once(request)

    answer = await ask(brisk, "Can metformin for type 2 diabetes lead to kidney failure?", chain=one_hangs)
    assert answer.route.ran == "mirage"
    assert [one.code for one in answer.degraded] == ["chain_failed"]
    assert notice("degraded", "en") in answer.answer.text
    assert answer.answer.confidence != "high"


@pytest.mark.parametrize("death", [refuse(500, "no worker"), refuse(401, "no"), Chat("I would rather not.")])
async def test_a_model_that_is_down_leaves_the_facts_and_a_notice(room: Room, death: Reply):
    answer = await ask(room, "Can metformin for type 2 diabetes lead to kidney failure?", dead=death)
    assert answer.route.ran == "mirage"
    assert {sentence.text for sentence in answer.answer.sentences} >= {
        "Metformin is a treatment option for type 2 diabetes.",
        "Type 2 diabetes can lead to kidney failure.",
    }
    assert notice("degraded", "en") in answer.answer.text


@pytest.fixture
async def cut_off(room: Room) -> AsyncIterator[Room]:
    """A graph whose server has gone after the names were linked."""
    engine = create_engine("postgresql://nobody@127.0.0.1:9/nothing")
    graph = CorpusGraph(Graph(engine, MINILM), Corpus(engine, MINILM), room.encoder)
    yield replace(room, graph=graph)
    await engine.dispose()


async def test_a_graph_that_is_cut_off_is_said_to_have_failed(cut_off: Room):
    answer = await ask(cut_off, "Does metformin lead to nausea?")
    assert answer.route.ran == "literature"
    assert "method_failed" in [one.code for one in answer.degraded]
    assert notice("handover_failed", "en") in answer.answer.text


async def test_searches_out_of_time_are_no_missing_path(room: Room, stored: str):
    """A table that somebody holds is as slow as it gets."""
    with psycopg.connect(stored) as other:
        other.execute("LOCK TABLE facts IN ACCESS EXCLUSIVE MODE")
        answer = await ask(room, "Is scurvy due to metformin?")
    assert answer.route.ran == "literature"
    assert [(one.code, one.detail) for one in answer.degraded] == [
        ("method_failed", "the graph's searches ran out of time")
    ]
    assert notice("handover_failed", "en") in answer.answer.text
