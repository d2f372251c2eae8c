"""One call of the Web API: arguments, ordered faults, token, pace, method, reply."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.emulators.chat.faults import Fault, spoil
from tests.emulators.chat.ledger import Call
from tests.emulators.chat.service import cut
from tests.emulators.slack import (
    assistant_methods,
    chat_methods,
    stream_methods,
    view_methods,
    workspace_methods,
)
from tests.emulators.slack.installation import SCOPES
from tests.emulators.slack.replies import Refused
from tests.emulators.slack.requests import read_arguments, token_of
from tests.emulators.slack.state import Workspace
from tests.emulators.slack.tiers import limits_of, ordered
from tests.emulators.windows import Pace

if TYPE_CHECKING:
    from tests.emulators.slack.server import SlackServer

METHODS = (
    chat_methods.METHODS
    | stream_methods.METHODS
    | assistant_methods.METHODS
    | view_methods.METHODS
    | workspace_methods.METHODS
)


class Calls:
    """/api/METHOD; each workspace has a pace of its own."""

    def __init__(self, server: SlackServer) -> None:
        self._server = server
        self._paces: defaultdict[str, Pace] = defaultdict(Pace)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        try:
            arguments = await read_arguments(request)
        except Refused as refused:
            return _no(refused)
        call = self._server.ledger.note(method, time.monotonic(), arguments)
        fault = self._server.faults.take(method, arguments)
        if fault is not None and (early := await self._spoil(fault, request, call)) is not None:
            return early
        try:
            reply = self._perform(method, arguments, token_of(request, arguments), request)
        except Refused as refused:
            call.outcome = refused.error
            return _no(refused)
        call.outcome = "ok"
        if fault is not None and fault.kind == "lose":
            cut(request)
        return web.json_response({"ok": True} | reply, headers={"X-OAuth-Scopes": SCOPES})

    async def _spoil(self, fault: Fault, request: web.Request, call: Call) -> web.StreamResponse | None:
        """What comes instead of the good reply; None where the call is performed all the same."""
        call.outcome = fault.kind
        if fault.kind == "error":
            return _no(Refused(str(fault.value)))
        if fault.kind == "throttle":
            wait = int(fault.value or 1)
            workspace = self._workspace(token_of(request, dict(call.arguments)))
            where = ordered(call.method, call.arguments.get("channel"))
            counted = f"{workspace.id if workspace else 'app'} {where}"
            self._server.ledger.throttle(counted, call.method, call.at, wait)
            return _no(Refused("ratelimited", retry_after=wait))
        return await spoil(fault, request, self._server.closing)

    def _workspace(self, token: str | None) -> Workspace | None:
        return next((one for one in self._server.workspaces.values() if one.token == token), None)

    def _perform(
        self, method: str, arguments: dict[str, Any], token: str | None, request: web.Request
    ) -> dict[str, Any]:
        installation = self._server.installation
        if method == "oauth.v2.access":
            return installation.access(arguments, request.headers)
        if method == "openid.connect.token":
            return installation.identify(arguments, request.headers)
        if not token:
            raise Refused("not_authed")
        if method == "openid.connect.userInfo":
            return installation.whois(token)
        if method == "apps.connections.open":
            return self._open_connection(token)
        workspace = self._workspace(token)
        if workspace is None:
            raise Refused("not_allowed_token_type" if token.startswith("xapp-") else "invalid_auth")
        if not workspace.installed:
            raise Refused("account_inactive")
        if method not in METHODS:
            raise Refused("unknown_method", req_method=method)
        self._keep_pace(method, str(arguments.get("channel") or ""), workspace.id)
        return METHODS[method](self._server, workspace, arguments)

    def _open_connection(self, token: str) -> dict[str, Any]:
        if token != self._server.app_token:
            raise Refused("invalid_auth" if token.startswith("xapp-") else "not_allowed_token_type")
        self._keep_pace("apps.connections.open", "", "app")
        ticket = self._server.sockets.ticket()
        return {"url": f"{self._server.address.replace('http', 'ws', 1)}/link?ticket={ticket}"}

    def _keep_pace(self, method: str, channel: str, who: str) -> None:
        now = time.monotonic()
        limits = limits_of(method, channel, self._server.windows)
        ledger = self._server.ledger
        ledger.judge([f"{who} {counted}" for counted in (*limits, ordered(method, channel))], now)
        exhausted = self._paces[who].take(limits, now)
        if exhausted is not None:
            wait = max(1, math.ceil(exhausted[1]))
            ledger.throttle(f"{who} {exhausted[0]}", method, now, wait)
            raise Refused("ratelimited", retry_after=wait)


def _no(refused: Refused) -> web.Response:
    """A 429 has Retry-After; every other refusal is a 200."""
    more = {name: value for name, value in refused.more.items() if name != "retry_after"}
    reply = {"ok": False, "error": refused.error} | more
    if refused.messages:
        reply["response_metadata"] = {"messages": list(refused.messages)}
    if "retry_after" not in refused.more:
        return web.json_response(reply)
    return web.json_response(reply, status=429, headers={"Retry-After": str(refused.more["retry_after"])})
