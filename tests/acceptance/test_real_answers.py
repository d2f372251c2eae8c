"""The same consumer questions with a real model behind the door; slow, so behind a marker.

CARECITE_TEST_LLM_URL=http://127.0.0.1:18080/v1 python -m pytest -m real_model -s
"""

from __future__ import annotations

import os
import re
import statistics
import sys
import tomllib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pyphen
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


FEW = 4  # a small model on two cores takes about two minutes a question


def reading_grade(text: str) -> float:
    """School grade by Flesch and Kincaid (1975); syllables are where a dictionary would part a word."""
    words = re.findall(r"[A-Za-z][A-Za-z'’-]*", text)
    sentences = max(1, len(re.findall(r"[.!?](?:\s|$)", text)))
    parts = pyphen.Pyphen(lang="en_US")
    syllables = sum(len(parts.positions(word)) + 1 for word in words)
    return 0.39 * len(words) / sentences + 11.8 * syllables / max(1, len(words)) - 15.59


async def ask_all(
    house: tuple[Assistant, Workshop], questions: Sequence[str]
) -> list[tuple[str, bool, int, int]]:
    """(who wrote, abstained, calls, tokens) where a model was asked; the contract is checked for all."""
    assistant, workshop = house
    asked, grades = [], []
    for text in questions:
        found = await assistant.answer(text)
        await check_contract(found, workshop)
        answer, usage = found.answer.answer, found.answer.usage
        if usage.llm_calls:
            tokens = usage.prompt_tokens + usage.completion_tokens
            asked.append((answer.written_by, answer.abstained, usage.llm_calls, tokens))
            if answer.written_by == "model" and answer.sentences:
                grades.append(reading_grade(" ".join(said.text for said in answer.sentences)))
    calls, tokens = (statistics.median(each[place] for each in asked) for place in (2, 3))
    wrote = sum(by == "model" and not abstained for by, abstained, _, _ in asked)
    quoted = sum(by == "rule" and not abstained for by, abstained, _, _ in asked)
    sys.stdout.write(
        f"\n{len(questions)} questions, {len(asked)} reached the model: it wrote {wrote} answers, "
        f"{quoted} fell back to quotes, {len(asked) - wrote - quoted} abstained; "
        f"in the median {calls:g} calls and {tokens:,.0f} tokens"
        + (f", reading grade {statistics.median(grades):.1f}.\n" if grades else ".\n")
    )
    return asked


async def test_the_contract_holds_on_consumer_questions(house: tuple[Assistant, Workshop], shared: Path):
    assert await ask_all(house, consumer_questions(shared)[:60])


async def test_the_contract_holds_on_questions_that_the_library_answers(house: tuple[Assistant, Workshop]):
    ours = tomllib.loads((Path(__file__).parent / "gate_questions.toml").read_text())["answered"]
    asked = await ask_all(house, list(ours)[:FEW])
    assert any(by == "model" and not abstained for by, abstained, _, _ in asked)
