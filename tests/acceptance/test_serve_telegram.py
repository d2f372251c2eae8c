"""`carecite serve` on Telegram: a process of its own, the emulator, real sockets, the real database."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import AsyncIterator

import pytest

from reasoning.notices import notice
from tests.acceptance.serving import serving, tables_with
from tests.chaos import QUESTIONS
from tests.emulators.telegram.server import TelegramServer
from tests.program import Program, says_sorry
from tests.stages import Asked, TelegramStage

QUESTION = "What are the side effects of radiation therapy for lung cancer?"


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramServer]:
    async with TelegramServer() as server:
        yield server


async def agree(telegram: TelegramServer, user: int) -> None:
    """/start and a click on yes."""
    await telegram.people.say("/start", user=user)
    assert await telegram.until(lambda: find(telegram, user, "Do you agree?"), 60)
    await telegram.people.click(find(telegram, user, "Do you agree?")[0], "consent:yes", user=user)
    assert await telegram.until(lambda: find(telegram, user, notice("chat_agreed", "en")), 60)


def find(telegram: TelegramServer, chat: int, words: str) -> list[int]:
    """Messages of the bot that read so now."""
    messages = telegram.state.chats[chat].messages if chat in telegram.state.chats else []
    return [m.id for m in messages if m.sender is telegram.state.bot and words in m.text and not m.deleted]


async def test_a_question_is_answered_with_sources_that_open(
    carecite: Program, telegram: TelegramServer
) -> None:
    async with serving(carecite, telegram, "serve_answer") as served:
        await telegram.people.say(QUESTION)
        assert await telegram.until(lambda: find(telegram, 11, "Do you agree?"), 60)
        (asked,) = find(telegram, 11, "Do you agree?")
        assert served.query("SELECT count(*) FROM people") == [(0,)]
        assert served.query("SELECT text, person_id FROM inbox") == [(None, None)]
        await telegram.people.click(asked, "consent:yes")
        assert await telegram.until(lambda: find(telegram, 11, "[1]"), 60)
        await served.until_finished()
        (answer,) = find(telegram, 11, "[1]")
        message = telegram.state.chats[11].find(answer)
        assert message is not None
        assert message.reply_to == 1
        assert message.links
        assert all(re.match(r"https://\S+$", link) for link in message.links)
        assert served.query("SELECT state FROM inbox WHERE kind = 'question'") == [("answered",)]
        assert await served.end() == 0
    assert telegram.ledger.ignored == []


async def test_danger_needs_no_consent_and_no_worker(carecite: Program, telegram: TelegramServer) -> None:
    """There is nobody who could work: the reply comes before the assistant has loaded."""
    async with serving(carecite, telegram, "serve_danger", start=False) as served:
        await telegram.people.say("I have crushing chest pain right now and cannot breathe")
        await served.start("carecite serves")
        assert await telegram.until(lambda: find(telegram, 11, "Call your local emergency number"), 60)
        assert served.query("SELECT count(*) FROM people") == [(0,)]
        assert served.query("SELECT text FROM inbox") == [(None,)]
        await served.end(signal.SIGKILL)


async def test_what_is_deleted_is_nowhere_and_logs_tell_nothing(
    carecite: Program, telegram: TelegramServer
) -> None:
    """A marker is asked, answered, edited and erased; at DEBUG the log holds neither it nor the token."""
    marker = "quokkamarker"
    async with serving(carecite, telegram, "serve_delete", CARECITE_LOG_LEVEL="debug") as served:
        await agree(telegram, 11)
        first = await telegram.people.say(f"What are the symptoms of gout, asks {marker}?")
        second = await telegram.people.say("What are the symptoms of asthma?")
        await served.until(lambda: len(served.query("SELECT 1 FROM inbox WHERE kind = 'question'")) == 2)
        await served.until_finished()
        await telegram.people.edit(first, f"What are the signs of gout, asks {marker}?")
        assert await telegram.until(lambda: find(telegram, 11, notice("chat_edited", "en")), 60)
        await telegram.people.push_broken(f"broken {marker}")
        await telegram.people.say("/history")
        assert await telegram.until(lambda: find(telegram, 11, notice("chat_history", "en")), 60)
        assert tables_with(served, marker)
        for button, words in (
            ("delete:everything", notice("chat_delete", "en")),
            ("erase:everything", notice("chat_delete_sure", "en")),
        ):
            if button.startswith("delete"):
                await telegram.people.say("/delete")
            assert await telegram.until(lambda words=words: find(telegram, 11, words), 60)
            await telegram.people.click(find(telegram, 11, words)[-1], button)
        assert await telegram.until(lambda: find(telegram, 11, "It is deleted"), 60)
        assert await telegram.settle()
        assert await telegram.until(lambda: not any(marker in said for said in telegram.said(11)), 60)
        assert await served.end() == 0
        assert tables_with(served, marker) == []
        assert served.query("SELECT count(*) FROM people") == [(0,)]
        assert served.query("SELECT reason FROM inbox WHERE kind = 'parked'") == [("unreadable",)]
        log = "\n".join(served.lines)
        assert "is parked (unreadable)" in log
        assert marker not in log
        assert telegram.token not in log
        assert telegram.token.partition(":")[2] not in log
    answers = [m for m in telegram.state.chats[11].messages if m.reply_to == second and not m.deleted]
    assert answers == []


async def test_told_to_end_amid_a_question_nothing_is_lost(
    carecite: Program, telegram: TelegramServer
) -> None:
    """SIGTERM while a question is answered: it is finished, or the next start takes it up. The one behind it
    waits for the next start as well."""
    async with serving(carecite, telegram, "serve_stop", CARECITE_WORKER_CONCURRENCY="1") as served:
        await agree(telegram, 11)
        asked = [await telegram.people.say(question) for question in QUESTIONS[:3]]
        await served.until(lambda: served.query("SELECT 1 FROM inbox WHERE state = 'working'"))
        assert await served.end() == 0
        assert "carecite has ended." in served.lines
        asked.append(await telegram.people.say(QUESTIONS[3]))
        await served.start()
        await served.until(lambda: len(served.query("SELECT 1 FROM inbox WHERE kind = 'question'")) == 4)
        await served.until_finished()
        assert await served.end() == 0
    stage = TelegramStage(telegram)
    assert [len(stage.answers(Asked(11, message))) for message in asked] == [1, 1, 1, 1]
    assert [message for message in stage.replies(11) if message in asked] == asked
    assert telegram.ledger.ignored == []


async def test_a_refused_token_and_no_token(carecite: Program, telegram: TelegramServer) -> None:
    address = {"CARECITE_TELEGRAM_BASE_URL": telegram.base_url}
    refused = await asyncio.to_thread(
        carecite.run, "serve", CARECITE_TELEGRAM_TOKEN="1:wrong-token", **address
    )
    says_sorry(refused, 3, "Telegram refuses the token", "CARECITE_TELEGRAM_TOKEN")
    assert "wrong-token" not in refused.err
    says_sorry(await asyncio.to_thread(carecite.run, "serve"), 2, "CARECITE_TELEGRAM_TOKEN")
