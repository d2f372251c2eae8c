"""Ties go to the door; its reply counts only among the methods offered."""

from __future__ import annotations

import pytest
from jinja2 import Environment, StrictUndefined

from config.resources import read_toml
from reasoning.llm import Budget, RulesOnly
from reasoning.routing import ROUTE, decide, judge
from reasoning.routing.ties import MEANINGS, Kind, Tie, Verdict
from reasoning.trace import Trace

LUMP = "I have a lump on my wrist"
TIE = Tie(
    LUMP,
    (Kind("literature", MEANINGS["literature"]), Kind("cometa", MEANINGS["cometa"])),
    "lump",
    "",
    "one topic",
)


async def test_without_a_model_the_rule_decides() -> None:
    judgement = judge(LUMP)
    assert judgement.other == "cometa"
    trace = Trace()
    assert await decide(judgement, LUMP, RulesOnly(), Budget(), trace) == judgement.route
    assert not trace.spans


def test_the_rule_twin_is_the_decision_by_rule() -> None:
    assert ROUTE.rule(TIE).method == judge(LUMP).route.method


@pytest.mark.parametrize(("method", "fits"), [("cometa", True), ("literature", True), ("mirage", False)])
def test_only_offered_methods_are_accepted(method: str, fits: bool) -> None:
    complaint = ROUTE.check(TIE, Verdict(method=method, reason="so"))  # type: ignore[arg-type]
    assert (complaint is None) is fits


def test_the_prompt_names_the_kinds_and_the_question() -> None:
    prompt = read_toml(f"prompts/{ROUTE.prompt}.toml")
    assert set(prompt) == {"version", "changed", "temperature", "max_reply_tokens", "system", "user"}
    environment = Environment(undefined=StrictUndefined)
    system = environment.from_string(prompt["system"]).render(inputs=TIE)
    user = environment.from_string(prompt["user"]).render(inputs=TIE)
    assert "- cometa:" in system
    assert "- literature:" in system
    assert "mirage" not in system
    assert LUMP in user
    assert "topics found: none" in user
