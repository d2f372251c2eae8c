"""What is attached to a question is not read, and that is said once (chat.md 3, row 2)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from reasoning.notices import notice
from storage.history.chat import Chat
from tests.emulators.slack.server import SlackServer
from tests.integration.chat.answerer import LONG, answer, questions, settled
from tests.integration.chat.slack_surface import posts, running, said, unpaced

GOUT = "What are the symptoms of gout?"


@pytest.fixture
async def api() -> AsyncIterator[SlackServer]:
    async with unpaced() as server:
        yield server


@pytest.mark.parametrize("order", ["both", "mention", "message"])
async def test_a_file_that_comes_as_two_events_is_spoken_of_once(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path, order: str
) -> None:
    """With both events alike, and with a mention that tells of no file before or after the message."""
    beside, alone = notice("chat_media_beside", "en"), notice("chat_media", "en")
    async with running(chat, api, tmp_path):
        for text in ("What is gout?", ""):
            if order == "both":
                asked = await api.people.say("C1", text, mention=True, file="scan.png")
                assert await api.people.redeliver(asked) == 2
                continue
            stamp = await api.people.say("C1", "An aside.")
            event = {
                "channel": "C1",
                "user": "U1",
                "ts": stamp,
                "text": f"<@{api.workspace.bot_user}> {text}",
            }
            whole = {"subtype": "file_share", "files": [{"id": "F1", "name": "scan.png"}]}
            pair = [event | {"type": "app_mention"}, event | whole | {"type": "message"}]
            for one in pair if order == "mention" else reversed(pair):
                await api.people.push(one)
                assert await api.settle(LONG)
        await said(api, beside)
        await said(api, alone)
        await settled(api, url)
        await answer(chat, url)
        await said(api, "Socks are warm.")
        await settled(api, url)
    assert questions(url) == ["What is gout?"]
    assert [one.text for one in posts(api)] == ["Socks are warm.", beside, alone]


async def test_a_file_goes_unsaid_with_its_deleted_question(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        asked = await api.people.say("C1", GOUT, mention=True, file="scan.png")
        await said(api, notice("chat_media_beside", "en"))
        await settled(api, url)
        await api.people.delete("C1", asked)
        assert await api.until(lambda: not posts(api), LONG)
        assert await api.people.redeliver(asked) == 2
        await settled(api, url)
    assert posts(api) == []
