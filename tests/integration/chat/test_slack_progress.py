"""Words of progress on Slack, and the answer in their place (chat.md 3, rows 8 and 9)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.render.look import parts_of
from bot.render.slack.look import SlackLook
from bot.worker.progress import tell_progress
from reasoning.notices import notice
from reasoning.trace import Trace
from storage.history.chat import Chat, Claim
from tests.emulators.slack.deliveries import Redelivery
from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.state import Message
from tests.emulators.slack.tiers import Windows
from tests.integration.chat.answerer import LONG, answer, settled
from tests.integration.chat.conftest import run_of
from tests.integration.chat.slack_surface import posts, running, said
from tests.integration.storage.documents import query

WAITING = notice("chat_placeholder", "en")
LONG_TEXT = "\n\n".join(f"Sentence {n} of a long answer, which ends here." for n in range(440))


@pytest.fixture
async def api() -> AsyncIterator[SlackServer]:
    redelivery = Redelivery(ack_within=5.0, waits=(0.05, 0.05, 0.05))
    windows = Windows(post=0.0, tier=0.0)
    async with SlackServer(windows=windows, redelivery=redelivery, stream_lifetime=0.0) as server:
        yield server


async def ask(chat: Chat, url: str, api: SlackServer, channel: str = "C1") -> tuple[Claim, Message]:
    """A question that is being worked on, and its placeholder."""
    await api.people.say(channel, "Do socks keep feet warm?", mention=channel == "C1")
    placeholder = await said(api, WAITING, "C1" if channel == "C1" else "D1")
    await settled(api, url)
    ((question,),) = query(url, "SELECT id FROM inbox WHERE state = 'received'")
    claim = await chat.questions.claim(question)
    assert claim is not None
    return claim, placeholder


async def show(chat: Chat, claim: Claim, words: str) -> None:
    await chat.questions.show(claim, SlackLook().reply(words)[0], "placeholder")


async def end(chat: Chat, claim: Claim, words: str) -> None:
    await chat.questions.keep(claim, run_of(claim))
    parts = parts_of("answer", SlackLook().reply(words), "placeholder")
    await chat.questions.finish(claim, "answered", parts)


async def test_steps_stand_in_the_placeholder_and_none_twice(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    """The second worker of a question, the first having died, says nothing that stands there already."""
    async with running(chat, api, tmp_path):
        claim, placeholder = await ask(chat, url, api)
        for _ in range(2):
            async with tell_progress(chat, claim, SlackLook(), "en", pace=0.2) as note:
                trace = Trace(note)
                with trace.span("retrieve"), trace.span("search", door="pubmed"):
                    await said(api, notice("chat_progress_pubmed", "en"))
                    await asyncio.sleep(0.5)
            await settled(api, url)
            again = await chat.questions.claim(claim.question)
            assert again is not None
            claim = again
        assert [one.text for one in placeholder.edits] == [WAITING]
        await end(chat, claim, "Socks are warm.")
        await said(api, "Socks are warm.")
    assert posts(api) == [placeholder]


async def test_the_fifth_edit_has_to_wait_34_seconds(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    """Nothing is sent before they are over, no further preview ever, and the answer then."""
    async with running(chat, api, tmp_path):
        claim, placeholder = await ask(chat, url, api)
        await api.fail(kind="throttle", method="chat.update", value=34, after=4)
        for n in range(5):
            await show(chat, claim, f"reading {n} …")
            await settled(api, url)
        assert [one.text for one in placeholder.edits] == [WAITING, *(f"reading {n} …" for n in range(3))]
        assert placeholder.text == "reading 3 …"
        await show(chat, claim, "reading 5 …")
        await end(chat, claim, "Socks are warm.")
        wait = await chat.outbox.seconds_until_due("slack")
        assert wait is not None
        assert 25 < wait <= 34
        await asyncio.sleep(1.0)
        assert placeholder.text == "reading 3 …"
        assert api.ledger.ignored == []
        query(url, "UPDATE workspaces SET free_at = now()")
        query(url, "UPDATE lanes SET free_at = now(), due_at = now()")
        await said(api, "Socks are warm.")
        await settled(api, url)
    assert [one.text for one in placeholder.edits][-1] == "reading 3 …"
    assert api.ledger.calls["chat.update"] == 6
    assert posts(api) == [placeholder]


@pytest.mark.parametrize("channel", ["C1", "dm"])
async def test_a_long_answer_comes_whole_and_once(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path, channel: str
) -> None:
    """20,000 characters after three edits. Here a stream would end at once, so that nothing may need one."""
    assert len(LONG_TEXT) > 20_000
    place = "C1" if channel == "C1" else "D1"
    async with running(chat, api, tmp_path):
        claim, placeholder = await ask(chat, url, api, channel)
        for n in range(3):
            await show(chat, claim, f"reading {n} …")
            await settled(api, url)
        await api.fail(kind="throttle", method="chat.update", value=1)
        await api.fail(kind="lose", method="chat.postMessage", after=1)
        await end(chat, claim, LONG_TEXT)
        assert await api.until(
            lambda: "Sentence 439 " in "".join(one.text for one in posts(api, "", place)), LONG
        )
        await settled(api, url)
    parts = posts(api, "", place)
    assert parts[0] is placeholder
    assert all(len(one.text) <= 4_000 for one in parts)
    for shown in ("".join(one.text for one in parts), str([one.blocks for one in parts])):
        assert [int(n) for n in re.findall(r"Sentence (\d+) of a long answer, which ends here\.", shown)] == [
            *range(440)
        ]
    assert not [method for method in api.ledger.calls if method.endswith("Stream")]
    assert api.ledger.ignored == []


async def test_an_answer_needs_no_words_of_progress(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await api.people.say("dm", "Do socks keep feet warm?")
        placeholder = await said(api, WAITING, "D1")
        await answer(chat, url)
        await said(api, "Socks are warm.", "D1")
        await settled(api, url)
    assert [one.text for one in placeholder.edits] == [WAITING]
