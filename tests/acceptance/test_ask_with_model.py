"""The program with a model behind it, good or dying: the polish of an answer may go, never the answer."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.emulators.model import RESET, Chat, ModelServer, Reply, Script, Wire, body, chunk, refuse, stream
from tests.program import Call

QUESTION = "What are the side effects of radiation therapy for lung cancer?"
_NUMBERED = re.compile(r"^\W*(\d+\.\d+)\W+(\S.*)$", re.MULTILINE)
HALF = '{"sufficient": true, "paragraphs": [{"sentences": [{"text": "Radiation always cu'


REWRITTEN = {
    "question_en": QUESTION,
    "intent": "side_effect",
    "P": ["lung cancer"],
    "I": ["radiation therapy"],
    "C": [],
    "O": ["side effects"],
}


def copyist(request: dict[str, Any], number: int) -> Reply:
    """Rewrites the question, then writes the first two numbered sentences of the prompt and cites them."""
    text = "\n".join(message["content"] for message in request["messages"])
    found = _NUMBERED.findall(text)[:2]
    if not found:
        return Chat(json.dumps(REWRITTEN))
    sentences = [{"text": words, "cites": [ref]} for ref, words in found]
    return Chat(json.dumps({"sufficient": True, "paragraphs": [{"sentences": sentences}]}))


def test_a_good_model_writes_the_answer(call: Call) -> None:
    with ModelServer(copyist) as server:
        answer = call("ask", "--json", "--no-history", QUESTION, **server.settings()).json()
    assert answer["answer"]["written_by"] == "model", answer["degraded"]
    assert answer["answer"]["sentences"]
    assert len(server.asked) == answer["usage"]["llm_calls"] == 2
    assert answer["usage"]["prompt_tokens"] > 0
    assert not answer["degraded"]


DYING: dict[str, Script] = {
    "in mid-answer": [stream(chunk(HALF), RESET)],
    "in mid-answer, cleanly": [stream(chunk(HALF))],
    "at once": [Wire([RESET])],
    "busy": [refuse(503, "no worker", retry_after="3600")],
    "silent": [Wire(before=60.0)],
    "a sign-in page": [body("<html>sign in</html>", "text/html")],
    "prose": [Chat("Radiation always cures.")],
    "cut": [Chat(HALF, finish="length")],
}


@pytest.mark.parametrize("death", DYING)
def test_a_dying_model_costs_the_polish_only(call: Call, death: str) -> None:
    with ModelServer(DYING[death]) as server:
        quick = {"CARECITE_LLM_TIMEOUT": "1", "CARECITE_LLM_DEADLINE": "4"}
        outcome = call("ask", "--json", "--no-history", QUESTION, **server.settings(), **quick)
    assert outcome.code == 0, outcome.err
    assert "Traceback" not in outcome.err
    answer = outcome.json()
    assert answer["answer"]["written_by"] != "model"
    assert answer["answer"]["sentences"], "quotes"
    assert "always cu" not in outcome.out
    assert server.asked, "it was asked"
    assert answer["degraded"], "and the person is told"


def test_the_same_question_again_is_replayed_from_the_history(call: Call) -> None:
    with ModelServer(copyist) as server:
        first = call("ask", "--json", QUESTION, **server.settings()).json()
        again = call("ask", "--json", QUESTION, **server.settings()).json()
        unkept = call("ask", "--json", "--no-history", QUESTION, **server.settings()).json()
    assert again["answer"]["sentences"] == first["answer"]["sentences"]
    assert again["answer"]["written_by"] == "model"
    assert [each["usage"]["llm_calls"] for each in (first, again, unkept)] == [2, 0, 2]
    assert len(server.asked) == 4


def test_offline_asks_no_model_elsewhere(call: Call) -> None:
    elsewhere = {"CARECITE_LLM_BASE_URL": "http://192.0.2.1/v1", "CARECITE_LLM_MODEL": "far"}
    answer = call("ask", "--json", "--no-history", "--offline", QUESTION, **elsewhere).json()
    assert answer["answer"]["sentences"]
    assert answer["answer"]["written_by"] == "rule"
    assert not answer["degraded"]
    with ModelServer(copyist) as server:
        answer = call("ask", "--json", "--no-history", "--offline", QUESTION, **server.settings()).json()
    assert answer["answer"]["written_by"] == "model"
