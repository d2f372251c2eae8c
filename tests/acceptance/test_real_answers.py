"""The same consumer questions with a real model behind the door; slow, so behind a marker.

CARECITE_TEST_LLM_URL=http://127.0.0.1:18080/v1 python -m pytest -m real_model -s
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app import Workshop, open_assistant
from config import load_settings
from reasoning.assistant import Assistant
from tests.acceptance.test_contract import check_contract, consumer_questions
from tests.program import Program

pytestmark = [pytest.mark.shared_data, pytest.mark.slow, pytest.mark.real_model]


@pytest.fixture(scope="module")
async def house(carecite: Program) -> AsyncIterator[tuple[Assistant, Workshop]]:
    url = os.environ.get("CARECITE_TEST_LLM_URL")
    if not url:
        pytest.skip("CARECITE_TEST_LLM_URL names no model")
    model = {
        "CARECITE_LLM_BASE_URL": url,
        "CARECITE_LLM_MODEL": os.environ.get("CARECITE_TEST_LLM_MODEL", "local-llm"),
        "CARECITE_LLM_TIMEOUT": "300",
        "CARECITE_LLM_DEADLINE": "600",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (carecite.settings() | model).items():
            patch.setenv(name, value)
        async with open_assistant(load_settings()) as opened:
            yield opened


async def test_the_contract_holds_with_a_real_model(house: tuple[Assistant, Workshop], shared: Path):
    assistant, workshop = house
    asked = []
    for text in consumer_questions(shared)[:60]:
        found = await assistant.answer(text)
        await check_contract(found, workshop)
        answer = found.answer
        if answer.usage.llm_calls:
            tokens = answer.usage.prompt_tokens + answer.usage.completion_tokens
            asked.append((answer.answer.written_by, answer.answer.abstained, answer.usage.llm_calls, tokens))
    calls, tokens = (statistics.median(each[place] for each in asked) for place in (2, 3))
    wrote = sum(by == "model" and not abstained for by, abstained, _, _ in asked)
    abstained = sum(abstained for _, abstained, _, _ in asked)
    sys.stdout.write(
        f"\n60 questions: {len(asked)} reached the model; it wrote {wrote} answers, {abstained} abstained; "
        f"in the median {calls:g} calls and {tokens:,.0f} tokens.\n"
    )
    assert wrote >= 1
