"""`carecite serve` on Slack: a process of its own, the emulator, real sockets, the real database."""

from __future__ import annotations

import asyncio
import re
import signal
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from reasoning.notices import notice
from tests.acceptance.serving import address_of, serving, tables_with
from tests.emulators.slack.deliveries import Redelivery
from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.state import Message
from tests.emulators.slack.tiers import Windows
from tests.program import Program, says_sorry
from tests.stages import WAITING

QUESTION = "What are the side effects of radiation therapy for lung cancer?"
QUESTIONS = list(tomllib.loads((Path(__file__).parent / "gate_questions.toml").read_text())["answered"])
LONG = 180.0  # seconds: a limit against hanging, no more


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    redelivery = Redelivery(ack_within=10.0, waits=(0.2, 0.5, 1.0))
    async with SlackServer(redelivery=redelivery, windows=Windows(tier=0.0)) as server:
        yield server


def replies(slack: SlackServer, channel: str, thread: str | None = None) -> list[Message]:
    """What the bot says there, but for words of waiting; `thread` as in its messages."""
    place = slack.workspace.channels.get(channel)
    return [
        one
        for one in (place.messages if place else [])
        if one.bot_id == slack.workspace.bot_id
        and one.thread_ts == thread
        and not (one.deleted or one.ephemeral_to or one.text.startswith(WAITING))
    ]


def links_of(message: Message) -> list[str]:
    return re.findall(r"'url': '([^']+)'", str(message.blocks))


async def test_a_mention_a_follow_up_and_a_direct_message(carecite: Program, slack: SlackServer) -> None:
    async with serving(carecite, slack, "slack_answer") as served:
        asked = await slack.people.say("C1", QUESTION, mention=True)
        assert await slack.until(lambda: replies(slack, "C1", asked), LONG)
        await slack.people.redeliver(asked)
        await slack.people.say("C1", "Is anybody at lunch?", user="U2")
        await slack.people.say("C1", QUESTIONS[0], user="U2", thread_ts=asked)
        await slack.people.say("dm", QUESTIONS[1], user="U3")
        await served.until(lambda: len(served.query("SELECT 1 FROM inbox WHERE kind = 'question'")) == 3)
        await served.until_finished()
        assert await served.end() == 0
        assert served.query("SELECT count(*) FROM inbox WHERE state = 'answered'") == [(3,)]
    first, second = replies(slack, "C1", asked)
    (third,) = replies(slack, "D3")
    for message in (first, second, third):
        assert "[1]" in message.text
        assert links_of(message)
        assert all(re.match(r"https://\S+$", link) for link in links_of(message))
    assert replies(slack, "C1") == []
    assert slack.ledger.ignored == []


async def test_danger_needs_no_worker(carecite: Program, slack: SlackServer) -> None:
    """There is nobody who could work: the reply comes before the assistant has loaded."""
    async with serving(carecite, slack, "slack_danger", start=False) as served:
        asked = await slack.people.say(
            "C1", "My chest feels crushed right now, I cannot breathe", mention=True
        )
        await served.start("carecite serves")
        assert await slack.until(lambda: replies(slack, "C1", asked), LONG)
        (reply,) = replies(slack, "C1", asked)
        assert "Call your local emergency number" in reply.text
        await served.end(signal.SIGKILL)


async def test_what_is_deleted_is_nowhere_and_logs_tell_nothing(
    carecite: Program, slack: SlackServer
) -> None:
    """A marker is asked, edited, exported and deleted in both ways; at DEBUG the log holds neither it nor a
    token."""
    marker = "quokkamarker"
    async with serving(carecite, slack, "slack_delete", CARECITE_LOG_LEVEL="debug") as served:
        asked = await slack.people.say("C1", f"What are the symptoms of gout, asks {marker}?", mention=True)
        other = await slack.people.say("dm", f"What are the symptoms of asthma, asks {marker}?")
        await served.until(lambda: len(served.query("SELECT 1 FROM inbox WHERE kind = 'question'")) == 2)
        await served.until_finished()
        await slack.people.edit("D1", other, f"What are the signs of asthma, asks {marker}?")
        await slack.people.push({"type": "message", "channel": "D1", "user": "U1", "text": marker})
        await slack.people.slash("C1", "/export")
        assert await slack.until(lambda: len(slack.workspace.files) == 2, LONG)
        await served.until_finished()
        assert tables_with(served, marker)
        await slack.people.delete("C1", asked)
        assert await slack.until(lambda: not replies(slack, "C1", asked), LONG)
        await slack.people.slash("dm", "/delete")
        for button, words in (("delete:everything", "chat_delete"), ("erase:everything", "chat_delete_sure")):
            assert await slack.until(lambda words=words: find(slack, "D1", notice(words, "en")), LONG)
            await slack.people.click("D1", find(slack, "D1", notice(words, "en"))[-1].ts, button)
        assert await slack.until(lambda: find(slack, "D1", "It is deleted"), LONG)
        assert await slack.settle()
        assert await slack.until(lambda: not find(slack, "D1", marker), LONG)
        assert await slack.until(lambda: all(file.deleted for file in slack.workspace.files.values()), LONG)
        await served.until_finished()
        assert await served.end() == 0
        assert tables_with(served, marker) == []
        assert served.query("SELECT count(*) FROM people") == [(0,)]
        assert served.query("SELECT reason FROM inbox WHERE kind = 'parked'") == [("unreadable",)]
        log = "\n".join(served.lines)
        assert "is parked (unreadable)" in log
        for secret in (marker, slack.bot_token, slack.app_token):
            assert secret not in log


def find(slack: SlackServer, channel: str, words: str) -> list[Message]:
    return [one for one in replies(slack, channel) if words in one.text]


async def test_killed_again_and_again_nothing_is_lost_or_doubled(
    carecite: Program, slack: SlackServer
) -> None:
    """Ten questions in a channel's threads and in direct chats, every event twice, one edited, one broken;
    the process is killed at seeded moments between its receiving, working and sending. One reads like an
    emergency, which waits for no other (if its edit does not come first)."""
    random = Random(7)
    slack.deliveries.redelivery = Redelivery(ack_within=3.0, waits=(0.2,) * 20, copies=2)
    asked: list[tuple[str, str, str | None]] = []
    thread: str | None = None
    async with serving(carecite, slack, "slack_chaos") as served:
        for n, question in enumerate(QUESTIONS[:10]):
            if n % 2:
                ts = await slack.people.say("dm", question, user=f"U{1 + n % 3}")
                asked.append((f"D{1 + n % 3}", ts, None))
            else:
                ts = await slack.people.say("C1", question, mention=True, thread_ts=thread)
                thread = thread or ts
                asked.append(("C1", ts, thread))
            if n == 3:
                await slack.people.push({"type": "message", "channel": "C1", "user": "U1"})
            if n == 4:
                await slack.people.edit("C1", ts, f"<@UBOT> {QUESTIONS[10]}", raw=True)
            if n in (2, 5, 9):
                await asyncio.sleep(random.uniform(0.05, 1.5))
                await served.end(signal.SIGKILL)
                await served.start("carecite serves" if n < 9 else "waits for jobs")
        await served.until(
            lambda: len(served.query("SELECT 1 FROM inbox WHERE kind = 'question'")) == len(asked)
        )
        await served.until_finished()
        assert await slack.settle(LONG)
        finished = "SELECT conversation_id, id FROM inbox WHERE job_id IS NOT NULL ORDER BY finished_at"
        ends = served.query(finished)
        assert await served.end() == 0
        assert served.query("SELECT count(*) FROM inbox WHERE kind = 'parked'") == [(1,)]
        assert served.query(
            "SELECT count(*), count(DISTINCT run_id) FROM inbox WHERE run_id IS NOT NULL"
        ) == [(10, 10)]
    offers = notice("chat_edited", "en")
    for channel in {channel for channel, _, _ in asked}:
        expected = [place for place in asked if place[0] == channel]
        answers = [one for one in replies(slack, channel, expected[0][2]) if offers not in one.text]
        assert len(answers) == len(expected), [one.text for one in answers]
    for conversation in {conversation for conversation, _ in ends}:
        ids = [question for place, question in ends if place == conversation]
        assert ids == sorted(ids)
    assert not [one for one in slack.workspace.messages() if one.text.startswith(WAITING)]
    assert slack.ledger.ignored == []


async def test_refused_tokens_and_missing_ones(carecite: Program, slack: SlackServer) -> None:
    own = address_of(slack)
    for name, token in (("bot", "xoxb-wrong-token"), ("app", "xapp-wrong-token")):
        setting = f"CARECITE_SLACK_{name}_TOKEN".upper()
        refused = await asyncio.to_thread(carecite.run, "serve", **own | {setting: token})
        says_sorry(refused, 3, f"Slack refuses the {name} token", setting)
        assert "wrong-token" not in refused.err
    own.pop("CARECITE_SLACK_APP_TOKEN")
    half = await asyncio.to_thread(carecite.run, "serve", **own)
    says_sorry(half, 2, "CARECITE_SLACK_APP_TOKEN", "CARECITE_SLACK_SIGNING_SECRET")
    nothing = await asyncio.to_thread(carecite.run, "serve")
    says_sorry(nothing, 2, "CARECITE_SLACK_BOT_TOKEN", "CARECITE_TELEGRAM_TOKEN")
