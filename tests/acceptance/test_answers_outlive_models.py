"""Whatever a model does, the question is answered in time: every scripted fault, whole assistant."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.app import Workshop, open_retrieval, open_workshop
from config import load_settings
from reasoning.assistant import Assistant
from reasoning.evidence import Retrieval
from reasoning.llm import Gateway, Limits
from reasoning.methods import METHODS
from tests.acceptance.test_contract import check_contract
from tests.emulators.model import ModelServer
from tests.fault.model_steps import HANG
from tests.fault.test_model_faults import FAULTS
from tests.program import Program

QUESTION = "What are the symptoms of gout?"


@pytest.fixture(scope="module")
async def ground(carecite: Program) -> AsyncIterator[tuple[Retrieval, Workshop]]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in carecite.settings().items():
            patch.setenv(name, value)
        async with open_workshop(load_settings()) as workshop, open_retrieval(workshop) as retrieval:
            yield retrieval, workshop


async def test_the_answer_outlives_the_model(ground: tuple[Retrieval, Workshop]):
    """A few at a time: most of it is waiting for models that say nothing."""
    places = asyncio.Semaphore(12)

    async def outlive(name: str) -> None:
        async with places:
            await ask_through(ground, name)

    async with asyncio.TaskGroup() as tasks:
        for name in FAULTS:
            tasks.create_task(outlive(name), name=name)


async def ask_through(ground: tuple[Retrieval, Workshop], name: str) -> None:
    retrieval, workshop = ground
    with ModelServer(FAULTS[name].script) as server:
        door = Gateway(server.endpoint(**({"timeout": 3.0} | FAULTS[name].settings)))
        assistant = Assistant(retrieval, METHODS, door, Limits(seconds=6.0))
        async with asyncio.timeout(2 * HANG):
            found = await assistant.answer(QUESTION)
        await door.aclose()
    await check_contract(found, workshop)
    answer = found.answer
    assert server.asked, name
    assert answer.answer.sentences, f"{name}: quotes at least"
    assert answer.answer.written_by == "rule", f"{name}: these replies fit another step"
    assert "degraded" in {notice.code for notice in answer.answer.notices}, name
    assert {remark.code for remark in answer.degraded} == {"model_failed"}, name
