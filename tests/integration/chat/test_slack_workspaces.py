"""Several Slack workspaces by OAuth: installed, apart from each other, and gone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from reasoning.notices import notice
from storage.history.chat import Chat
from tests.emulators.slack.server import SlackServer
from tests.integration.chat.answerer import LONG, questions, settled
from tests.integration.chat.slack_surface import running, unpaced
from tests.integration.emulators.test_telegram_webhook import free_port
from tests.integration.storage.documents import query

WAITING = notice("chat_placeholder", "en")
pytestmark = pytest.mark.filterwarnings(
    "ignore:BasicAuth is deprecated:DeprecationWarning"  # slack-sdk 3.48, aiohttp 3.14
)


@pytest.fixture
async def api() -> AsyncIterator[SlackServer]:
    async with unpaced() as server:
        yield server


def several(api: SlackServer, port: int, workspaces: str) -> dict[str, Any]:
    return {
        "bot_token": None,
        "app_token": None,
        "signing_secret": api.signing_secret,
        "client_id": "client-4711",
        "client_secret": "client-secret-4711",
        "workspaces": workspaces,
        "authorize_url": f"{api.address}/oauth/v2/authorize",
        "http_port": port,
    }


async def listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def install(api: SlackServer, port: int, team: str, *, state: str | None = None) -> int:
    """What somebody's browser does; the status of the last page."""
    async with asyncio.timeout(LONG):
        while not await listens(port):  # noqa: ASYNC110  # of a socket
            await asyncio.sleep(0.05)
    async with aiohttp.ClientSession() as http:
        async with http.get(f"http://127.0.0.1:{port}/slack/install") as page:
            given = re.search(r"state=([^&\"]+)", await page.text())
            cookie = page.headers["Set-Cookie"].partition(";")[0]
        assert given is not None
        code = await api.people.allow(team=team)
        back = {"code": code, "state": state or given[1]}
        address = f"http://127.0.0.1:{port}/slack/oauth_redirect"
        async with http.get(address, params=back, headers={"Cookie": cookie}) as done:
            first = done.status
        async with http.get(address, params=back, headers={"Cookie": cookie}) as again:
            assert again.status == (401 if state is None else 400)
        return first


async def test_two_workspaces_do_not_hear_of_each_other(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    port = free_port()
    for team in ("T2", "T3"):
        await api.people.add_workspace(team)
    await api.request_url(f"http://127.0.0.1:{port}/slack/events")
    async with running(chat, api, tmp_path, **several(api, port, "T1, T2")):
        assert await install(api, port, "T1", state="forged") == 400
        assert await install(api, port, "T3") == 500
        assert query(url, "SELECT count(*) FROM workspaces WHERE platform = 'slack'") == [(0,)]
        assert [await install(api, port, team) for team in ("T1", "T2")] == [200, 200]
        await api.people.say("C1", "One?", mention=True)
        await api.people.say("C1-2", "Two?", mention=True, user="U1-2", team="T2")
        await api.people.say("C1-3", "Three?", mention=True, user="U1-3", team="T3")
        assert await api.until(lambda: len(questions(url)) == 2, LONG)
        await settled(api, url)
        await api.people.uninstall(team="T2")
        assert await api.until(lambda: query(url, "SELECT count(*) FROM people") == [(1,)], LONG)
        await settled(api, url)
        assert await install(api, port, "T2") == 200
        await api.people.say("C1-2", "Four?", mention=True, user="U1-2", team="T2")
        assert await api.until(lambda: "Four?" in questions(url), LONG)
        await settled(api, url)
    assert sorted(filter(None, questions(url))) == ["Four?", "One?"]
    said = {
        team: [one.text for one in api.workspaces[team].messages() if one.bot_id]
        for team in ("T1", "T2", "T3")
    }
    assert said == {"T1": [WAITING], "T2": [WAITING, WAITING], "T3": []}
    tokens = {api.workspaces[team].token for team in ("T1", "T2")}
    kept = query(url, "SELECT string_agg(encode(sealed_tokens, 'escape'), ' ') FROM workspaces")[0][0]
    assert not any(token in kept for token in tokens)


async def test_installed_workspaces_are_known_after_a_restart(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    port = free_port()
    await api.request_url(f"http://127.0.0.1:{port}/slack/events")
    async with running(chat, api, tmp_path, **several(api, port, "*")):
        assert await install(api, port, "T1") == 200
    async with running(chat, api, tmp_path, **several(api, port, "*")):
        await api.people.say("dm", "One?")
        assert await api.until(lambda: questions(url), LONG)
        await settled(api, url)
    assert [one.text for one in api.workspace.messages() if one.bot_id] == [WAITING]
