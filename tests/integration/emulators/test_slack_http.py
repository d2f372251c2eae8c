"""slack-bolt by signed HTTP requests: signatures, retries, forms, and several workspaces by OAuth."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulators.slack.deliveries import Redelivery
from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.tiers import Windows
from tests.integration.emulators.bolt import FEEDBACK, BoltServer, make_app


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    redelivery = Redelivery(ack_within=0.3, waits=(0.01, 0.01, 0.01))
    async with SlackServer(redelivery=redelivery, windows=Windows(post=0.0)) as server:
        yield server


async def test_a_signed_event_is_answered_and_a_forged_one_is_not(slack: SlackServer) -> None:
    app = make_app(slack)

    @app.event("message")
    async def _message(event: dict[str, Any], say: Any) -> None:
        await say(f"answer to {event['text']}")

    async with BoltServer(app) as receiver:
        await slack.request_url(receiver.url)
        assert json.loads(await slack.people.verify_url()) == {"challenge": "challenge-4711"}
        ts = await slack.people.say("dm", "gout")
        assert await slack.settle()
        assert await slack.people.forge(ts) == 401
        assert await slack.people.forge(ts, secret=slack.signing_secret, age=400) == 401
        assert await slack.people.forge(ts, secret=slack.signing_secret) == 200
        assert await slack.settle()
    assert slack.deliveries.all[0].attempts[0].status == 200
    assert [one.text for one in slack.workspace.messages()][:2] == ["gout", "answer to gout"]


@pytest.mark.filterwarnings(
    "ignore:BasicAuth is deprecated:DeprecationWarning"
)  # slack-sdk 3.48, aiohttp 3.14
async def test_the_page_where_somebody_allows_the_app(slack: SlackServer) -> None:
    query = {
        "client_id": "client-4711",
        "state": "s-1",
        "redirect_uri": "http://127.0.0.1:9/back",
        "user": "U2",
    }
    async with aiohttp.ClientSession() as http:
        page = f"{slack.address}/oauth/v2/authorize"
        async with http.get(page, params=query, allow_redirects=False) as answer:
            back = urlsplit(answer.headers["Location"])
        async with http.get(page, params=query | {"client_id": "x"}) as answer:
            assert answer.status == 400
    given = parse_qs(back.query)
    assert (back.path, given["state"]) == ("/back", ["s-1"])
    client = AsyncWebClient(base_url=slack.base_url)
    told = {"client_id": "client-4711", "client_secret": "client-secret-4711", "code": given["code"][0]}
    with pytest.raises(SlackApiError, match="bad_client_secret"):
        await client.openid_connect_token(**told | {"client_secret": "x"})
    signed_in = await client.openid_connect_token(**told)
    shown = await AsyncWebClient(signed_in["access_token"], base_url=slack.base_url).openid_connect_userInfo()
    assert shown["sub"] == "U2"


async def test_a_request_that_fails_comes_again_and_says_so(slack: SlackServer) -> None:
    app = make_app(slack)
    seen: list[tuple[str, ...]] = []

    @app.middleware
    async def _note(req: Any, next: Any) -> Any:
        named = ("x-slack-retry-num", "x-slack-retry-reason")
        seen.append(tuple(req.headers.get(name, [""])[0] for name in named))
        if len(seen) == 1:
            raise RuntimeError("at work")
        if len(seen) == 2:
            await asyncio.sleep(1.0)
        return await next()

    @app.event("message")
    async def _message() -> None: ...

    async with BoltServer(app) as receiver:
        await slack.request_url(receiver.url)
        await slack.people.say("dm", "gout")
        assert await slack.settle()
    assert seen == [("", ""), ("1", "http_error"), ("2", "http_timeout")]
    assert [attempt.status for attempt in slack.deliveries.all[0].attempts] == [500, None, 200]


async def test_forms_of_interactions_and_commands(slack: SlackServer) -> None:
    app = make_app(slack)
    clicked: list[str] = []

    @app.action("feedback")
    async def _feedback(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        clicked.append(body["actions"][0]["value"])

    @app.command("/ask")
    async def _ask(ack: Any, command: dict[str, Any]) -> None:
        await ack(f"Looking for {command['text']}")

    @app.event("message")
    async def _message() -> None: ...

    async with BoltServer(app) as receiver:
        await slack.request_url(receiver.url)
        posted = await app.client.chat_postMessage(channel="C1", text="answer", blocks=FEEDBACK)
        await slack.people.click("C1", posted["ts"], "feedback", value="good")
        assert await slack.people.slash("C1", "/ask", "gout & more") == {"text": "Looking for gout & more"}
        assert await slack.settle()
    assert clicked == ["good"]
    assert slack.workspace.messages()[-1].ephemeral_to == "U1"


@pytest.mark.filterwarnings(
    "ignore:BasicAuth is deprecated:DeprecationWarning"
)  # slack-sdk 3.48, aiohttp 3.14
async def test_two_workspaces_by_oauth_until_one_uninstalls(slack: SlackServer) -> None:
    await slack.people.add_workspace("T2")
    tokens: dict[str, str] = {}
    client = AsyncWebClient(base_url=slack.base_url)
    for team in ("T1", "T2"):
        code = await slack.people.allow(team=team)
        told = {"client_id": "client-4711", "client_secret": "client-secret-4711", "code": code}
        tokens[team] = (await client.oauth_v2_access(**told))["access_token"]
        with pytest.raises(SlackApiError, match="invalid_code"):
            await client.oauth_v2_access(**told)

    async def authorize(team_id: str, **_: Any) -> AuthorizeResult:
        tested = await AsyncWebClient(tokens[team_id], base_url=slack.base_url).auth_test()
        return AuthorizeResult.from_auth_test_response(auth_test_response=tested, bot_token=tokens[team_id])

    app = make_app(slack, authorize=authorize, client=AsyncWebClient(base_url=slack.base_url))
    gone: list[str] = []

    @app.event("app_mention")
    async def _mention(event: dict[str, Any], say: Any, context: Any) -> None:
        await say(f"{context.team_id} heard {event['user']}", thread_ts=event["ts"])

    @app.event("message")
    async def _message() -> None: ...

    @app.event("app_uninstalled")
    async def _uninstalled(context: Any) -> None:
        gone.append(context.team_id)

    @app.event("tokens_revoked")
    async def _revoked() -> None: ...

    async with BoltServer(app) as receiver:
        await slack.request_url(receiver.url)
        await slack.people.say("C1", "gout", mention=True)
        await slack.people.say("C1-2", "gout", user="U1-2", mention=True, team="T2")
        assert await slack.until(lambda: slack.ledger.calls["chat.postMessage"] == 2)
        assert await slack.settle()
        first, second = (slack.workspaces[team].messages()[-1].text for team in ("T1", "T2"))
        assert (first, second) == ("T1 heard U1", "T2 heard U1-2")
        await slack.people.uninstall(team="T2")
        with pytest.raises(SlackApiError, match="account_inactive"):
            await AsyncWebClient(tokens["T2"], base_url=slack.base_url).auth_test()
    assert {one.payload["event"]["type"] for one in slack.deliveries.all[-2:]} == {
        "tokens_revoked",
        "app_uninstalled",
    }
