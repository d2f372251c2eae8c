"""`carecite serve` on Telegram: a process of its own, the emulator, real sockets, the real database."""

from __future__ import annotations

import asyncio
import re
import signal
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from config.resources import read_toml
from reasoning.notices import notice
from tests.acceptance.serving import Serving, serving
from tests.emulators.telegram.server import TelegramServer
from tests.program import Program, says_sorry

QUESTION = "What are the side effects of radiation therapy for lung cancer?"
QUESTIONS = tomllib.loads((Path(__file__).parent / "gate_questions.toml").read_text())["answered"]
WAITING = tuple(
    words.partition("{")[0]
    for code, words in read_toml("notices/en.toml").items()
    if code == "chat_placeholder" or code.startswith("chat_progress_")
)


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


def tables_with(served: Serving, word: str) -> list[str]:
    """Every table of the history in which the word stands somewhere."""
    tables = served.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
    return [
        table
        for (table,) in tables
        if served.query(f"SELECT 1 FROM {table} AS t WHERE t::text ILIKE '%{word}%' LIMIT 1")
    ]


async def test_killed_again_and_again_nothing_is_lost_or_doubled(
    carecite: Program, telegram: TelegramServer
) -> None:
    """Ten questions of five people, every update twice, one broken; the process is killed at seeded moments
    between its receiving, working and sending."""
    random = Random(7)
    people = range(21, 26)
    asked: list[tuple[int, int]] = []
    async with serving(carecite, telegram, "serve_chaos") as served:
        await asyncio.gather(*(agree(telegram, user) for user in people))
        await telegram.copies(2)
        questions = list(QUESTIONS)[:10]
        for n, question in enumerate(questions):
            user = people[n % 5]
            asked.append((user, await telegram.people.say(question, user=user)))
            if n == 3:
                await telegram.people.push_broken("broken", user=user)
            if n in (2, 5, 9):
                await asyncio.sleep(random.uniform(0.05, 1.5))
                await served.end(signal.SIGKILL)
                await served.start("carecite serves" if n < 9 else "waits for jobs")
        await served.until(
            lambda: len(served.query("SELECT 1 FROM inbox WHERE kind = 'question'")) == len(asked)
        )
        await served.until_finished()
        finished = "SELECT conversation_id, id FROM inbox WHERE kind = 'question' ORDER BY finished_at"
        ends = served.query(finished)
        assert await served.end() == 0
        assert served.query("SELECT count(*) FROM inbox WHERE kind = 'parked'") == [(1,)]
        assert served.query(
            "SELECT count(*), count(DISTINCT run_id) FROM inbox WHERE run_id IS NOT NULL"
        ) == [(10, 10)]
    for user, message in asked:
        replies = [
            one
            for one in telegram.state.chats[user].messages
            if one.reply_to == message and not one.text.startswith(WAITING)
        ]
        assert len(replies) == 1, [one.text for one in replies]
    for conversation in {conversation for conversation, _ in ends}:
        ids = [question for place, question in ends if place == conversation]
        assert ids == sorted(ids)
    assert telegram.ledger.ignored == []


async def test_a_refused_token_and_no_token(carecite: Program, telegram: TelegramServer) -> None:
    address = {"CARECITE_TELEGRAM_BASE_URL": telegram.base_url}
    refused = await asyncio.to_thread(
        carecite.run, "serve", CARECITE_TELEGRAM_TOKEN="1:wrong-token", **address
    )
    says_sorry(refused, 3, "Telegram refuses the token", "CARECITE_TELEGRAM_TOKEN")
    assert "wrong-token" not in refused.err
    says_sorry(await asyncio.to_thread(carecite.run, "serve"), 2, "CARECITE_TELEGRAM_TOKEN")
