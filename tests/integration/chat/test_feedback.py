"""What people think of an answer: clicks on Telegram, one opinion a person and answer."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.render.feedback import REASONS, write_feedback
from reasoning.notices import notice
from storage.history.chat import Chat, Place, Workspace
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat.answerer import LONG, answer, settled
from tests.integration.chat.conftest import HOME, PLENTY, message, run_of
from tests.integration.chat.surface import agree, running, said
from tests.integration.storage.documents import query

RUN = "11111111-2222-3333-4444-555555555555"
GOOD, BAD = (write_feedback(RUN, good=good) for good in (True, False))
GIVEN = "SELECT helpful, reason FROM feedback ORDER BY person_id"
GROUP = -100


@pytest.fixture
async def api() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(pace=0.0) as api:
        yield api


async def test_helpful_then_not_and_why(chat: Chat, url: str, api: TelegramServer, tmp_path: Path) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        await api.people.say("What is gout?")
        await said(api, notice("chat_placeholder", "en"))
        await answer(chat, url, run=RUN)
        shown = await said(api, "Socks are warm.")
        for _ in range(2):
            await api.people.click(shown, GOOD)
        await settled(api, url)
        assert query(url, GIVEN) == [(True, None)]
        for _ in range(2):
            await api.people.click(shown, BAD)
        asked = await said(api, notice("feedback_why", "en"))
        await settled(api, url)
        assert query(url, GIVEN) == [(False, None)]
        unclear = write_feedback(RUN, good=False, reason="unclear")
        await api.people.click(asked, unclear)
        await api.people.click(shown, BAD)
        await settled(api, url)
        assert query(url, GIVEN) == [(False, "unclear")]
        await api.people.click(asked, write_feedback(RUN, good=False, reason="unsafe"))
        await settled(api, url)
        assert query(url, GIVEN) == [(False, "unsafe")]
        assert api.said(11).count(notice("feedback_why", "en")) == 1
        await api.people.say("/export")
        assert await api.until(lambda: len(api.state.files) == 2, LONG)
        await api.people.click(shown, GOOD)
        await settled(api, url)
        assert query(url, GIVEN) == [(True, None)]
    files = {file.name: file.content.decode() for file in api.state.files.values()}
    (opinion,) = json.loads(files["carecite.json"])["feedback"]
    assert (opinion["answer"], opinion["reason"]) == (RUN, "unsafe")
    assert notice("feedback_unsafe", "en") in files["carecite.txt"]
    assert all(one.answers for one in api.state.queries.values())


async def test_others_in_a_group_have_their_own_opinion(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    """Who has not agreed has none that is kept, and an answer of another chat is nobody's to judge."""
    async with running(chat, api, tmp_path):
        for user in (11, 12):
            await agree(api, user)
        await api.people.add_group(GROUP)
        await api.people.say("/ask What is gout?", chat=GROUP)
        await said(api, notice("chat_placeholder", "en"), GROUP)
        await answer(chat, url, run=RUN)
        shown = await said(api, "Socks are warm.", GROUP)
        await api.people.click(shown, GOOD, chat=GROUP)
        await api.people.click(shown, BAD, user=12, chat=GROUP)
        await said(api, notice("feedback_why", "en"), GROUP)
        await api.people.click(shown, GOOD, user=13, chat=GROUP)
        await settled(api, url)
        assert query(url, GIVEN) == [(True, None), (False, None)]
        assert query(url, "SELECT count(*) FROM people") == [(2,)]
    found = [await chat.people.find(1, str(user)) for user in (11, 12, 13)]
    assert [person is not None for person in found] == [True, True, False]


async def test_whose_answer_it_is(chat: Chat, slack: Workspace, telegram: Workspace, url: str) -> None:
    """An id that a client made up finds nothing in another chat, and keeps nobody."""
    asked = message(slack, "1", place=Place("C9", "1.0", True))
    receipt = await chat.inbox.accept(asked, PLENTY)
    claim = await chat.questions.claim(receipt.question or 0)
    assert claim is not None
    await chat.questions.keep(claim, run_of(claim, RUN))
    stranger = replace(asked, sender="U2")
    assert not await chat.feedback.give(stranger, "r0", helpful=True)
    assert not await chat.feedback.give(replace(stranger, place=HOME), RUN, helpful=True)
    assert not await chat.feedback.give(replace(stranger, workspace=telegram.id), RUN, helpful=True)
    assert await chat.people.find(slack.id, "U2") is None
    elsewhere = replace(stranger, place=Place("C9", "2.0", True))
    assert await chat.feedback.give(elsewhere, RUN, helpful=False, reason=REASONS[0])
    (opinion,) = await chat.feedback.of_person(slack.id, "U2")
    assert (opinion.answer, opinion.helpful, opinion.reason) == (RUN, False, REASONS[0])
    assert await chat.feedback.of_person(slack.id, "U1") == []


@pytest.mark.parametrize("whose", ["asker", "judge"])
async def test_it_goes_with_the_answer_and_with_the_person(
    chat: Chat, slack: Workspace, url: str, whose: str
) -> None:
    asked = message(slack, "1")
    receipt = await chat.inbox.accept(asked, PLENTY)
    claim = await chat.questions.claim(receipt.question or 0)
    assert claim is not None
    await chat.questions.keep(claim, run_of(claim, RUN))
    for sender in ("U1", "U2"):
        assert await chat.feedback.give(replace(asked, sender=sender), RUN, helpful=True)
    await chat.erasure.of_person(slack.id, "U1" if whose == "asker" else "U2", "everything")
    assert len(query(url, GIVEN)) == (0 if whose == "asker" else 1)
