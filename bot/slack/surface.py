"""Slack as one of the surfaces of `carecite serve`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

import aiohttp
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from bot.intake import Intake
from bot.intake.access import read_access
from bot.render.slack.look import SlackLook
from bot.slack.accounts import Account, Accounts
from bot.slack.calls import FAILURES, TOKEN_CODES, make_client, reason_of
from bot.slack.door import SlackDoor
from bot.slack.errors import AppTokenRefused, BotTokenRefused, SlackUnreachable, WayInMissing
from bot.slack.installing import make_flow
from bot.slack.receiving import Receiver
from bot.slack.requests import Requests
from bot.slack.signs import showing_signs
from bot.slack.sockets import SocketMode
from config import Settings
from config.settings import Slack
from storage.history.chat import Chat


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

    Raises WayInMissing, BotTokenRefused, AppTokenRefused, SlackUnreachable, StorageError.
    """
    own = settings.slack
    _check_way_in(own)
    async with aiohttp.ClientSession() as session:
        accounts = Accounts(chat, lambda token: make_client(own.base_url, token, session))
        if own.bot_token is not None:
            client = make_client(own.base_url, own.bot_token.get_secret_value(), session)
            me = await _ask(client.auth_test(), BotTokenRefused)
            await accounts.add_own(str(me["team_id"]), str(me["user_id"]), me.get("bot_id"), client)
        desks = _Desks(accounts, chat, settings)
        nobody = make_client(own.base_url, None, session)
        flow = make_flow(own, accounts, nobody) if own.client_id is not None else None
        app = _make_app(nobody, own, accounts, desks)
        incoming: SocketMode | Requests
        if own.app_token is not None:
            app_token = own.app_token.get_secret_value()
            opened = await _ask(nobody.apps_connections_open(app_token=app_token), AppTokenRefused)
            incoming = SocketMode(app, app_token, str(opened["url"]), desks.drain)
        else:
            incoming = Requests(app, flow, own.http_host, own.http_port)
        async with showing_signs(chat, accounts):
            try:
                yield SlackSurface(incoming, SlackDoor(accounts))
            finally:
                await desks.close()


def _check_way_in(own: Slack) -> None:
    if own.client_id is None:
        complete = own.app_token is not None or own.signing_secret is not None
    else:
        needed = (own.client_secret, own.signing_secret, own.workspaces)
        complete = None not in needed and own.app_token is None
    if not complete:
        raise WayInMissing


class _Desks:
    """A receiver for each workspace that something came from."""

    def __init__(self, accounts: Accounts, chat: Chat, settings: Settings) -> None:
        self._accounts = accounts
        self._chat = chat
        self._settings = settings
        self._receivers: dict[Account, Receiver] = {}
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def take(self, req: AsyncBoltRequest, next: Callable[[], Awaitable[BoltResponse]]) -> BoltResponse:
        """Of a workspace where we are not, nothing is taken; at the end, what comes then comes again."""
        if self._closed:
            return BoltResponse(status=503)
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        account = await self._accounts.of_team(req.context.team_id)
        if account is None:
            return BoltResponse(status=200)
        receiver = self._receivers.get(account)
        if receiver is None:
            receiver = self._receivers[account] = self._open(account)
        return await receiver.receive(req.body)

    def _open(self, account: Account) -> Receiver:
        access = read_access(self._settings.slack.allow, account.team)
        look, settings = SlackLook(), self._settings
        intake = Intake("slack", self._chat, look, settings, asks_consent=False, access=access, whispers=True)
        return Receiver(account, self._chat, intake)

    async def drain(self) -> None:
        """What is being taken now is finished, and acknowledged."""
        if self._running:
            await asyncio.wait(set(self._running))

    async def close(self) -> None:
        self._closed = True
        await self.drain()
        await asyncio.gather(*(receiver.close() for receiver in self._receivers.values()))


class _Authorize(AsyncAuthorize):
    """Who we are, by which slack-bolt knows our own echoes. With a token it would ask Slack first; without
    one, requests are taken in the order in which they came."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def __call__(self, *, team_id: str | None, **more: Any) -> AuthorizeResult | None:
        account = await self._accounts.of_team(team_id)
        if account is None:
            return None
        return AuthorizeResult(
            enterprise_id=more["enterprise_id"],
            team_id=team_id,
            bot_user_id=account.user,
            bot_id=account.bot,
        )


def _make_app(client: AsyncWebClient, own: Slack, accounts: Accounts, desks: _Desks) -> AsyncApp:
    """Every request that is signed, and not of our own making, goes to the receiver and no further: a
    listener would be acknowledged before it ends (chat.md 1)."""
    app = AsyncApp(
        client=client,
        authorize=cast(Any, _Authorize(accounts)),  # its type names only functions
        signing_secret=own.signing_secret.get_secret_value() if own.signing_secret else "",
    )
    app.use(desks.take)
    return app


async def _ask(call: Awaitable[Any], refusal: type[BotTokenRefused] | type[AppTokenRefused]) -> Any:
    try:
        return await call
    except FAILURES as error:
        if reason_of(error) in TOKEN_CODES:
            raise refusal(f"Code {reason_of(error)}.") from None
        raise SlackUnreachable(f"({reason_of(error)})") from None
