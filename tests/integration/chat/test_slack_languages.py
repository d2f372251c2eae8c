"""In which language somebody is greeted, whose words do not tell it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.render.feedback import ACTION, write_feedback
from reasoning.notices import notice
from storage.history.chat import Chat
from tests.emulators.slack.server import SlackServer
from tests.integration.chat.answerer import LONG, answer, questions, settled
from tests.integration.chat.slack_surface import running, said, unpaced
from tests.integration.storage.documents import query

ASKED = "users.info"
RUN = "11111111-2222-3333-4444-555555555555"


@pytest.fixture
async def api() -> AsyncIterator[SlackServer]:
    async with unpaced() as server:
        for user, locale in (("U7", "de-DE"), ("U8", "pt-BR"), ("U9", "zh-TW")):
            await server.people.add_person(user, locale=locale)
        yield server


async def test_slack_tells_once_and_nobody_is_kept_by_it(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        for user, language in (("U7", "de"), ("U8", "en"), ("U9", "zh")):
            room = f"D{user[1:]}"
            await api.people.slash("dm", "/history", user=user)
            await said(api, notice("chat_history_none", language), room)
            await api.people.say("dm", "", user=user, file="scan.png")
            await said(api, notice("chat_media", language), room)
            await api.people.open_home(user=user)
            assert await api.until(lambda user=user: user in api.workspace.homes, LONG)
            assert notice("slack_scope", language) in str(api.workspace.homes[user].content)
        await settled(api, url)
    assert api.ledger.calls[ASKED] == 3
    assert query(url, "SELECT count(*) FROM people") == [(0,)]


async def test_it_is_kept_with_who_is_kept_and_their_own_words_come_first(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await api.people.say("C1", "¿Cuáles son los síntomas de la gota?", user="U7", mention=True)
        assert await api.until(lambda: questions(url), LONG)
        await answer(chat, url, run=RUN)
        shown = await said(api, "Socks are warm.")
        await api.people.slash("C1", "/history", user="U7")
        await said(api, notice("chat_history", "es"), "D7")
        assert api.ledger.calls[ASKED] == 0
        await api.people.click("C1", shown.ts, ACTION, value=write_feedback(RUN, good=True), user="U9")
        await said(api, notice("chat_thanks", "zh"))
        await settled(api, url)
    assert query(url, "SELECT language FROM people ORDER BY id") == [("es",), ("zh",)]
    async with running(chat, api, tmp_path):
        await api.people.slash("C1", "/history", user="U9")
        await said(api, notice("chat_history_none", "zh"), "D9")
    assert api.ledger.calls[ASKED] == 1


async def test_of_a_person_kept_without_one(chat: Chat, url: str, api: SlackServer, tmp_path: Path) -> None:
    async with running(chat, api, tmp_path):
        await api.people.say("dm", "What is gout?", user="U7")
        assert await api.until(lambda: questions(url), LONG)
        query(url, "UPDATE people SET language = NULL")
        await api.people.slash("dm", "/help", user="U7")
        await said(api, notice("slack_help", "de"), "D7")
    assert query(url, "SELECT language FROM people") == [("de",)]


@pytest.mark.parametrize(("kind", "value"), [("error", "missing_scope"), ("throttle", 30), ("hang", None)])
async def test_where_slack_does_not_tell(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path, kind: str, value: str | int | None
) -> None:
    """Everything is said in English; Slack is left alone for a while."""
    async with running(chat, api, tmp_path):
        await api.fail(kind=kind, method=ASKED, value=value, times=None)
        for _ in range(2):
            await api.people.slash("dm", "/help", user="U7")
        await said(api, notice("slack_help", "en"), "D7")
        await api.people.say("dm", "What is gout?", user="U7")
        assert await api.until(lambda: questions(url), LONG)
        await settled(api, url)
    assert api.ledger.calls[ASKED] == 1
    assert api.ledger.ignored == []


async def test_somebody_in_danger_does_not_wait_for_it(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await api.people.say("dm", "I have crushing chest pain right now", user="U7")
        await said(api, "Call your local emergency number now", "D7")
        await api.people.slash("C1", "/ask", "I have crushing chest pain right now", user="U8")
        await said(api, "Call your local emergency number now", "D8")
        await settled(api, url)
    assert api.ledger.calls[ASKED] == 0
