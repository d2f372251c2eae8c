"""`carecite serve` on Telegram: the program as a process, the emulator, real sockets and the real database."""

from __future__ import annotations

import re
import signal
from collections.abc import AsyncIterator

import pytest

from reasoning.notices import notice
from tests.acceptance.serving import Serving, serving
from tests.emulators.telegram.server import TelegramServer
from tests.program import Program

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
    assert telegram.ledger.throttles == []
    assert telegram.transcript(11)


async def test_danger_needs_no_consent_and_no_worker(carecite: Program, telegram: TelegramServer) -> None:
    """The encoder's folder is missing, so no worker ever starts; the receiver does not care."""
    async with serving(carecite, telegram, "serve_danger", start=False) as served:
        await telegram.people.say("I have crushing chest pain right now and cannot breathe")
        await served.start("carecite serves")
        assert await telegram.until(lambda: find(telegram, 11, "Call your local emergency number"), 60)
        assert served.query("SELECT count(*) FROM people") == [(0,)]
        assert served.query("SELECT text FROM inbox") == [(None,)]
        await served.end(signal.SIGKILL)
