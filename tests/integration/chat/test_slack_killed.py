"""Slack's receiver and sender are killed at seeded moments: nothing is lost, doubled or out of order (chat.md
3, rows 1 to 3, and 4: a post whose number was not kept)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.emulators.slack.deliveries import Redelivery
from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.tiers import Windows
from tests.integration.chat.killing_slack import LONG, process
from tests.integration.storage.documents import query

QUESTIONS, KILLS = 24, 6
UNFINISHED = "SELECT 1 FROM inbox WHERE state IN ('received', 'working')"
UNSENT = "SELECT 1 FROM outbox WHERE state IN ('pending', 'sending')"


@pytest.fixture
async def api() -> AsyncIterator[SlackServer]:
    redelivery = Redelivery(ack_within=5.0, waits=(0.1,) * 40, copies=2)
    async with SlackServer(windows=Windows(post=0.2, tier=0.0), redelivery=redelivery) as server:
        yield server


@pytest.mark.slow
async def test_nothing_is_lost_doubled_or_out_of_order(api: SlackServer, url: str, tmp_path: Path) -> None:
    random = Random(7)
    asked: list[tuple[str, str, str]] = []  # place, thread or nothing, words
    thread = ""
    edited = 0
    for kill in range(KILLS + 1):
        async with process(api, tmp_path, url):
            for n in range(len(asked), min(len(asked) + QUESTIONS // KILLS, QUESTIONS)):
                words = f"Is {n} mg much?"
                if n % 2:
                    ts = await api.people.say("dm", words, user=f"U{1 + n % 3}")
                    asked.append((f"D{1 + n % 3}", "", words))
                else:
                    ts = await api.people.say("C1", words, mention=True, thread_ts=thread or None)
                    thread = thread or ts
                    asked.append(("C1", thread, words))
                if n % 7 == 3:
                    asked[-1] = (*asked[-1][:2], f"Is {n}.5 mg much?")
                    await api.people.edit(asked[-1][0], ts, asked[-1][2])
                    edited += 1
            await api.people.push({"type": "message", "channel": "C1", "user": "U1"})
            if kill < KILLS:
                await asyncio.sleep(random.uniform(0.0, 2.0))
                continue
            assert await api.settle(LONG)
            assert await api.until(lambda: not query(url, UNFINISHED) and not query(url, UNSENT), LONG)
    assert query(url, "SELECT count(*), count(DISTINCT run_id) FROM inbox WHERE kind = 'question'") == [
        (QUESTIONS, QUESTIONS)
    ]
    assert query(url, "SELECT count(*) FROM inbox WHERE kind = 'parked'") == [(KILLS + 1,)]
    for place in {place for place, _, _ in asked}:
        messages = api.workspace.channels[place].messages
        said = [one.text for one in messages if one.bot_id and not one.deleted]
        answers = [text for text in said if text.startswith("Answer to")]
        assert len(answers) == len([one for one in asked if one[0] == place]), said
        plain = [words for here, _, words in asked if here == place and ".5" not in words]
        assert all(answers.count(f"Answer to {words}") == 1 for words in plain)
        assert len(said) - len(answers) <= edited  # offers to ask an edited question anew; no placeholder
        assert not [text for text in said if "looking for sources" in text]
    order = "SELECT conversation_id, id FROM inbox WHERE kind = 'question' ORDER BY finished_at"
    ends = query(url, order)
    for conversation in {conversation for conversation, _ in ends}:
        ids = [question for here, question in ends if here == conversation]
        assert ids == sorted(ids)
    assert api.ledger.ignored == []
