"""What people on Slack think of an answer, and of whom it is asked why."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.render.feedback import ACTION, write_feedback
from reasoning.notices import notice
from storage.history.chat import Chat
from tests.emulators.slack.server import SlackServer
from tests.integration.chat.answerer import LONG, answer, questions, settled
from tests.integration.chat.slack_surface import posts, running, said, unpaced
from tests.integration.storage.documents import query

GOUT = "What are the symptoms of gout?"


@pytest.fixture
async def api() -> AsyncIterator[SlackServer]:
    async with unpaced() as server:
        yield server


async def test_an_answer_is_rated_and_why_is_asked_once_of_one_person_alone(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    run, given = "11111111-2222-3333-4444-555555555555", "SELECT helpful, reason FROM feedback"
    good, bad = (write_feedback(run, good=value) for value in (True, False))
    async with running(chat, api, tmp_path):
        thread = await api.people.say("C1", GOUT, mention=True)
        assert await api.until(lambda: questions(url), LONG)
        await answer(chat, url, run=run)
        shown = await said(api, "Socks are warm.")
        await api.people.click("C1", shown.ts, ACTION, value=good)
        await settled(api, url)
        assert query(url, given) == [(True, None)]
        for _ in range(2):
            await api.people.click("C1", shown.ts, ACTION, value=bad)
        asked = await said(api, notice("feedback_why", "en"))
        await settled(api, url)
        assert query(url, given) == [(False, None)]
        assert (asked.ephemeral_to, asked.thread_ts) == ("U1", thread)
        assert len(posts(api, notice("feedback_why", "en"))) == 1
        await api.people.click("C1", asked.ts, write_feedback(run, good=False, reason="unclear"))
        assert await api.until(lambda: asked.text == notice("chat_thanks", "en"), LONG)
        await settled(api, url)
    assert query(url, given) == [(False, "unclear")]
    assert asked.blocks == []
    assert [one for one in posts(api) if not one.ephemeral_to] == [shown]


async def test_why_is_asked_in_a_direct_chat_where_they_are_alone(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    run, given = "11111111-2222-3333-4444-555555555555", "SELECT helpful, reason FROM feedback"
    bad = write_feedback(run, good=False)
    async with running(chat, api, tmp_path):
        await api.people.say("dm", GOUT)
        assert await api.until(lambda: questions(url), LONG)
        await answer(chat, url, run=run)
        shown = await said(api, "Socks are warm.", "D1")
        await api.people.click("D1", shown.ts, ACTION, value=bad)
        asked = await said(api, notice("feedback_why", "en"), "D1")
        assert asked.ephemeral_to is None
        await api.people.click("D1", asked.ts, write_feedback(run, good=False, reason="unsafe"))
        await settled(api, url)
    assert query(url, given) == [(False, "unsafe")]
