"""What goes over the wire, and when: waits, places in the queue, budgets, leaving early, replies kept."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from typing import Any

import pytest

from config.settings import Settings
from reasoning.llm import Budget, KeptReply, Limits, limits_of
from reasoning.trace import Trace
from tests.emulators.model import KEY, Chat, ModelServer, Reply, Wire, chunk, refuse, stream
from tests.fault.model_steps import GOOD, HANG, QUESTION, Asked, ask, open_door


def gaps(server: ModelServer) -> list[float]:
    times = [asked.at for asked in server.asked]
    return [after - before for before, after in itertools.pairwise(times)]


# --- waits -------------------------------------------------------------------------------------------------


async def test_the_wait_that_is_asked_for_is_kept_by_all_callers() -> None:
    """Three at once, the first is refused for a second: no request in that second, and all succeed."""

    def busy(request: dict[str, Any], number: int) -> Reply:
        return Chat(GOOD) if number else refuse(429, "slow down", retry_after="1")

    with ModelServer(busy) as server:
        door = open_door(server, concurrency=1)
        results = await asyncio.gather(*(ask(door) for _ in range(3)))
        await door.aclose()
    assert [result.by for result in results] == ["model"] * 3
    assert len(server.asked) == 4
    assert gaps(server)[0] >= 1.0


async def test_milliseconds_are_read_too() -> None:
    with ModelServer([refuse(429, "x", retry_after_ms="600", retry_after="9"), Chat(GOOD)]) as server:
        door = open_door(server)
        assert (await ask(door)).by == "model"
        await door.aclose()
    assert gaps(server)[0] >= 0.6


async def test_a_wait_past_the_deadline_is_not_begun() -> None:
    with ModelServer([refuse(503, "later", retry_after="30")]) as server:
        door = open_door(server)
        began = asyncio.get_running_loop().time()
        result = await ask(door)
        assert asyncio.get_running_loop().time() - began < HANG / 4, "30 seconds were not slept"
        second = await ask(door)
        await door.aclose()
    assert "later" in (result.reason or "")
    assert (second.by, len(server.asked)) == ("rule", 1), "nobody asks before the time is over"


# --- queue -------------------------------------------------------------------------------------------------


async def test_no_more_calls_at_once_than_set() -> None:
    with ModelServer([Chat(GOOD, before=0.1)]) as server:
        door = open_door(server, concurrency=2)
        results = await asyncio.gather(*(ask(door) for _ in range(8)))
        await door.aclose()
    assert [result.by for result in results] == ["model"] * 8
    assert server.most_at_once == 2


async def test_who_waits_too_long_in_the_queue_gets_the_rule() -> None:
    with ModelServer([Chat(GOOD, before=1.5)]) as server:
        door = open_door(server, concurrency=1)
        first, second = await asyncio.gather(ask(door), ask(door, budget=Budget(Limits(seconds=0.5))))
        third = await ask(door)
        await door.aclose()
    assert (first.by, second.by) == ("model", "rule")
    assert third.by == "model", "a full queue is no outage"


@pytest.mark.parametrize(
    "script", [Wire(before=HANG), stream(chunk("{"), HANG), refuse(503, "x", before=HANG)]
)
async def test_a_cancelled_step_leaves_the_server(script: Wire) -> None:
    with ModelServer([script]) as server:
        door = open_door(server, timeout=30.0)
        budget = Budget(Limits(seconds=HANG))
        task = asyncio.create_task(ask(door, budget=budget))
        assert await asyncio.to_thread(server.wait_for, lambda: server.asked)
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(server.wait_for, lambda: server.hung_up)
        assert budget.spent.calls == 1, "it is charged all the same"
        assert budget.reserved.calls == 0
        await door.aclose()


# --- budgets -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(calls=0), "MAX_CALLS"),
        (Limits(tokens=100), "MAX_TOKENS"),
        (Limits(cost=0.0001), "MAX_COST"),
        (Limits(seconds=0.0), "DEADLINE"),
    ],
)
async def test_nothing_is_asked_beyond_the_budget(limits: Limits, words: str) -> None:
    with ModelServer([Chat(GOOD)]) as server:
        door = open_door(server, price_in=1.0, price_out=4.0)
        result = await ask(door, budget=Budget(limits))
        await door.aclose()
    assert words in (result.reason or "")
    assert not server.asked


async def test_steps_side_by_side_cannot_overdraw() -> None:
    with ModelServer([Chat(GOOD, before=0.1)]) as server:
        door, budget = open_door(server, concurrency=8), Budget(Limits(calls=3))
        results = await asyncio.gather(*(ask_shared(door, budget) for _ in range(6)))
        await door.aclose()
    assert sorted(results) == ["model"] * 3 + ["rule"] * 3
    assert len(server.asked) == budget.spent.calls == 3


async def ask_shared(door: Any, budget: Budget) -> str:
    from tests.fault.model_steps import STEP

    return str((await door.run(STEP, QUESTION, budget, Trace())).by)


async def test_the_ledger_counts_what_the_server_counts() -> None:
    with ModelServer([refuse(503, "x"), Chat("{}", usage=(900, 10)), Chat(GOOD, usage=(910, 20))]) as server:
        door, budget, trace = open_door(server, price_in=1.0, price_out=4.0), Budget(), Trace()
        result = await ask(door, budget=budget, trace=trace)
        await door.aclose()
    assert budget.spent == result.usage
    spent = budget.spent
    assert (spent.calls, spent.prompt_tokens, spent.completion_tokens) == (3, 1810, 30)
    assert spent.cost == pytest.approx((1810 + 4 * 30) / 1e6)
    step, *calls = trace.spans
    assert step.stage == "step"
    assert [call.stage for call in calls] == ["llm"] * 3
    assert [call.output["outcome"] for call in calls] == ["Overloaded", "Nonsense", "ok"]
    assert [call.params["attempt"] for call in calls] == [1, 2, 3]
    last = calls[-1]
    assert last.params | {"measured": 0} == {
        "step": "say",
        "prompt": "say.v1",
        "version": 1,
        "model": server.model,
        "attempt": 3,
        "format": "json_schema",
        "temperature": 0.0,
        "room": 256,
        "measured": 0,
    }
    assert last.output["reply_characters"] == len(GOOD)
    assert len(last.output["reply_sha256"]) == 64
    assert last.output["cached"] is False


def test_limits_come_from_the_settings() -> None:
    settings = Settings(llm={"max_calls": 3, "max_tokens": 9, "deadline": 7})  # type: ignore[arg-type]
    assert limits_of(settings.llm) == Limits(3, 9, None, 7.0)
    with pytest.raises(ValueError, match="max_cost needs"):
        Settings(llm={"max_cost": 1})  # type: ignore[arg-type]


# --- repair ------------------------------------------------------------------------------------------------


async def test_the_model_is_told_what_was_wrong() -> None:
    with ModelServer([Chat('{"answer": "a", "citations": ["9"]}'), Chat(GOOD)]) as server:
        door = open_door(server)
        assert (await ask(door)).by == "model"
        await door.aclose()
    first, second = server.asked
    assert "There is no passage 9." not in first.text
    assert "There is no passage 9." in second.text
    assert [message["role"] for message in second.body["messages"]] == ["system", "user"]


async def test_what_works_is_remembered_by_another_gateway_of_the_process() -> None:
    def plain_only(request: dict[str, Any], number: int) -> Reply:
        return refuse(400, "response_format is unknown") if "response_format" in request else Chat(GOOD)

    with ModelServer(plain_only) as server:
        for _ in range(2):
            door = open_door(server)
            assert (await ask(door)).by == "model"
            await door.aclose()
    assert [asked.format for asked in server.asked] == ["json_schema", "json_object", "plain", "plain"]


# --- what is sent ------------------------------------------------------------------------------------------


async def test_personal_details_stay_here_and_public_text_goes_as_it_is() -> None:
    asked = Asked(
        "Call me at +1 202-555-0143 or write to jane.roe@example.org", ("Write to who@example.org.",)
    )
    with ModelServer([Chat(GOOD.replace("2", "1"))]) as server:
        door = open_door(server)
        assert (await ask(door, inputs=asked)).by == "model"
        await door.aclose()
    text = server.asked[0].text
    assert "jane.roe" not in text
    assert "555-0143" not in text
    assert "who@example.org" in text, "a passage is public, and must stay verbatim"


async def test_no_key_and_no_prompt_is_logged(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other-4711")
    for name in ("ORG_ID", "PROJECT_ID", "ADMIN_KEY", "CUSTOM_HEADERS"):
        monkeypatch.setenv(f"OPENAI_{name}", "x-more: org-other")
    caplog.set_level(logging.DEBUG)
    with ModelServer([refuse(401, f"wrong key {KEY}"), Chat(GOOD)]) as server:
        door = open_door(server)
        refused = await ask(door)
        assert (await ask(door)).by == "model"
        await door.aclose()
    assert KEY not in (refused.reason or "")
    assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {KEY}"}
    assert "other" not in str([asked.headers for asked in server.asked])
    for secret in (KEY, "sk-other", "org-other", QUESTION.question, QUESTION.passages[0]):
        assert secret not in caplog.text


async def test_no_key_is_sent_where_none_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other-4711")
    with ModelServer([Chat(GOOD)]) as server:
        door = open_door(server, api_key=None)
        assert (await ask(door)).by == "model"
        await door.aclose()
    assert "authorization" not in server.asked[0].headers


# --- replies kept ------------------------------------------------------------------------------------------


class Shelf:
    """Replies in a dictionary; `broken` raises, as a database that has gone does."""

    def __init__(self, *, broken: bool = False) -> None:
        self.kept: dict[str, KeptReply] = {}
        self.broken = broken

    async def find(self, key: str) -> KeptReply | None:
        if self.broken:
            raise ConnectionError
        return self.kept.get(key)

    def account(self, limits: Limits | None = None) -> Budget:
        """A question's account, whose replies are kept here, as a run's are in the history."""
        return Budget(limits or Limits(), replies=self.kept)


async def test_the_same_request_is_not_paid_for_twice() -> None:
    shelf = Shelf()
    with ModelServer([Chat(f"<think>a secret</think>{GOOD}", usage=(90, 9))]) as server:
        door, trace = open_door(server, shelf), Trace()
        first = await ask(door, budget=shelf.account())
        second = await ask(door, budget=shelf.account(), trace=trace)
        await ask(door, inputs=Asked("Another question?"), budget=shelf.account())
        await door.aclose()
    assert first.value == second.value
    assert (second.by, second.usage.calls) == ("model", 0)
    assert len(server.asked) == len(shelf.kept) == 2
    assert trace.spans[-1].output["cached"] is True
    assert all(len(key) == 64 for key in shelf.kept)
    assert "secret" not in str(shelf.kept)
    assert json.loads(next(iter(shelf.kept.values())).content) == json.loads(GOOD)


async def test_a_kept_reply_answers_where_the_server_is_gone() -> None:
    shelf = Shelf()
    with ModelServer([Chat(GOOD)]) as server:
        door = open_door(server, shelf)
        await ask(door, budget=shelf.account())
    assert (await ask(door, budget=shelf.account(Limits(calls=0)))).by == "model"
    await door.aclose()


async def test_nothing_bad_is_kept_and_a_broken_shelf_costs_nothing() -> None:
    shelf = Shelf()
    bad = [Chat(GOOD, finish="length"), Chat(GOOD, finish="length"), Chat("{}"), Chat("{}")]
    with ModelServer([*bad, Chat(GOOD)]) as server:
        door = open_door(server, shelf)
        assert (await ask(door, budget=shelf.account())).by == "rule"
        assert (await ask(door, budget=shelf.account())).by == "rule"
        assert not shelf.kept
        await door.aclose()
        trace = Trace()
        door = open_door(server, Shelf(broken=True))
        assert (await ask(door, trace=trace)).by == "model"
        await door.aclose()
    assert trace.spans[-1].output["cache_failed"] == "ConnectionError"


async def test_a_kept_reply_that_no_longer_fits_is_asked_for_anew() -> None:
    shelf = Shelf()
    with ModelServer([Chat(GOOD)]) as server:
        door = open_door(server, shelf)
        await ask(door, budget=shelf.account())
        for key in shelf.kept:
            shelf.kept[key] = KeptReply('{"text": "old"}', "stop", {})
        assert (await ask(door)).by == "model"
        await door.aclose()
    assert len(server.asked) == 2
