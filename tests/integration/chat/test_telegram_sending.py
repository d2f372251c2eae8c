"""What Telegram refuses, and what comes of it (chat.md 3, rows 6 and 8)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from storage.history.chat import Chat
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat.answerer import LONG, answer, questions, settled
from tests.integration.chat.surface import agree, running, said
from tests.integration.storage.documents import query

STATES = "SELECT part, state, last_error FROM outbox WHERE inbox_id = {} ORDER BY id"


@pytest.fixture
async def api() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(pace=0.0) as api:
        yield api


async def ask(api: TelegramServer, url: str, **more: Any) -> int:
    """A question whose placeholder stands; the message with it."""
    before = len(questions(url))
    asked = await api.people.say("/ask Do socks keep feet warm?", **more)
    assert await api.until(lambda: len(questions(url)) > before, LONG)
    await settled(api, url)
    return asked


async def test_a_wait_that_is_asked_for_is_kept(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        await ask(api, url)
        await api.fail(kind="throttle", method="editMessageText", value=1, times=2)
        await answer(chat, url)
        await said(api, "Socks are warm.")
        await settled(api, url)
    assert len(api.ledger.throttles) == 2
    assert all(throttle.obeyed for throttle in api.ledger.throttles)


async def test_our_own_pace_keeps_the_limits(chat: Chat, url: str, tmp_path: Path) -> None:
    async with TelegramServer() as api, running(chat, api, tmp_path):
        await agree(api)
        await ask(api, url)
        api.ledger.throttles.clear()  # nothing is kept before consent, so no pace of a chat either
        for _ in range(2):
            await answer(chat, url)
            await ask(api, url)
        await answer(chat, url)
        await settled(api, url)
        assert api.ledger.throttles == []


@pytest.mark.parametrize(
    ("error", "edits", "posts"),
    [
        ("Bad Request: can't parse entities: unexpected end", 2, 0),
        ("Bad Request: message to edit not found", 1, 1),
        ("Bad Request: message is not modified: specified new message content", 1, 0),
    ],
)
async def test_an_edit_that_is_refused(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path, error: str, edits: int, posts: int
) -> None:
    """Entities go, the words stay; a message that is gone is posted anew; what is the same is there."""
    async with running(chat, api, tmp_path):
        await agree(api)
        await ask(api, url)
        before = api.ledger.calls["sendMessage"]
        await api.fail(kind="error", method="editMessageText", value=error)
        question = await answer(chat, url, "Take /day 5 mg, see example.org")
        await settled(api, url)
    assert api.ledger.calls["editMessageText"] == edits
    assert api.ledger.calls["sendMessage"] - before == posts
    assert query(url, STATES.format(question))[-1] == ("answer 1", "sent", None)
    if "not modified" not in error:
        last = api.state.chats[11].messages[-1]
        assert last.text == "Take /day 5 mg, see example.org"
        assert bool(last.entities) == bool(posts)


async def test_somebody_who_blocked_us_holds_up_nobody(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        await agree(api, 12)
        await ask(api, url)
        await api.people.block()
        question = await answer(chat, url)
        await settled(api, url)
        await ask(api, url, user=12)
        await answer(chat, url)
        await said(api, "Socks are warm.", 12)
    assert query(url, STATES.format(question))[-1] == ("answer 1", "failed", "forbidden")


async def test_a_group_that_moved(chat: Chat, url: str, api: TelegramServer, tmp_path: Path) -> None:
    old, new = -500, -100500
    async with running(chat, api, tmp_path):
        await agree(api)
        await api.people.add_group(old, kind="group")
        await ask(api, url, chat=old)
        await api.people.migrate(old, new)
        await answer(chat, url)
        await said(api, "Socks are warm.", new)
        await settled(api, url)


async def test_a_connection_that_is_torn(chat: Chat, url: str, api: TelegramServer, tmp_path: Path) -> None:
    """An edit is repeated without harm, also where Telegram had done it before the connection broke."""
    async with running(chat, api, tmp_path):
        await agree(api)
        await ask(api, url)
        await api.fail(kind="lose", method="editMessageText")
        question = await answer(chat, url)
        assert await api.until(lambda: api.ledger.calls["editMessageText"] == 2, LONG)
        await settled(api, url)
        await api.fail(kind="drop", method="getUpdates", times=2)
        await api.cut_polls()
        await ask(api, url)
    assert query(url, STATES.format(question))[-1][1] == "sent"
    assert api.said(11).count("Socks are warm.") == 1
