"""The measure of a prompt, and what it learns from a server."""

from __future__ import annotations

import pytest

from reasoning.llm.tokens import TokenMeasure, rough_tokens

ENGLISH = "The study found a small effect in most of the people who took the drug for a year. " * 40
CHINESE = "研究发现该药物对大多数服用一年的患者有轻微的疗效。" * 40


@pytest.mark.parametrize(("text", "real"), [(ENGLISH, len(ENGLISH) / 4.5), (CHINESE, len(CHINESE) / 1.5)])
def test_a_prompt_is_rather_overstated_until_the_server_has_counted(text: str, real: float) -> None:
    measure = TokenMeasure()
    first = measure.tokens(text)
    assert real < first < 2 * real
    for _ in range(20):
        measure.learn((text,), int(real))
    assert real < measure.tokens(text) < first, "closer, and still on the safe side"


@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
def test_a_cut_is_seen_and_an_honest_count_is_not_taken_for_one(text: str) -> None:
    for real in (len(text) / 4.5, len(text) / 3.5) if text is ENGLISH else (len(text) / 1.5, len(text)):
        measure = TokenMeasure()
        assert not measure.looks_cut((text,), int(real))
        measure.learn((text,), int(real))
        assert measure.looks_cut((text,), int(real / 4))
    assert not TokenMeasure().looks_cut((text,), 0), "no count is no cut"


def test_text_of_another_kind_on_the_same_server_is_no_cut() -> None:
    measure = TokenMeasure()
    for _ in range(20):
        measure.learn((ENGLISH,), int(len(ENGLISH) / 4.0))
    assert not measure.looks_cut((CHINESE,), int(len(CHINESE) / 1.5))


def test_short_prompts_say_nothing() -> None:
    measure = TokenMeasure()
    measure.learn(("Hello",), 900)
    assert (measure.high, measure.typical) == (TokenMeasure().high, TokenMeasure().typical)
    assert rough_tokens("") > 0
