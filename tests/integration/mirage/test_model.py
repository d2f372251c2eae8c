"""The method with a scripted model: side by side, in good and bad manners."""

from __future__ import annotations

import asyncio
import random
import threading
from dataclasses import replace
from typing import Any

import pytest

from reasoning.llm import KeptReply
from reasoning.methods.mirage import Preset
from tests.emulators.model import Chat, ModelServer, Reply, refuse
from tests.integration.mirage.conftest import Room
from tests.integration.mirage.scripts import (
    PARTS,
    QUESTION,
    decomposition,
    scripted,
    search_then_finish,
    text_of,
    turn,
)
from tests.integration.mirage.test_rules import hand_over, timeless

HANG = 10.0  # seconds: a limit against hanging, no more


class Kept:
    """Replies of earlier runs, as the history keeps them."""

    def __init__(self) -> None:
        self.replies: dict[str, KeptReply] = {}

    async def find(self, key: str) -> KeptReply | None:
        return self.replies.get(key)


def chains_of(report: Any) -> list[dict[str, Any]]:
    return list(report["chains"])


async def test_four_chains_have_four_calls_in_flight(room: Room):
    together = threading.Barrier(4)

    def meet(request: dict[str, Any]) -> Reply:
        if "Searches left: 5" in request["messages"][-1]["content"]:
            together.wait(HANG)  # the first call of each chain waits for the others: else it breaks
        return search_then_finish(request)

    with ModelServer(scripted(chain=meet)) as server:
        answer = (await room.ask_scripted(QUESTION, server)).answer
        assert server.most_at_once == 4
    assert not together.broken
    assert [(chain["status"], chain["by"]) for chain in chains_of(answer.report)] == [
        ("completed", "model")
    ] * 4
    assert answer.answer.written_by == "model"
    assert not answer.degraded


async def test_what_no_fact_says_is_neither_claimed_nor_told(room: Room):
    with ModelServer(scripted()) as server:
        answer = (await room.ask_scripted(QUESTION, server)).answer
    assert answer.report is not None
    assert answer.report["unsupported"] == [
        {"claim": "type 2 diabetes: cinnamon", "reason": "its facts do not name cinnamon"}
    ]
    assert "always goes away" not in answer.answer.text
    assert "Nausea always goes away after a week." in [one.claim for one in answer.rejected]


async def test_the_same_replies_give_the_same_trace(room: Room):
    kept = Kept()
    with ModelServer(scripted()) as server:
        first = await room.ask_scripted(QUESTION, server, kept)
        kept.replies |= first.replies
        asked = len(server.asked)
        again = [timeless(await room.ask_scripted(QUESTION, server, kept)) for _ in range(2)]
        assert len(server.asked) == asked, "all from the cache"
    assert again[0] == again[1]


async def test_replies_in_any_order_give_the_same_trace(room: Room):
    """No cache: each run asks the model, whose replies to the chains overtake each other in other ways.

    Apart from times, and from the estimate of a prompt's tokens, which is learnt of the server as it replies.
    """
    pause = dict.fromkeys((text for text, _ in PARTS), 0.0)
    order: list[str] = []

    def delayed(request: dict[str, Any]) -> Reply:
        part = next(text for text in pause if f"Sub-question: {text}" in text_of(request))
        reply = search_then_finish(request)
        assert isinstance(reply, Chat)
        order.append(part)
        return replace(reply, before=pause[part])

    runs, orders = [], set()
    with ModelServer(scripted(chain=delayed)) as server:
        for seed in range(3):
            order.clear()
            pause |= dict(zip(pause, random.Random(seed).sample([0.0, 0.1, 0.2, 0.3], 4), strict=True))
            answered = await room.ask_scripted(QUESTION, server)
            orders.add(tuple(order[4:]))  # the second turns, as they came
            trace = timeless(answered)
            for span in trace:
                span["params"].pop("measured", None)
            runs.append((trace, answered.answer.model_dump(exclude={"run_id", "usage"})))
    assert len(orders) > 1, "they came in different orders"
    for trace, answer in runs[1:]:
        assert trace == runs[0][0]
        assert answer == runs[0][1]


async def test_a_chain_that_never_ends_is_ended(room: Room):
    with ModelServer(scripted(chain=lambda _: turn(entity1="metformin", entity2="nausea"))) as server:
        answer = (await room.ask_scripted(QUESTION, server)).answer
    assert answer.report is not None
    for chain in chains_of(answer.report):
        assert chain["turns"] == 11  # ten of the model, and the rule's
        errors = [search["error"] for search in chain["searches"]]
        assert errors == [None, *["duplicate"] * 9]
        assert chain["status"] == "completed"
    assert {warning.code for warning in answer.warnings} == {"chain_ended"}
    assert answer.answer.sentences


async def test_searches_are_counted_and_refused_beyond_the_limit(room: Room):
    names = [
        "metformin",
        "nausea",
        "type 2 diabetes",
        "kidney failure",
        "zinc",
        "cough",
        "disease",
        "blimflam",
    ]

    def greedy(request: dict[str, Any]) -> Reply:
        text = request["messages"][-1]["content"]
        return turn(entity1=names[min(text.count("\nSearch "), len(names) - 1)])

    with ModelServer(scripted(chain=greedy)) as server:
        answer = (await room.ask_scripted(QUESTION, server)).answer
    assert answer.report is not None
    errors = [search["error"] for search in chains_of(answer.report)[0]["searches"]]
    assert errors[:6] == [None] * 5 + ["over_limit"]
    assert errors[6:] == ["over_limit"] * 4


async def test_vague_and_unknown_names_are_answered_in_the_block(room: Room):
    seen: list[str] = []

    def vague(request: dict[str, Any]) -> Reply:
        text = request["messages"][-1]["content"]
        seen.append(text)
        tried = text.count("\nSearch ")
        return turn(entity1=["symptoms", "blimflam"][tried]) if tried < 2 else search_then_finish(request)

    with ModelServer(scripted(chain=vague)) as server:
        answer = (await room.ask_scripted(QUESTION, server)).answer
    assert any("Too general" in text for text in seen)
    assert any("no entry of this name: blimflam. This says nothing" in text for text in seen)
    assert answer.report is not None
    errors = [[search["error"] for search in chain["searches"]] for chain in chains_of(answer.report)]
    assert all(each[:2] == ["generic: symptoms", "unknown"] for each in errors)


async def test_parts_that_repeat_or_bring_in_strangers_are_rejected_with_reasons(room: Room):
    parts = [
        ("How are metformin and type 2 diabetes related?", ["metformin", "type 2 diabetes"]),
        ("How are metformin and type 2 diabetes related to each other?", ["metformin", "type 2 diabetes"]),
        ("Does zinc change what metformin does?", ["zinc", "metformin"]),
        ("What is blimflam?", ["blimflam"]),
    ]
    with ModelServer(scripted(decompose=lambda _: decomposition(parts))) as server:
        answer = (await room.ask_scripted(QUESTION, server)).answer
    assert answer.report is not None
    assert [part["text"] for part in answer.report["parts"]] == [parts[0][0]]
    assert [part["reason"] for part in answer.report["rejected_parts"]] == [
        "it repeats q1",
        "it brings in what is neither in the question nor next to it: zinc",
        "nothing in it links to the graph",
    ]


@pytest.mark.parametrize(
    "death", [refuse(500, "no worker"), Chat("I would rather not."), Chat('{"do": "sea', finish="length")]
)
async def test_a_model_that_is_down_costs_the_polish_only(room: Room, death: Reply):
    with ModelServer([death]) as server:
        answer = (await room.ask_scripted(QUESTION, server)).answer
    assert answer.route.ran == "mirage"
    assert answer.answer.sentences
    assert answer.answer.written_by == "rule"
    assert "model_failed" in [one.code for one in answer.degraded]


async def test_all_chains_fail_and_literature_takes_over(room: Room):
    hasty = replace(room, preset=Preset("hasty", chain_share=0.002))

    def slow(request: dict[str, Any]) -> Reply:
        return Chat("{}", before=5.0)

    with ModelServer(scripted(chain=slow)) as server:
        answered = await asyncio.wait_for(hasty.ask_scripted(QUESTION, server), 60)
    assert "all chains failed (its time was up)" in hand_over(answered)


async def test_one_slow_chain_is_named_and_costs_the_others_nothing(room: Room):
    brisk = replace(room, preset=Preset("brisk", chain_share=0.05))

    def one_hangs(request: dict[str, Any]) -> Reply:
        if "Which facts are known of nausea?" in request["messages"][-1]["content"]:
            return Chat("{}", before=15.0)
        return search_then_finish(request)

    with ModelServer(scripted(chain=one_hangs)) as server:
        answer = (await brisk.ask_scripted(QUESTION, server)).answer
    assert [(one.code, one.detail) for one in answer.warnings] == [
        ("chain_failed", "q4 (Which facts are known of nausea?): its time was up")
    ]
    assert [chain["status"] for chain in chains_of(answer.report)] == [*["completed"] * 3, "failed"]
    assert answer.answer.sentences


async def test_chains_in_token_mode_continue_one_text(room: Room):
    """A local completion server: the stop string ends a query, the result block is put after it."""

    def continue_text(request: dict[str, Any], number: int) -> Reply:
        if "prompt" not in request:
            return scripted()(request, number)
        assert request["stop"] == ["<|end_kg_query|>"]
        text = request["prompt"]
        if "[1]" not in text:
            return Chat("I look it up. <|begin_kg_query|>type 2 diabetes||kidney failure")
        return Chat("<think>Enough.</think>Type 2 diabetes can lead to kidney failure [1].")

    with ModelServer(continue_text) as server:
        answer = (await room.ask_scripted(QUESTION, server, completions=True)).answer
        continued = [asked.body["prompt"] for asked in server.asked if "prompt" in asked.body]
    assert len(continued) == 8
    block = "<|begin_kg_query|>type 2 diabetes||kidney failure<|end_kg_query|>\n<|begin_kg_result|>"
    assert sum(block in text for text in continued) == 4
    for chain in chains_of(answer.report):
        assert (chain["by"], chain["status"], chain["turns"]) == ("model", "completed", 2)
        assert chain["answer"] == "Type 2 diabetes can lead to kidney failure."
        assert len(chain["cited"]) == 1
    assert not answer.degraded
