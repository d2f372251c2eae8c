"""The field cases on model replies, F23 to F26, through the real door."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reasoning.llm.errors import Nonsense
from reasoning.llm.replies import read_reply
from reasoning.llm.schemas import full_schema, reduced_schema, schema_in_words
from reasoning.llm.servers import LADDER, known_server
from reasoning.trace import Trace
from tests.emulators.model import Chat, ModelServer, Reply, Script, body, refuse, stream
from tests.fault.model_steps import GOOD, QUESTION, Asked, Said, ask, open_door

pytestmark = pytest.mark.shared_data
INPUTS = Path("cases/inputs")


def rows(shared: Path, name: str, key: str = "rows") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((shared / INPUTS / name).read_text("utf-8"))[key]
    assert found
    return found


# --- F23 it did not fit ------------------------------------------------------------------------------------


async def test_outcomes_of_replies_that_did_not_fit(shared: Path) -> None:
    words = {"incomplete": "cut at the token limit", "prompt_cut": "context length"}
    for row in rows(shared, "F23_replies.json"):
        content = row.get("content", row.get("content_prefix", "") + " " * row.get("then_blanks", 0))
        more = {name: row[name] for name in ("reasoning_content",) if name in row}
        usage = row["usage"]["prompt_tokens"], row["usage"]["completion_tokens"]
        inputs = sized(30, row.get("sent_prompt_tokens_about", 900))
        script = [Chat(content, row["finish_reason"], usage, more=more)]
        with ModelServer(script) as server:
            door = open_door(server, context=16_000)
            result = await ask(door, inputs=inputs)
            await door.aclose()
        told = (row["id"], result)
        assert result.by == ("model" if row["outcome"] == "ok" else "rule"), told
        assert words.get(row["outcome"], "") in (result.reason or ""), told
        calls = {"incomplete": 2, "prompt_cut": 1, "ok": 1}[row["outcome"]]
        assert len(server.asked) == calls, told
        if calls == 2:
            first, second = (asked.body for asked in server.asked)
            assert second["messages"] != first["messages"], "another request"
            assert second["max_tokens"] > first["max_tokens"]


def sized(passages: int, tokens: int) -> Asked:
    """Passages of about so many tokens together, at 4.5 characters a token."""
    words = "The study found a small effect in most of the people who took it. "
    length = max(20, int((tokens - 200) * 4.5 / passages))
    texts = tuple(f"<{n}> {(words * (length // len(words) + 1))[:length]}" for n in range(1, passages + 1))
    return Asked(QUESTION.question, tuple(text.replace("<", "no ").replace(">", ":") for text in texts))


async def test_thirty_passages_of_400_tokens_in_a_context_of_4000() -> None:
    with ModelServer([Chat(GOOD)]) as server:
        door = open_door(server, context=4000)
        result = await ask(door, inputs=sized(30, 12_000))
        again = await ask(door, inputs=sized(30, 12_000))
        await door.aclose()
    assert result.by == "model"
    kept = result.inputs.passages
    assert kept == sized(30, 12_000).passages[: len(kept)], "whole, and from the front"
    for asked in server.asked:
        counted = sum(len(message["content"]) for message in asked.body["messages"]) / 4.5
        assert counted + asked.body["max_tokens"] <= 4000
        assert asked.text.startswith("INSTRUCTIONS")
        assert "no 1:" in asked.text
        assert "no 30:" not in asked.text
    assert 5 <= len(kept) <= len(again.inputs.passages), "the measure learns from the counts"


# --- F24 servers and their formats -------------------------------------------------------------------------


def as_told(row: dict[str, Any]) -> Script:
    """One of the servers of the case."""

    def answer(request: dict[str, Any], number: int) -> Reply:
        kind = request.get("response_format", {}).get("type", "plain")
        rule = row[kind]
        if rule == "ok":
            return Chat('{"answer": "Ask first.", "citations": ["2"]}')
        if rule == "fenced JSON":
            return Chat(f"```json\n{GOOD}\n```")
        if rule == "prose":
            return Chat("You should rest.")
        if rule.get("unless_prompt_contains", "\0") in json.dumps(request["messages"]).lower():
            return Chat(GOOD)
        keywords = rule.get("only_if_schema_has")
        if keywords and not any(f'"{word}"' in json.dumps(request["response_format"]) for word in keywords):
            return Chat(GOOD)
        return Chat(rule["content"]) if rule["status"] == 200 else refuse(rule["status"], rule["error"])

    return answer


async def test_each_server_ends_on_its_rung_in_the_calls_it_may_cost(shared: Path) -> None:
    for row in rows(shared, "F24_servers.json", "servers"):
        with ModelServer(as_told(row)) as server:
            door, calls, results = open_door(server), [0], []
            for _ in range(2):
                results.append(await ask(door))
                calls.append(len(server.asked))
            await door.aclose()
        spent = [calls[1] - calls[0], calls[2] - calls[1]]
        assert all(now <= most for now, most in zip(spent, row["calls"], strict=True)), (row["id"], spent)
        known = known_server(server.base_url, server.model)
        if row["ends_with"] == "error":
            assert [result.by for result in results] == ["rule", "rule"]
            assert row["plain"]["error"] in (results[0].reason or "")
        else:
            assert [result.by for result in results] == ["model", "model"], (row["id"], results)
            assert LADDER[known.rung] in row["ends_with"].split(" or ")


def test_what_is_sent_keeps_to_the_common_core() -> None:
    sent = json.dumps([full_schema(Said), reduced_schema(Said)])
    for word in ("pattern", "maxLength", "$ref", "$defs", "title", "default"):
        assert f'"{word}"' not in sent
    assert full_schema(Said)["additionalProperties"] is False
    words = schema_in_words(Said)
    assert "JSON" in words
    assert "at most 400 characters" in words
    assert "^[0-9]{1,8}$" in words


# --- F25 thinking aloud ------------------------------------------------------------------------------------


async def test_thinking_is_set_aside(shared: Path) -> None:
    for row in rows(shared, "F25_reasoning.json"):
        thoughts = row.get("reasoning_content", "")
        if row["answer"] is None:
            with pytest.raises(Nonsense):
                read_reply(row["content"] or "", thoughts, Said)
        else:
            value, text = read_reply(row["content"] or "", thoughts, Said)
            assert value.model_dump() == row["answer"], row["id"]
            assert row.get("never_shown", "\0") not in text
        more = {"reasoning_content": thoughts} if thoughts else {}
        trace = Trace()
        with ModelServer([Chat(row["content"], more=more)]) as server:
            door = open_door(server)
            result = await ask(door, trace=trace)
            await door.aclose()
        assert result.by == ("rule" if row["answer"] is None else "model"), (row["id"], result)
        assert "DRAFT" not in result.value.answer
        assert row.get("never_shown", "\0") not in json.dumps(trace.as_json()) + str(result)


# --- F26 streams and envelopes -----------------------------------------------------------------------------


async def test_bodies_that_are_no_answer(shared: Path) -> None:
    for row in rows(shared, "F26_envelopes.json"):
        with ModelServer([body(row.get("body_text", row.get("body")), row["content_type"])]) as server:
            door = open_door(server)
            result = await ask(door)
            await door.aclose()
        assert result.by == "rule", row["id"]
        assert row.get("words", "The model") in (result.reason or ""), row["id"]


@pytest.mark.parametrize(
    ("name", "whole"), [("finished", True), ("cut_cleanly", False), ("error_inside", False)]
)
async def test_streams(shared: Path, name: str, whole: bool) -> None:
    """The sentences of the case stand in an object here, which is what a step asks for."""
    events = (shared / INPUTS / f"F26_{name}.sse").read_text("utf-8")
    opened = events.replace('"content":"Do not', '"content":"{\\"citations\\": [], \\"answer\\": \\"Do not')
    closed = opened.replace("doctor agrees.", 'doctor agrees.\\"}')
    trace = Trace()
    with ModelServer([stream(closed.encode())]) as server:
        door = open_door(server)
        result = await ask(door, trace=trace)
        await door.aclose()
    if whole:
        assert result.value.answer == "Do not take it with grapefruit unless your doctor agrees."
        assert (result.usage.prompt_tokens, result.usage.completion_tokens) == (9, 9)
    else:
        assert result.by == "rule"
        assert "Do not take it" not in json.dumps(trace.as_json()) + str(result)
    if name == "error_inside":
        assert "worker restarted" in (result.reason or "")
