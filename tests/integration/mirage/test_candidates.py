"""What an evaluation of the graph ranks is what the whole method reports."""

from __future__ import annotations

import pytest

from reasoning.evidence import Question, Tools
from reasoning.llm import Budget, RulesOnly
from reasoning.methods.mirage import PRODUCT
from reasoning.methods.mirage.exploring import distinct_links, explore, look_with
from reasoning.trace import Trace
from tests.integration.mirage.conftest import Room

QUESTIONS = (
    "I have a cough and high fever. What could it be?",
    "Could a cough with a runny nose be pneumonia?",
    "How is metformin related to kidney failure?",
)


@pytest.mark.parametrize("text", QUESTIONS)
async def test_candidates_are_those_of_the_full_method(room: Room, text: str):
    answer = (await room.ask(text)).answer
    assert answer.route.ran == "mirage"
    assert answer.report is not None
    tools = Tools(
        room.retrieval, (), None, RulesOnly(), Budget(), Trace(), graph=room.graph, linker=room.linker
    )
    links = distinct_links(await room.linker.link(text, "en"))
    explored = await explore(links, look_with(Question(text), links, room.graph, tools, PRODUCT))
    ours = [[one.entity.name, len(one.touched)] for one in explored.candidates]
    assert ours == answer.report["candidates"]
    assert ours, text
