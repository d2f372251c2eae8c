"""The step with a model behind the real door: a good reply stands, a bad one leaves the rule's question."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reasoning.followups import Carried, Standalone, Talk, complete
from reasoning.llm import Budget, Gateway, Limits
from reasoning.trace import Trace
from tests.emulators.model import Chat, ModelServer, Reply, words_of
from tests.unit.followups.talk import completed, talk

LINES = ("A: Is paracetamol 500 mg safe in pregnancy?", "A: what about ibuprofen 400 mg?")
RULED = completed(*LINES)


async def ask(said: Talk, *replies: str, rendered: list[str] | None = None) -> tuple[Standalone, Trace]:
    def answer(request: dict[str, Any], number: int) -> Reply:
        if rendered is not None:
            rendered.append(words_of(request))
        return Chat(json.dumps({"question": replies[min(number, len(replies) - 1)]}))

    trace = Trace()
    with ModelServer(answer) as server:
        gateway = Gateway(server.endpoint(timeout=20.0, deadline=60.0))
        try:
            return await complete(said, gateway, Budget(Limits()), trace), trace
        finally:
            await gateway.aclose()


async def test_a_models_question_is_taken_and_traced() -> None:
    found, trace = await ask(talk(*LINES), "Would ibuprofen 400 mg be safe in pregnancy?")
    assert found.question == "Would ibuprofen 400 mg be safe in pregnancy?"
    assert found.carried == (Carried("pregnancy", 0),)
    (span,) = [span for span in trace.spans if span.stage == "standalone"]
    assert span.output["by"] == "model"
    assert span.output["carried"] == [{"text": "pregnancy", "turn": 0}]


@pytest.mark.parametrize(
    "reply",
    [
        "Is ibuprofen 400 mg with warfarin safe in pregnancy?",
        "Is ibuprofen safe in pregnancy?",
        "Is ibuprofen 400 mg not safe in pregnancy?",
        "It is safe.",
    ],
)
async def test_a_reply_that_invents_or_drops_leaves_the_rule(reply: str) -> None:
    found, trace = await ask(talk(*LINES), reply)
    assert found == RULED
    (span,) = [span for span in trace.spans if span.stage == "standalone"]
    assert (span.output["by"], span.output["question"]) == ("rule", RULED.question)
    assert span.output["reason"]


async def test_a_model_never_reads_what_another_person_told_of_themselves() -> None:
    rendered: list[str] = []
    said = talk("A: I am 34 and have lupus. Is ibuprofen safe?", "B: is it cheap?")
    found, _ = await ask(said, "Is ibuprofen cheap?", rendered=rendered)
    assert found.question == "Is ibuprofen cheap?"
    assert "ibuprofen" in rendered[0]
    assert not any(word in rendered[0] for word in ("34", "lupus"))


async def test_a_model_is_not_asked_about_thanks() -> None:
    rendered: list[str] = []
    found, _ = await ask(talk(LINES[0], "A: thank you!"), "Is it?", rendered=rendered)
    assert (found.question, rendered) == ("thank you!", [])
