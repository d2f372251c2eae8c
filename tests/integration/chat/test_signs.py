"""The typing sign of Telegram: while a question is worked on, in its own topic, in nobody's way (chat.md 3,
rows 8 and 10)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import bot.telegram.signs
from bot.render.look import parts_of
from bot.serving import LOOKS
from storage.history.chat import Chat, Claim
from tests.emulators.chat.ledger import Call
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat.answerer import LONG, questions, settled
from tests.integration.chat.conftest import run_of
from tests.integration.chat.surface import agree, running, said
from tests.integration.storage.documents import query

GROUP, TOPICS = -100500, (7, 8)


@pytest.fixture
async def api(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TelegramServer]:
    """Signs lapse ten times as fast."""
    monkeypatch.setattr(bot.telegram.signs, "_EVERY", 0.4)
    async with TelegramServer(pace=0.0) as api:
        await api.people.add_group(GROUP, topics={str(topic): f"topic {topic}" for topic in TOPICS})
        yield api


async def begin(chat: Chat, api: TelegramServer, url: str, topic: int | None = None) -> Claim:
    """A question whose placeholder stands, and whose work begins."""
    before = len(questions(url))
    where = {} if topic is None else {"chat": GROUP, "topic": topic}
    await api.people.say("/ask Do socks keep feet warm?", **where)
    assert await api.until(lambda: len(questions(url)) > before, LONG)
    await settled(api, url)
    claim = await chat.questions.claim(query(url, "SELECT max(id) FROM inbox WHERE kind = 'question'")[0][0])
    assert claim
    return claim


async def end(chat: Chat, claim: Claim) -> None:
    await chat.questions.keep(claim, run_of(claim, f"run-{claim.question}"))
    bodies = LOOKS["telegram"].reply("Socks are warm.")
    await chat.questions.finish(claim, "answered", parts_of("answer", bodies, "placeholder"))


def signs(api: TelegramServer, chat: int = 11, topic: int | None = None) -> list[Call]:
    calls = [call for call in api.ledger.log if call.method == "sendChatAction"]
    here = [call for call in calls if int(call.arguments["chat_id"]) == chat]
    return [call for call in here if int(call.arguments.get("message_thread_id") or 0) == (topic or 0)]


async def test_while_a_question_is_worked_on(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        assert api.ledger.calls["sendChatAction"] == 0
        claim = await begin(chat, api, url)
        assert await api.until(lambda: len(signs(api)) >= 3, LONG)
        apart = [two.at - one.at for one, two in zip(signs(api), signs(api)[1:], strict=False)]
        assert min(apart) > 0.35
        await end(chat, claim)
        await said(api, "Socks are warm.")
        edited = max(call.at for call in api.ledger.log if call.method == "editMessageText")
        await asyncio.sleep(1.0)
        assert signs(api)[-1].at < edited
        assert {call.arguments["action"] for call in signs(api)} == {"typing"}


async def test_in_the_topic_alone_and_for_each_by_itself(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        first = await begin(chat, api, url, TOPICS[0])
        assert await api.until(lambda: signs(api, GROUP, TOPICS[0]), LONG)
        assert api.ledger.calls["sendChatAction"] == len(signs(api, GROUP, TOPICS[0]))
        second = await begin(chat, api, url, TOPICS[1])
        assert await api.until(lambda: signs(api, GROUP, TOPICS[1]), LONG)
        await end(chat, first)
        await said(api, "Socks are warm.", GROUP)
        so_far = len(signs(api, GROUP, TOPICS[0])), len(signs(api, GROUP, TOPICS[1]))
        assert await api.until(lambda: len(signs(api, GROUP, TOPICS[1])) > so_far[1] + 1, LONG)
        assert len(signs(api, GROUP, TOPICS[0])) == so_far[0]
        await end(chat, second)
        await settled(api, url)
    assert signs(api) == signs(api, GROUP) == []


async def test_a_message_ends_it_so_it_is_shown_anew(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.telegram.signs, "_EVERY", 3600.0)
    async with running(chat, api, tmp_path):
        await agree(api)
        claim = await begin(chat, api, url)
        assert await api.until(lambda: len(signs(api)) == 1, LONG)
        await api.people.say("/help")
        assert await api.until(lambda: len(signs(api)) == 2, LONG)
        await asyncio.sleep(0.6)
        assert len(signs(api)) == 2
        await end(chat, claim)
        await settled(api, url)


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "hang"},
        {"kind": "error", "value": "Forbidden: bot was blocked by the user", "status": 403},
        {"kind": "error", "value": "Bad Request: TOPIC_CLOSED"},
        {"kind": "status", "status": 502},
        {"kind": "drop"},
    ],
    ids=lambda fault: str(fault.get("value", fault["kind"])),
)
async def test_where_it_fails_the_answer_comes_all_the_same(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path, fault: dict[str, object]
) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        await api.fail(method="sendChatAction", times=None, **fault)
        claim = await begin(chat, api, url)
        assert await api.until(lambda: signs(api), LONG)
        await end(chat, claim)
        await said(api, "Socks are warm.")
        assert not [task for task in asyncio.all_tasks() if "Signs._call" in str(task.get_coro())]
        await settled(api, url)
    assert query(url, "SELECT DISTINCT state, attempts FROM outbox WHERE part LIKE 'answer%'") == [
        ("sent", 1)
    ]


async def test_a_wait_that_telegram_asks_for(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    """No more signs until it is over, and the answer does not wait for it."""
    async with running(chat, api, tmp_path):
        await agree(api)
        await api.fail(kind="throttle", method="sendChatAction", value=2)
        claim = await begin(chat, api, url)
        assert await api.until(lambda: api.ledger.throttles, LONG)
        assert await api.until(lambda: len(signs(api)) >= 2, LONG)
        await end(chat, claim)
        await said(api, "Socks are warm.")
        await settled(api, url)
        await api.fail(kind="throttle", method="sendChatAction", value=34)
        claim = await begin(chat, api, url)
        assert await api.until(lambda: len(api.ledger.throttles) == 2, LONG)
        so_far = len(signs(api))
        await end(chat, claim)
        await settled(api, url)
        assert len(signs(api)) == so_far
    assert api.ledger.ignored == []


async def test_no_sign_amid_the_wait_of_a_message(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        claim = await begin(chat, api, url)
        await api.fail(kind="throttle", method="editMessageText", value=2)
        await chat.questions.show(claim, LOOKS["telegram"].reply("searching …")[0], "placeholder")
        assert await api.until(lambda: api.ledger.throttles, LONG)
        so_far = len(signs(api))
        assert await api.until(lambda: len(signs(api)) > so_far, LONG)
        await end(chat, claim)
        await settled(api, url)
    assert [throttle.obeyed for throttle in api.ledger.throttles] == [True]


async def test_of_a_worker_that_died_it_does_not_last_for_ever(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.telegram.signs, "_LONGEST", 1.0)
    async with running(chat, api, tmp_path):
        await agree(api)
        await begin(chat, api, url)
        assert await api.until(lambda: signs(api), LONG)
        await asyncio.sleep(1.2)
        so_far = len(signs(api))
        await asyncio.sleep(1.0)
        assert len(signs(api)) == so_far
        assert query(url, "SELECT state FROM inbox WHERE kind = 'question'") == [("working",)]
