"""Two bots on one history, two people who have the same numbers in both, two topics of a group, all at once:
no text crosses, and what is deleted is nowhere (chat.md 7, checks 4 and 5)."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from bot.logs import OWN
from bot.metrics import exposition
from reasoning.notices import notice
from storage.history.chat import Chat, Part
from tests.acceptance.serving import dump
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat.answerer import LONG, settled
from tests.integration.chat.conftest import run_of
from tests.integration.chat.surface import agree, running, said
from tests.integration.storage.documents import query

BOTS = ("4711:first-token-of-a-test", "4712:second-token-of-a-test")
PEOPLE = (11, 12)
GROUP, TOPICS = -100500, (7, 8)
ROUNDS = 3


@asynccontextmanager
async def bots(chat: Chat, home: Path) -> AsyncIterator[list[TelegramServer]]:
    """Both run, with people who agreed and a forum."""
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(TelegramServer(token=token, pace=0)) for token in BOTS]
        for server in servers:
            await stack.enter_async_context(running(chat, server, home))
            await server.people.add_group(GROUP, topics={str(topic): f"topic {topic}" for topic in TOPICS})
        await asyncio.gather(*(agree(server, person) for server in servers for person in PEOPLE))
        yield servers


async def echo(chat: Chat, number: int) -> None:
    """An answer of all that a worker is given: the question, and what was said before it."""
    claim = await chat.questions.claim(number)
    assert claim
    earlier = await chat.conversations.turns(claim.conversation, claim.question)
    words = " ".join([claim.text, *(turn.text for turn in earlier)])
    await chat.questions.keep(claim, run_of(claim, f"run-{number}", words))
    await chat.questions.finish(claim, "answered", [Part("answer 1", {"text": words}, "edit", "placeholder")])


def shown(server: TelegramServer, chat: int, topic: int | None = None) -> str:
    """All that the bot has ever shown there, files included."""
    mine = [one for one in server.state.chats[chat].messages if one.sender is server.state.bot]
    there = [one for one in mine if topic is None or one.topic == topic]
    texts = [text for one in there for text in (one.text, *(edit.text for edit in one.edits))]
    files = [server.state.files[one.file].content.decode() for one in there if one.file]
    return "\n".join([*texts, *files])


async def test_no_text_crosses(chat: Chat, url: str, tmp_path: Path) -> None:
    async with bots(chat, tmp_path) as servers:
        places = [
            *itertools.product(servers, PEOPLE, [None]),
            *((server, *pair) for server in servers for pair in zip(PEOPLE, TOPICS, strict=True)),
        ]
        markers = {place: f"marker{n}" for n, place in enumerate(places)}
        for n in range(ROUNDS):
            for (server, person, topic), marker in markers.items():
                where = {} if topic is None else {"chat": GROUP, "topic": topic}
                await server.people.say(f"/ask Is {marker}{'abc'[n]} gout?", user=person, **where)
        open_ones = "SELECT id FROM inbox WHERE state = 'received' ORDER BY id"
        for server in servers:
            assert await server.settle(4 * LONG)
        assert len(query(url, open_ones)) == ROUNDS * len(places)
        await asyncio.gather(*(echo(chat, number) for (number,) in query(url, open_ones)))
        for server, person in itertools.product(servers, PEOPLE):
            for command in ("/history", "/export"):
                await server.people.say(command, user=person)
        for server in servers:
            await settled(server, url)
        for server, person, topic in places:
            text = shown(server, person if topic is None else GROUP, topic)
            # What somebody asked in the group is in their own private export.
            own = {markers[place] for place in places if place[:2] == (server, person)}
            own = own if topic is None else {markers[server, person, topic]}
            found = {marker for marker in markers.values() if marker in text}
            assert found == own, (person, topic, text)
            assert all(f"{markers[server, person, topic]}{letter}" in text for letter in "abc"[:ROUNDS])


async def test_forgotten_by_one_bot_and_known_to_the_other(chat: Chat, url: str, tmp_path: Path) -> None:
    async with bots(chat, tmp_path) as servers:
        for server, person in itertools.product(servers, PEOPLE):
            await server.people.say(f"Is marker{person} gout?", user=person)
        for server in servers:
            await settled(server, url)
        first = servers[0]
        await first.people.say("/delete")
        asks = await said(first, notice("chat_delete", "en"))
        await first.people.click(asks, "delete:everything")
        sure = await said(first, notice("chat_delete_sure", "en"))
        await first.people.click(sure, "erase:everything")
        await said(first, "It is deleted")
        await settled(first, url)
        left = query(url, "SELECT w.id, i.text FROM inbox i JOIN workspaces w ON w.id = i.workspace_id")
        texts = sorted((bot, text) for bot, text in left if text)
        assert texts == [(1, "Is marker12 gout?"), (2, "Is marker11 gout?"), (2, "Is marker12 gout?")]
        people = query(url, "SELECT workspace_id, count(*) FROM people GROUP BY 1 ORDER BY 1")
        assert people == [(1, 1), (2, 2)]


async def test_what_is_deleted_is_in_no_dump_no_metric_and_no_line_of_ours(
    chat: Chat, url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A marker is asked, answered, edited, refused by the platform, and deleted; another person's stays."""
    marker, other = "quokkamarker", "wombatmarker"
    caplog.set_level(logging.DEBUG)
    async with bots(chat, tmp_path) as servers:
        server = servers[0]
        asked = await server.people.say(f"Is {marker} gout?")
        await server.people.say(f"Is {other} gout?", user=12)
        for one in servers:
            assert await one.settle(4 * LONG)
        await server.fail(kind="error", method="editMessageText", value=f"Bad Request: {marker}", status=400)
        numbers = query(url, "SELECT id FROM inbox WHERE state = 'received'")
        await asyncio.gather(*(echo(chat, number) for (number,) in numbers))
        await settled(server, url)
        await server.people.edit(asked, f"Is {marker} the gout?")
        await said(server, notice("chat_edited", "en"))
        before = await asyncio.to_thread(dump, url)
        assert marker in before
        assert other in before
        await server.people.say("/delete")
        await server.people.click(await said(server, notice("chat_delete", "en")), "delete:everything")
        await server.people.click(await said(server, notice("chat_delete_sure", "en")), "erase:everything")
        await said(server, "It is deleted")
        await settled(server, url)
        metrics = exposition(await chat.readings.read()).decode()
    after = await asyncio.to_thread(dump, url)
    own = [record for record in caplog.records if record.name.partition(".")[0] in OWN]
    log = "\n".join(str(record.__dict__) for record in own)
    assert own
    for sink in (after, metrics, log):
        assert marker not in sink
        assert marker.encode().hex() not in sink
    assert other in after
