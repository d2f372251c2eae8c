"""One call of the Bot API: token, arguments, ordered faults, method, reply. Polls wait here."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.emulators.chat.faults import Fault, spoil
from tests.emulators.chat.ledger import Call
from tests.emulators.chat.service import cut
from tests.emulators.telegram import bot_methods, message_methods
from tests.emulators.telegram.refusals import Refusal, Refused
from tests.emulators.telegram.requests import no, read_arguments, too_many, whole, yes

if TYPE_CHECKING:
    from tests.emulators.telegram.server import TelegramServer

METHODS = message_methods.METHODS | bot_methods.METHODS
_ACTIVE = (
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete it first"
)


class Calls:
    """/botTOKEN/METHOD, whose name may be in any case."""

    def __init__(self, server: TelegramServer) -> None:
        self._server = server
        self._polls: list[web.Request] = []

    async def serve(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["token"] != self._server.token:
            return no(Refusal("Unauthorized", 401))
        method = request.match_info["method"]
        try:
            arguments = await read_arguments(request)
        except Refused as refused:
            return no(refused.refusal)
        call = self._server.ledger.note(method, time.monotonic(), _without_bytes(arguments))
        fault = self._server.faults.take(method, arguments)
        if fault is not None and (early := await self._spoil(fault, request, call)) is not None:
            return early
        try:
            result = await self._perform(method, arguments, request)
        except Refused as refused:
            call.outcome = refused.refusal.description
            return no(refused.refusal)
        call.outcome = "ok"
        if fault is not None and fault.kind == "lose":
            cut(request)
        return yes(result)

    async def perform_quietly(self, method: str, arguments: dict[str, Any]) -> None:
        """A call in the reply to a webhook, whose result nobody gets."""
        call = self._server.ledger.note(method, time.monotonic(), arguments)
        try:
            await self._perform(method, arguments, None)
            call.outcome = "ok"
        except Refused as refused:
            call.outcome = refused.refusal.description

    def cut_polls(self) -> int:
        polls = list(self._polls)
        for request in polls:
            cut(request)
        return len(polls)

    async def _perform(self, method: str, arguments: dict[str, Any], request: web.Request | None) -> Any:
        name = method.lower()
        if name == "getupdates" and request is not None:
            return await self._poll(arguments, request)
        if name not in METHODS:
            raise Refused(Refusal("Not Found: method not found", 404))
        return METHODS[name](self._server, arguments)

    async def _poll(self, arguments: dict[str, Any], request: web.Request) -> list[dict[str, Any]]:
        updates = self._server.updates
        if self._server.webhook.url:
            raise Refused(Refusal(_ACTIVE, 409))
        if arguments.get("allowed_updates") is not None:
            updates.allowed = list(arguments["allowed_updates"])
        offset, limit = whole(arguments, "offset"), whole(arguments, "limit", 100)
        self._polls.append(request)
        try:
            return await updates.get(offset, limit, whole(arguments, "timeout"))
        finally:
            self._polls.remove(request)

    async def _spoil(self, fault: Fault, request: web.Request, call: Call) -> web.StreamResponse | None:
        """What comes instead of the good reply; None where the call is performed all the same."""
        call.outcome = fault.kind
        if fault.kind == "error":
            return no(Refusal(str(fault.value), fault.status if fault.status != 200 else 400))
        if fault.kind == "throttle":
            wait = int(fault.value or 1)
            what = "sign" if call.method.lower() == "sendchataction" else "ordered"  # no message waits for it
            counted = f"{what} {call.arguments.get('chat_id')}"
            self._server.ledger.throttle(counted, call.method, call.at, wait)
            return no(too_many(wait))
        return await spoil(fault, request, self._server.closing)


def _without_bytes(arguments: dict[str, Any]) -> dict[str, Any]:
    """An uploaded file by its name."""
    return {name: value[0] if isinstance(value, tuple) else value for name, value in arguments.items()}
