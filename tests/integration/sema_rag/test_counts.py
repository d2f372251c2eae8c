"""Calls, retrievals and stop reasons of the roles, with a scripted model (methods.md 3.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reasoning.assistant import Answered
from reasoning.methods.sema_rag import FAITHFUL, PRODUCT, Preset
from tests.emulators.model import ModelServer
from tests.integration.sema_rag.conftest import ASKED, EXAM, Room
from tests.integration.sema_rag.scripts import explored, say, scripted, step_of

FIRST = explored(
    False, "how well dolexan works in kidney disease", "gout and kidneys", "gout diet", "gout prevention"
)


def steps(server: ModelServer) -> list[str]:
    return [step_of(one.body) for one in server.asked]


async def ask(room: Room, preset: Preset, text: str = EXAM, **roles: Any) -> tuple[Answered, list[str]]:
    room.preset = preset
    with ModelServer(scripted(**roles)) as server:
        answered = await room.ask_scripted(text, server)
    return answered, steps(server)


async def test_enough_at_once_takes_four_calls_and_one_retrieval(room: Room):
    answered, asked = await ask(room, FAITHFUL)
    answer = answered.answer
    assert asked == ["interpret", "explore", "adjudicate", "conclude"]
    assert (answer.usage.llm_calls, answer.usage.retrievals) == (4, 1)
    assert answer.report is not None
    assert answer.report["stop"] == "sufficient"
    assert answer.answer.choice is not None
    assert answer.answer.choice.label == "B"


async def test_a_second_round_takes_five_calls_and_four_retrievals(room: Room):
    answered, asked = await ask(room, replace(FAITHFUL, per_query=1), explore=FIRST)
    report = answered.answer.report
    assert report is not None
    assert report["stop"] == "budget"
    assert asked == ["interpret", "explore", "explore", "adjudicate", "conclude"]
    assert answered.answer.usage.retrievals == 4
    assert [query["query"] for query in report["rounds"][1]["queries"]] == [
        "gout and kidneys",
        "gout diet",
        "gout prevention",
    ]


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
async def test_the_bounds_hold_whatever_the_model_wants(room: Room, width: int, rounds: int):
    wants = [f"gout {word}" for word in ("kidneys", "diet", "sleep", "cholesterol", "adults")]
    preset = replace(FAITHFUL, width=width, rounds=rounds, per_query=1, repeats=1.1)
    answered, asked = await ask(room, preset, explore=explored(False, "everything", *wants))
    report, usage = answered.answer.report, answered.answer.usage
    assert report is not None
    assert len(asked) == usage.llm_calls <= 3 + rounds
    assert usage.retrievals <= 1 + width * (rounds - 1)
    assert report["snippets"] <= preset.per_query * usage.retrievals
    assert asked.count("explore") == sum(one["sufficient"] is not None for one in report["rounds"])
    assert report["stop"] in ("budget", "stagnation")


async def test_nothing_new_is_stagnation(room: Room):
    answered, _ = await ask(room, FAITHFUL, explore=FIRST)  # k covers the whole library at once
    assert answered.answer.report is not None
    assert answered.answer.report["stop"] == "stagnation"


@pytest.mark.parametrize(
    "followups", [("weather in spring",), ("drug that prevents attacks of gout",), ("salbutamol in gout",)]
)
async def test_no_follow_up_that_stands_is_stagnation(room: Room, followups: tuple[str, ...]):
    answered, _ = await ask(room, FAITHFUL, explore=explored(False, "the dose", *followups))
    report = answered.answer.report
    assert report is not None
    assert (report["stop"], answered.answer.usage.retrievals) == ("stagnation", 1)
    assert report["rounds"][0]["rejected"][0][0] == followups[0]


async def test_fixed_rounds_go_on_though_it_is_enough(room: Room):
    preset = replace(FAITHFUL, stops=False, rounds=3, per_query=1)
    answered, asked = await ask(
        room, preset, explore=explored(True, "", "gout and sleep", "gout and cholesterol")
    )
    assert answered.answer.usage.retrievals > 1
    assert asked.count("explore") <= 3


@pytest.mark.parametrize(
    ("preset", "calls"),
    [
        (replace(FAITHFUL, interpreter=False), ["explore", "adjudicate", "conclude"]),
        (replace(FAITHFUL, explorer=False), ["interpret", "adjudicate", "conclude"]),
        (replace(FAITHFUL, arbiter=False), ["interpret", "explore", "choose"]),
        (replace(FAITHFUL, interpreter=False, explorer=False, arbiter=False), ["choose"]),
        (replace(FAITHFUL, retrieves=False), ["interpret", "choose"]),
    ],
)
async def test_arms_are_presets(room: Room, preset: Preset, calls: list[str]):
    answered, asked = await ask(room, preset)
    assert asked == calls
    assert answered.answer.usage.retrievals == (1 if preset.retrieves else 0)
    report = answered.answer.report
    assert report is not None
    assert report["choice"]["label"] == "B"
    assert ("findings" in report) is (preset.arbiter and preset.retrieves)
    assert (answered.answer.answer.choice is not None) is preset.retrieves
    if not preset.interpreter:
        assert report["query"] == ASKED


async def test_a_definition_that_sources_agree_on_needs_no_explorer(room: Room):
    room.preset = PRODUCT
    answered, asked = await ask(
        room,
        PRODUCT,
        "What is gout?",
        interpret=lambda _: say(
            intent="definition", entities=["gout"], constraints=[], init_query="What is gout?"
        ),
    )
    assert "explore" not in asked
    assert answered.answer.report is not None
    assert answered.answer.report["stop"] == "early_exit"


async def test_the_report_names_preset_encoder_and_every_value(room: Room):
    report = (await room.ask(EXAM)).answer.report
    assert report is not None
    assert (report["preset"], report["encoder"]) == ("product", "minilm")
    assert report["parameters"]["per_article"] == 4
    temperatures = report["parameters"]["temperatures"]
    assert {temperatures[step] for step in ("interpret", "explore")} == {1.0}
    assert {temperatures[step] for step in ("adjudicate", "conclude", "conclude_in_words")} == {0.0}


async def test_roles_are_asked_at_the_papers_temperatures(room: Room):
    with ModelServer(scripted()) as server:
        await room.ask_scripted(EXAM, server)
    sent = {step_of(one.body): one.body["temperature"] for one in server.asked}
    assert sent == {"interpret": 1.0, "explore": 1.0, "adjudicate": 0.0, "conclude": 0.0}
