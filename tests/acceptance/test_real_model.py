"""One real step against a real model, where one runs: CARECITE_TEST_LLM_URL, and …_MODEL for its name."""

from __future__ import annotations

import os

import pytest

from config.settings import ModelEndpoint
from reasoning.llm import Budget, Gateway, Limits
from reasoning.llm.probing import probe_model
from reasoning.trace import Trace
from tests.fault.model_steps import PROMPT, QUESTION, STEP

pytestmark = pytest.mark.real_model


@pytest.fixture
def endpoint() -> ModelEndpoint:
    url = os.environ.get("CARECITE_TEST_LLM_URL")
    if not url:
        pytest.skip("no real model: CARECITE_TEST_LLM_URL is not set")
    model = os.environ.get("CARECITE_TEST_LLM_MODEL", "local-llm")
    return ModelEndpoint.model_validate({"base_url": url, "model": model, "timeout": 120, "deadline": 240})


async def test_a_step(endpoint: ModelEndpoint) -> None:
    door = Gateway(endpoint, prompts=lambda name: PROMPT)
    budget, trace = Budget(Limits(seconds=240)), Trace()
    result = await door.run(STEP, QUESTION, budget, trace)
    await door.aclose()
    assert result.by == "model", (result.reason, trace.as_json())
    assert result.value.answer
    assert result.usage.prompt_tokens > 0
    assert result.usage.completion_tokens > 0


async def test_the_probe(endpoint: ModelEndpoint) -> None:
    assert "JSON" in await probe_model(endpoint)
