"""Every way in which a model or its server fails ends as an answer: its own, or the rule's with a reason."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from reasoning.llm import Budget, Limits
from reasoning.llm.servers import known_server
from reasoning.trace import Trace
from tests.emulators.model import (
    RESET,
    Chat,
    ModelServer,
    Reply,
    Script,
    Wire,
    body,
    chunk,
    refuse,
    stream,
)
from tests.fault.model_steps import FIRST, GOOD, HANG, ask, open_door

DONE = b"data: [DONE]\n\n"
PAGE = "<html><head><style>p{}</style></head><body>Gateway <b>sign-in</b></body></html>"
EMPTY_CHOICES = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": []}


@dataclass(frozen=True, slots=True)
class Fault:
    """`by` is who must answer, `calls` how many requests may come at most, `words` stand in the reason."""

    script: Script
    by: str
    calls: int = 1
    words: str = ""
    settings: dict[str, Any] = field(default_factory=dict)


def soon(request: dict[str, Any], number: int) -> Reply:
    """A 429 that names a date one second ahead, then an answer."""
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True)
    return Chat(GOOD) if number else refuse(429, "slow down", retry_after=moment)


def plain_words_only(request: dict[str, Any], number: int) -> Reply:
    """A server that wants one message, no temperature and the newer name of the limit."""
    roles = [message["role"] for message in request["messages"]]
    if "max_tokens" in request:
        return refuse(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    if "temperature" in request:
        return refuse(400, "Unsupported value: 'temperature' does not support 0.0 with this model.")
    if roles != ["user"]:
        return refuse(400, "System role not supported")
    return Chat(GOOD)


def no_streams(request: dict[str, Any], number: int) -> Reply:
    if "stream_options" in request:
        return refuse(400, "stream_options is not a known field")
    return refuse(422, "streaming is not supported") if request.get("stream") else Chat(GOOD)


def cut_then_good(request: dict[str, Any], number: int) -> Reply:
    return Chat(FIRST) if number else Chat(FIRST[:20], finish="length")


LOOP = "I am sorry. " * 400
RETRY = {"timeout": 1.0}
FAULTS = {
    # statuses
    "429 with seconds": Fault([refuse(429, "slow down", retry_after="1"), Chat(GOOD)], "model", 2),
    "429 with a date": Fault(soon, "model", 2),
    "429 without a wait": Fault([refuse(429, "slow down"), Chat(GOOD)], "model", 2),
    "429 with a wait of an hour": Fault(
        [refuse(429, "slow down", retry_after="3600")], "rule", 1, "slow down"
    ),
    "429 with a wait that is none": Fault([refuse(429, "x", retry_after="soon"), Chat(GOOD)], "model", 2),
    "429 and nothing left to pay": Fault([refuse(429, "insufficient_quota: top up")], "rule", 1, "top up"),
    "500": Fault([refuse(500, "oops"), Chat(GOOD)], "model", 2),
    "502 with a web page": Fault([Wire([PAGE.encode()], 502, "text/html"), Chat(GOOD)], "model", 2),
    "503 for ever": Fault([refuse(503, "no worker")], "rule", 3, "no worker"),
    "529": Fault([refuse(529, "overloaded"), Chat(GOOD)], "model", 2),
    "401": Fault([refuse(401, "Incorrect API key provided: sk-key-4711.")], "rule", 1, "Incorrect API key"),
    "403": Fault([refuse(403, "not for you")], "rule", 1, "not for you"),
    "404 wrong model": Fault([refuse(404, "model not found")], "rule", 1, "model not found"),
    "400 with another cause": Fault([refuse(400, "no such tenant")], "rule", 1, "no such tenant"),
    "400 context exceeded": Fault(
        [refuse(400, "This model's maximum context length is 1024 tokens."), Chat(GOOD)], "model", 2
    ),
    "400 context exceeded for ever": Fault([refuse(400, "exceeds the context size")], "rule", 2, "context"),
    "413": Fault([Wire([b"Payload too large"], 413, "text/plain"), Chat(FIRST)], "model", 2),
    "500 with half a body": Fault(
        [Wire([b'{"error": {"mess'], 500, headers={"Content-Length": "90"}), Chat(GOOD)], "model", 2
    ),
    "307 in a ring": Fault([Wire([], 307, headers={"Location": "/v1/chat/completions"})], "rule", 30),
    # connections
    "reset at once": Fault([Wire([RESET]), Chat(GOOD)], "model", 2),
    "reset for ever": Fault([Wire([RESET])], "rule", 3),
    "reset in mid-stream": Fault([stream(chunk('{"answer": "As'), RESET), Chat(GOOD)], "model", 2),
    "stream cut cleanly": Fault([stream(chunk('{"answer": "As')), Chat(GOOD)], "model", 2),
    "stream cut before its first word": Fault([stream(), Chat(GOOD)], "model", 2),
    "stream with DONE and no reason": Fault([stream(chunk(GOOD), DONE), Chat(GOOD)], "model", 2),
    "error inside of a stream": Fault(
        [stream(chunk("{"), b'data: {"error": {"message": "worker restarted"}}\n\n')],
        "rule",
        3,
        "worker restarted",
    ),
    "no event but a page in the stream": Fault([stream(PAGE.encode())], "rule", 3),
    "broken JSON in the stream": Fault([stream(b"data: {oops\n\n"), Chat(GOOD)], "model", 2),
    "hang before the headers": Fault([Wire(before=HANG)], "rule", 2, "", RETRY),
    "hang after the headers": Fault([stream(HANG)], "rule", 2, "", RETRY),
    "hang in mid-stream": Fault([stream(chunk("{"), HANG)], "rule", 1, "in time", RETRY),
    "slow drip": Fault([Chat(GOOD, between=0.3, pieces=40)], "rule", 1, "in time", RETRY),
    "open for ever after the end": Fault([stream(chunk(GOOD), chunk(finish="stop"), HANG)], "model"),
    "reset after the end": Fault([stream(chunk(GOOD), chunk(finish="stop"), RESET)], "model"),
    # envelopes
    "empty body": Fault([body(""), Chat(GOOD)], "model", 2),
    "web page": Fault([body(PAGE, "text/html")], "rule", 1, "Gateway sign-in"),
    "page said to be JSON": Fault([body(PAGE)], "rule", 1, "Gateway sign-in"),
    "choices null": Fault([body(EMPTY_CHOICES | {"choices": None}), Chat(GOOD)], "model", 2),
    "choices empty": Fault([body(EMPTY_CHOICES), Chat(GOOD)], "model", 2),
    "choices of another shape": Fault([body(EMPTY_CHOICES | {"choices": ["x", 1]}), Chat(GOOD)], "model", 2),
    "a list": Fault([body([1, 2]), Chat(GOOD)], "model", 2),
    "error in 200": Fault(
        [body({"error": {"message": "model is loading", "code": 503}})], "rule", 3, "model is loading"
    ),
    "error in 200 as text": Fault([body({"error": "no GPU"})], "rule", 3, "no GPU"),
    "deeply nested": Fault([body("[" * 100_000), Chat(GOOD)], "model", 2),
    # contents
    "content null": Fault([Chat(None), Chat(GOOD)], "model", 2),
    "content blank": Fault([Chat(" \n"), Chat(GOOD)], "model", 2),
    "cut JSON": Fault(cut_then_good, "model", 2),
    "cut twice": Fault([Chat(GOOD[:20], finish="length")], "rule", 2, "cut at the token limit"),
    "cut but whole JSON": Fault([Chat(GOOD, finish="length")], "rule", 2, "cut at the token limit"),
    "blanks to the limit": Fault([Chat(GOOD[:20] + " " * 4000, finish="length")], "rule", 2, "token limit"),
    "all thinking": Fault(
        [Chat("", finish="length", more={"reasoning_content": "The person asks"})], "rule", 2, "token limit"
    ),
    "unclosed thinking": Fault([Chat(f"<think>perhaps {GOOD}")], "rule", 4, "no JSON"),
    "thinking first": Fault([Chat(f"<think>perhaps {{}}</think>{GOOD}")], "model"),
    "answer in the wrong field": Fault([Chat(None, more={"reasoning_content": GOOD})], "model"),
    "thoughts in the wrong field": Fault(
        [Chat(None, more={"reasoning_content": f"I say {GOOD}"})], "rule", 2
    ),
    "thoughts in a third field": Fault([Chat(GOOD, more={"reasoning": "hm"})], "model"),
    "wrong schema": Fault([Chat('{"text": "Ask."}')], "rule", 2, "answer"),
    "wrong schema once": Fault([Chat('{"text": "Ask."}'), Chat(GOOD)], "model", 2),
    "extra fields": Fault([Chat(GOOD[:-1] + ', "dose": 5}'), Chat(GOOD)], "model", 2),
    "wrong types": Fault([Chat('{"answer": ["a"], "citations": "2"}'), Chat(GOOD)], "model", 2),
    "against a pattern": Fault([Chat('{"answer": "a", "citations": ["two"]}'), Chat(GOOD)], "model", 2),
    "against the step's check": Fault(
        [Chat('{"answer": "a", "citations": ["7"]}')], "rule", 2, "no passage 7"
    ),
    "too large a number for a check": Fault([Chat('{"answer": "a", "citations": ["99999999"]}')], "rule", 2),
    "prose": Fault([Chat("You should rest.")], "rule", 4, "no JSON"),
    "fenced JSON": Fault([Chat(f"Sure!\n```json\n{GOOD}\n```\nHope this helps.")], "model"),
    "two objects": Fault([Chat(f"{GOOD} or {GOOD.replace('first', 'later')}")], "rule", 2, "more than one"),
    "the same object twice": Fault([Chat(f"{GOOD}\n{GOOD}")], "model"),
    "a loop to the limit": Fault([Chat(LOOP, finish="length")], "rule", 2, "token limit"),
    "a hundred times the room": Fault([Chat(LOOP * 30, pieces=200)], "rule", 2, "token limit"),
    "a loop of braces": Fault([Chat('{"a":' * 900)], "rule", 4, "no JSON"),
    "refusal": Fault([Chat(None, more={"refusal": "I cannot help with that."})], "rule", 1, "cannot help"),
    "content filter": Fault([Chat("", finish="content_filter")], "rule", 1, "declines"),
    "tool call": Fault([Chat(None, finish="tool_calls"), Chat(GOOD)], "model", 2),
    "finish reason error": Fault([Chat("", finish="error"), Chat(GOOD)], "model", 2),
    "finish told twice": Fault(
        [stream(chunk(GOOD), chunk(finish="stop"), chunk(finish="stop"), DONE)], "model"
    ),
    "finish told as stop, then as length": Fault(
        [stream(chunk(GOOD), chunk(finish="stop"), chunk(finish="length"), DONE)], "rule", 2, "token limit"
    ),
    "no finish reason in one piece": Fault(
        [body(EMPTY_CHOICES | {"choices": [{"index": 0, "message": {"content": GOOD}}]}), Chat(GOOD)],
        "model",
        2,
    ),
    "one piece where a stream was wanted": Fault(
        [body(EMPTY_CHOICES | {"choices": [{"finish_reason": "stop", "message": {"content": GOOD}}]})],
        "model",
    ),
    "NUL and control characters": Fault(
        [Chat('{"answer": "a\\u0000b\\u001b[31m", "citations": []}')], "model"
    ),
    "lone surrogates": Fault([Chat('{"answer": "a\\ud800b", "citations": []}')], "model"),
    "a raw line break in a text": Fault([Chat('{"answer": "a\nb", "citations": []}')], "model"),
    "not a number": Fault([Chat('{"answer": NaN, "citations": []}'), Chat(GOOD)], "model", 2),
    "usage missing": Fault([Chat(GOOD, usage=None)], "model"),
    "usage of another shape": Fault(
        [stream(chunk(GOOD), chunk(finish="stop"), b'data: {"choices": [], "usage": "many"}\n\n')], "model"
    ),
    # servers with a will of their own
    "no streaming": Fault(no_streams, "model", 3),
    "other parameters": Fault(plain_words_only, "model", 4),
}


@pytest.mark.parametrize("name", FAULTS)
async def test_every_fault_ends_as_an_answer(name: str) -> None:
    fault = FAULTS[name]
    with ModelServer(fault.script) as server:
        door = open_door(server, **fault.settings)
        trace = Trace()
        async with asyncio.timeout(HANG):
            result = await ask(door, trace=trace)
        await door.aclose()
        spans = [span for span in trace.spans if span.stage == "llm"]
        assert result.by == fault.by, result.reason
        assert fault.words in (result.reason or "")
        assert 1 <= len(server.asked) <= fault.calls
        assert name.startswith("307") or len(spans) == len(server.asked) == result.usage.calls
        assert all("<" not in str(span.output.get("detail", "")) for span in spans), "mark-up is taken off"
        if result.by == "model":
            json.dumps(result.value.model_dump(), ensure_ascii=False).encode()
            assert "\x00" not in result.value.answer


def test_there_are_enough_of_them() -> None:
    assert len(FAULTS) >= 30


async def test_nobody_listens() -> None:
    with ModelServer([Chat(GOOD)]) as server:
        door = open_door(server)
    trace = Trace()
    result = await ask(door, trace=trace)
    assert result.by == "rule"
    assert "does not answer" in (result.reason or "")
    tries = len(trace.spans)
    second = await ask(door, trace=trace)
    assert "a moment ago" in (second.reason or ""), "an outage costs one deadline, not one a step"
    assert len(trace.spans) == tries + 1
    await door.aclose()


async def test_a_server_that_is_back_is_asked_again() -> None:
    with ModelServer([refuse(503, "x"), refuse(503, "x"), refuse(503, "x"), Chat(GOOD)]) as server:
        door = open_door(server)
        assert (await ask(door)).by == "rule"
        assert "a moment ago" in ((await ask(door)).reason or "")
        known_server(server.base_url, server.model).outage.closed_until -= 60  # the rest is over
        assert (await ask(door)).by == "model"
        assert (await ask(door)).by == "model"
        await door.aclose()


async def test_the_deadline_of_a_question_holds_over_all_of_its_steps() -> None:
    with ModelServer([Wire(before=HANG)]) as server:
        door = open_door(server, timeout=30.0)
        budget = Budget(Limits(seconds=1.0))
        async with asyncio.timeout(HANG / 2):
            first = await ask(door, budget=budget)
            second = await ask(door, budget=budget)
        assert (first.by, second.by, len(server.asked)) == ("rule", "rule", 1)
        await door.aclose()
