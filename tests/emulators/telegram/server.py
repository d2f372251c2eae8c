"""Telegram's Bot API on loopback. What it holds is plain data: `state`, `updates`, `webhook`, `ledger`.

async with TelegramServer() as telegram:
    application = ApplicationBuilder().token(telegram.token).base_url(telegram.base_url) …
    ...
    await telegram.people.say("What is the dose of aspirin?")
    await telegram.settle()
"""

from __future__ import annotations

import asyncio
import math
import time
from typing import Any

from aiohttp import web

from tests.emulators.chat.control import add_control, verbs_of
from tests.emulators.chat.faults import Fault, Faults
from tests.emulators.chat.ledger import Call, Ledger
from tests.emulators.chat.service import Service, cut
from tests.emulators.telegram import bot_methods, message_methods
from tests.emulators.telegram.limits import limits_of
from tests.emulators.telegram.people import People
from tests.emulators.telegram.refusals import Refusal, Refused
from tests.emulators.telegram.requests import no, read_arguments, too_many, whole, yes
from tests.emulators.telegram.state import Chat, State, User
from tests.emulators.telegram.transcript import render_chat
from tests.emulators.telegram.updates import Updates
from tests.emulators.telegram.webhook import Webhook
from tests.emulators.windows import Pace

TOKEN = "4711:telegram-token"
METHODS = message_methods.METHODS | bot_methods.METHODS
_ACTIVE = (
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete it first"
)


class TelegramServer(Service):
    """One bot. `pace` shortens the windows of all rate limits; 0 switches them off."""

    def __init__(
        self, port: int = 0, *, token: str = TOKEN, username: str = "carecite_bot", pace: float = 1.0
    ) -> None:
        super().__init__(port)
        self.token = token
        self.pace = pace
        bot = User(int(token.partition(":")[0]), "carecite", username=username, bot=True)
        self.state = State(bot, users={bot.id: bot})
        self.ledger, self.faults, self._taken = Ledger(), Faults(), Pace()
        self.reactions: dict[tuple[int, int], list[dict[str, Any]]] = {}
        self.updates = Updates()
        self.webhook = Webhook(self.updates, self.spawn, self._perform_quietly)
        self.people = People(self)
        self.web.router.add_route("*", "/bot{token}/{method}", self._api)
        self.web.router.add_get("/file/bot{token}/{path:.+}", self._file)
        own = ("fail", "heal", "settle", "forge", "privacy", "copies", "webhook_retry")
        verbs = verbs_of(self.people) | {name: getattr(self, name) for name in own}
        add_control(self.web, verbs, self.told, lambda chat: self.transcript(int(chat)))

    @property
    def base_url(self) -> str:
        """For python-telegram-bot's `base_url`."""
        return f"{self.address}/bot"

    @property
    def base_file_url(self) -> str:
        return f"{self.address}/file/bot"

    def told(self) -> dict[str, Any]:
        """All that it holds, for the control plane."""
        parts = {"updates": self.updates, "webhook": self.webhook.info(), "ledger": self.ledger}
        return {"state": self.state, "faults": self.faults} | parts

    def transcript(self, chat: int) -> str:
        """A chat as text; see `transcript.py`."""
        return render_chat(self.state, self.state.chats[chat])

    def said(self, chat: int) -> list[str]:
        """What the bot has written to a chat, as it reads now."""
        messages = self.state.chats[chat].messages
        return [one.text for one in messages if one.sender is self.state.bot and not one.deleted]

    async def fail(self, **fault: Any) -> None:
        """Order a failure; the fields of `faults.Fault`."""
        self.faults.order(Fault(**fault))

    async def heal(self) -> None:
        self.faults.ordered.clear()

    async def settle(self, seconds: float = 10.0) -> bool:
        """Whether all updates are confirmed, within seconds."""
        return await self.until(lambda: not self.updates.pending, seconds)

    async def forge(self, update: dict[str, Any], *, secret: str | None = None) -> int:
        """Somebody else calls the webhook, without the secret or with a wrong one; the status they get."""
        return (await self.webhook.send(update, secret))[0]

    async def privacy(self, on: bool) -> None:
        """Whether the bot hears only what is for it in groups."""
        self.state.reads_all = not on

    async def copies(self, number: int) -> None:
        """Hand out each new update so often."""
        self.updates.copies = number

    async def webhook_retry(self, seconds: float) -> None:
        """Seconds between two tries of a push."""
        self.webhook.retry = seconds

    def drop_updates(self) -> None:
        for update in self.updates.pending:
            update.confirmed_at = time.monotonic()

    def keep_pace(self, chat: Chat, method: str) -> None:
        """Raises Refused where a message or edit comes too soon."""
        now = time.monotonic()
        limits = limits_of(chat.id, group=chat.group, scale=self.pace)
        self.ledger.judge(limits, now)
        exhausted = self._taken.take(limits, now)
        if exhausted is not None:
            wait = max(1, math.ceil(exhausted[1]))
            self.ledger.throttle(exhausted[0], method, now, wait)
            raise Refused(too_many(wait))

    async def _hang_up(self) -> None:
        await self.webhook.hang_up()

    async def _file(self, request: web.Request) -> web.Response:
        file = self.state.files.get(request.match_info["path"].removeprefix("documents/"))
        if request.match_info["token"] != self.token or file is None:
            return web.Response(status=404)
        return web.Response(body=file.content)

    async def _api(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["token"] != self.token:
            return no(Refusal("Unauthorized", 401))
        method = request.match_info["method"]
        try:
            arguments = await read_arguments(request)
        except Refused as refused:
            return no(refused.refusal)
        call = self.ledger.note(method, time.monotonic(), _without_bytes(arguments))
        fault = self.faults.take(method, arguments)
        if fault is not None and (early := await self._spoil(fault, request, call)) is not None:
            return early
        try:
            result = await self._perform(method, arguments)
        except Refused as refused:
            call.outcome = refused.refusal.description
            return no(refused.refusal)
        call.outcome = "ok"
        if fault is not None and fault.kind == "lose":
            cut(request)
        return yes(result)

    async def _perform(self, method: str, arguments: dict[str, Any]) -> Any:
        if method.lower() == "getupdates":
            return await self._poll(arguments)
        if method.lower() not in METHODS:
            raise Refused(Refusal("Not Found: method not found", 404))
        return METHODS[method.lower()](self, arguments)

    async def _perform_quietly(self, method: str, arguments: dict[str, Any]) -> None:
        """A call in the reply to a webhook, whose result nobody gets."""
        call = self.ledger.note(method, time.monotonic(), arguments)
        try:
            await self._perform(method, arguments)
            call.outcome = "ok"
        except Refused as refused:
            call.outcome = refused.refusal.description

    async def _poll(self, arguments: dict[str, Any]) -> list[dict[str, Any]]:
        if self.webhook.url:
            raise Refused(Refusal(_ACTIVE, 409))
        if arguments.get("allowed_updates") is not None:
            self.updates.allowed = list(arguments["allowed_updates"])
        offset, limit = whole(arguments, "offset"), whole(arguments, "limit", 100)
        return await self.updates.get(offset, limit, whole(arguments, "timeout"))

    async def _spoil(self, fault: Fault, request: web.Request, call: Call) -> web.StreamResponse | None:
        """What comes instead of the good reply; None where the call is performed all the same."""
        call.outcome = fault.kind
        if fault.kind == "slow":
            await asyncio.sleep(float(fault.value or 0))
        if fault.kind == "hang":
            await self.closing.wait()
        if fault.kind in ("hang", "drop"):
            cut(request)
            return web.Response()
        if fault.kind == "error":
            return no(Refusal(str(fault.value), fault.status if fault.status != 200 else 400))
        if fault.kind == "throttle":
            wait = int(fault.value or 1)
            counted = f"chat {call.arguments.get('chat_id')}"
            self.ledger.throttle(counted, call.method, call.at, wait)
            return no(too_many(wait))
        if fault.kind in ("status", "garbage"):
            return web.Response(
                status=fault.status, text="<html>Bad Gateway</html>", content_type="text/html"
            )
        return None


def _without_bytes(arguments: dict[str, Any]) -> dict[str, Any]:
    """An uploaded file by its name."""
    return {name: value[0] if isinstance(value, tuple) else value for name, value in arguments.items()}
