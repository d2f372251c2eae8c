"""The sign of work in a thread: set while somebody waits, and always cleared (chat.md 3, row 10)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest

import bot.slack.signs
from bot.serving import LOOKS
from bot.worker import MOST_ATTEMPTS, Answering
from reasoning.assistant import Assistant
from reasoning.notices import notice
from storage.history.chat import Chat
from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.state import Status
from tests.integration.chat.answerer import LONG, answer, questions, settled
from tests.integration.chat.killing_slack import process
from tests.integration.chat.slack_surface import running, said, unpaced
from tests.integration.storage.documents import query

METHOD = "assistant.threads.setStatus"
SIGN = notice("slack_status", "en")
GOUT = "What are the symptoms of gout?"


@pytest.fixture
async def api() -> AsyncIterator[SlackServer]:
    async with unpaced() as server:
        yield server


def signs(api: SlackServer, thread: str, channel: str = "C1") -> list[Status]:
    place = api.workspace.channels.get(channel)
    return place.statuses.get(thread, []) if place else []


async def shows(api: SlackServer, thread: str, channel: str = "C1", sign: str = SIGN) -> None:
    def is_shown() -> bool:
        place = api.workspace.channels.get(channel)
        return place is not None and place.status(thread) == sign

    assert await api.until(is_shown, LONG), signs(api, thread, channel)


async def test_two_threads_of_a_channel_have_a_sign_each(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    """Our own post takes the first sign away; it is set anew, and the answer of one clears no other."""
    async with running(chat, api, tmp_path):
        first = await api.people.say("C1", GOUT, mention=True)
        await said(api, notice("chat_placeholder", "en"))
        second = await api.people.say("C1", "What is asthma?", mention=True)
        await settled(api, url)
        await shows(api, first)
        await shows(api, second)
        assert signs(api, first)[-1].loading[0] == notice("slack_loading_search", "en")
        await answer(chat, url)
        await shows(api, first, sign="")
        await shows(api, second)
        await answer(chat, url)
        await shows(api, second, sign="")
    assert signs(api, first)[-1].text == signs(api, second)[-1].text == ""


async def test_in_a_direct_chat_and_in_a_language(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        asked = await api.people.say("dm", "¿Cuáles son los síntomas de la gota?")
        await shows(api, asked, "D1", notice("slack_status", "es"))
        await answer(chat, url)
        await shows(api, asked, "D1", "")


async def test_it_is_set_again_before_it_lapses_and_cleared_at_the_end(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.slack.signs, "REFRESH", 0.5)
    async with running(chat, api, tmp_path):
        asked = await api.people.say("C1", GOUT, mention=True)
        assert await api.until(lambda: sum(one.text == SIGN for one in signs(api, asked)) > 3, LONG)
    assert signs(api, asked)[-1].text == ""
    assert bot.slack.signs.REFRESH < bot.slack.signs.LAPSE


async def test_what_raises_is_cleared_once_it_has_its_end(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    answering = Answering(chat, Assistant(cast(Any, None), {}), LOOKS)  # it stumbles over every question
    async with running(chat, api, tmp_path):
        asked = await api.people.say("C1", GOUT, mention=True)
        await shows(api, asked)
        ((question,),) = query(url, "SELECT id FROM inbox WHERE state = 'received'")
        for _ in range(MOST_ATTEMPTS - 1):
            with pytest.raises(KeyError):
                await answering.answer(question)
        await shows(api, asked)
        await answering.answer(question)
        await said(api, notice("chat_apology", "en"))
        await shows(api, asked, sign="")


async def test_a_question_that_is_deleted_leaves_no_sign(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        asked = await api.people.say("C1", GOUT, mention=True)
        await shows(api, asked)
        await api.people.delete("C1", asked)
        await shows(api, asked, sign="")


@pytest.mark.parametrize("answered_by", ["the same", "another"])
async def test_killed_while_it_thinks(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path, answered_by: str
) -> None:
    """The next process answers, or finds that another one has: in both cases it clears the sign."""
    async with process(api, tmp_path, url, "1000"):
        asked = await api.people.say("C1", GOUT, mention=True)
        await settled(api, url)
        await shows(api, asked)
    assert api.workspace.channels["C1"].status(asked) == SIGN
    if answered_by == "another":
        query(url, "UPDATE inbox SET state = 'received'")
        await answer(chat, url)
    async with process(api, tmp_path, url):
        await settled(api, url)
        await shows(api, asked, sign="")
    assert questions(url) == [GOUT]
    assert query(url, "SELECT state FROM inbox WHERE kind = 'question'") == [("answered",)]


@pytest.mark.parametrize(
    ("kind", "value"), [("error", "missing_scope"), ("throttle", 1), ("status", None), ("drop", None)]
)
async def test_a_sign_that_fails_harms_no_answer(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path, kind: str, value: str | int | None
) -> None:
    async with running(chat, api, tmp_path):
        times = None if kind == "error" else 2
        await api.fail(kind=kind, method=METHOD, value=value, times=times, status=500)
        asked = await api.people.say("C1", GOUT, mention=True)
        await said(api, notice("chat_placeholder", "en"))
        assert await api.until(lambda: api.ledger.calls[METHOD] > 0, LONG)
        await answer(chat, url)
        await said(api, "Socks are warm.")
        await shows(api, asked, sign="")
        await settled(api, url)
    assert api.ledger.ignored == []
