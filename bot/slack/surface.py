"""Slack as one of the surfaces of `carecite serve`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.intake import Intake
from bot.render.slack.look import SlackLook
from bot.slack.calls import FAILURES, TOKEN_CODES, code_of, make_client
from bot.slack.door import SlackDoor
from bot.slack.errors import AppTokenRefused, BotTokenRefused, SlackUnreachable
from bot.slack.reading import Account
from bot.slack.receiving import Receiver
from bot.slack.requests import Requests
from bot.slack.sockets import SocketMode
from config import Settings
from storage.history.chat import Budget, Chat


@dataclass(frozen=True, slots=True)
class SlackSurface:
    """`receiver` runs until it is told to stop, `door` sends."""

    receiver: SocketMode | Requests
    door: SlackDoor

    @property
    def name(self) -> str:
        return "slack"


@asynccontextmanager
async def open_slack(settings: Settings, chat: Chat) -> AsyncIterator[SlackSurface]:
    """The tokens are checked first.

    Raises BotTokenRefused, AppTokenRefused, SlackUnreachable, StorageError.
    """
    own = settings.slack
    assert own.bot_token is not None
    token = own.bot_token.get_secret_value()
    async with aiohttp.ClientSession() as session:
        client = make_client(own.base_url, token, session)
        me = await _ask(client.auth_test(), BotTokenRefused)
        row = await chat.workspaces.install("slack", str(me["team_id"]))
        account = Account(row.id, str(me["team_id"]), str(me["user_id"]), me.get("bot_id"))
        budget = Budget(settings.chat.person_daily, settings.chat.workspace_daily)
        intake = Intake("slack", chat, SlackLook(), budget, asks_consent=False)
        door = SlackDoor({row.id: client})
        receiver = Receiver(account, client, chat, intake, door)
        secret = own.signing_secret.get_secret_value() if own.signing_secret else ""
        app = _make_app(make_client(own.base_url, None, session), account, secret, receiver)
        incoming: SocketMode | Requests
        if own.app_token is not None:
            app_token = own.app_token.get_secret_value()
            opened = await _ask(client.apps_connections_open(app_token=app_token), AppTokenRefused)
            incoming = SocketMode(app, app_token, str(opened["url"]))
        else:
            incoming = Requests(app, own.http_host, own.http_port)
        try:
            yield SlackSurface(incoming, door)
        finally:
            await receiver.close()


def _make_app(client: AsyncWebClient, account: Account, signing_secret: str, receiver: Receiver) -> AsyncApp:
    """Every request that is signed, and not of our own making, goes to the receiver and no further: a
    listener would be acknowledged before it ends (chat.md 1). With a token the library would ask Slack first
    who we are; without one, requests reach the receiver in the order in which they came."""

    async def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            bot_user_id=account.user,
            bot_id=account.bot,
        )

    async def take(req: AsyncBoltRequest, next: Callable[[], Awaitable[BoltResponse]]) -> BoltResponse:
        if req.context.team_id not in (None, account.team):
            return BoltResponse(status=200)
        return await receiver.receive(req.body)

    app = AsyncApp(client=client, authorize=authorize, signing_secret=signing_secret)
    app.use(take)
    return app


async def _ask(call: Awaitable[Any], refusal: type[BotTokenRefused] | type[AppTokenRefused]) -> Any:
    try:
        return await call
    except SlackApiError as error:
        if code_of(error) in TOKEN_CODES:
            raise refusal(f"Code {code_of(error)}.") from None
        raise SlackUnreachable(f"({code_of(error)})") from None
    except FAILURES as error:
        raise SlackUnreachable(f"({type(error).__name__})") from None
