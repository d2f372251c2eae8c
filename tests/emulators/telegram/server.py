"""Telegram's Bot API on loopback. What it holds is plain data: `state`, `updates`, `webhook`, `ledger`.

async with TelegramServer() as telegram:
    application = ApplicationBuilder().token(telegram.token).base_url(telegram.base_url) …
    ...
    await telegram.people.say("What is the dose of aspirin?")
    await telegram.settle()
"""

from __future__ import annotations

import math
import time
from typing import Any

from aiohttp import web

from tests.emulators.chat.control import add_control, verbs_of
from tests.emulators.chat.faults import Fault, Faults
from tests.emulators.chat.ledger import Ledger
from tests.emulators.chat.service import Service
from tests.emulators.telegram.calls import Calls
from tests.emulators.telegram.limits import limits_of
from tests.emulators.telegram.people import People
from tests.emulators.telegram.refusals import Refused
from tests.emulators.telegram.requests import too_many
from tests.emulators.telegram.state import Chat, State, User
from tests.emulators.telegram.transcript import render_chat
from tests.emulators.telegram.updates import Updates
from tests.emulators.telegram.webhook import Webhook
from tests.emulators.windows import Pace

TOKEN = "4711:telegram-token"


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
        self.calls = Calls(self)
        self.webhook = Webhook(self.updates, self.spawn, self.calls.perform_quietly)
        self.people = People(self)
        self.web.router.add_route("*", "/bot{token}/{method}", self.calls.serve)
        self.web.router.add_get("/file/bot{token}/{path:.+}", self._file)
        own = ("fail", "heal", "settle", "forge", "privacy", "copies", "webhook_retry", "cut_polls")
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

    async def cut_polls(self) -> int:
        """Tear the connections of polls that wait; how many there were."""
        return self.calls.cut_polls()

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
        self.ledger.judge([*limits, f"ordered {chat.id}"], now)
        exhausted = self._taken.take(limits, now)
        if exhausted is not None:
            wait = max(1, math.ceil(exhausted[1]))
            self.ledger.throttle(exhausted[0], method, now, wait)
            raise Refused(too_many(wait))

    def heed_waits(self, chat: Chat) -> None:
        """A sign of work counts against nothing that is known, but is not to come amid a wait."""
        counted = [
            *limits_of(chat.id, group=chat.group),
            *(f"{what} {chat.id}" for what in ("ordered", "sign")),
        ]
        self.ledger.judge(counted, time.monotonic())

    async def _hang_up(self) -> None:
        await self.webhook.hang_up()

    async def _file(self, request: web.Request) -> web.Response:
        file = self.state.files.get(request.match_info["path"].removeprefix("documents/"))
        if request.match_info["token"] != self.token or file is None:
            return web.Response(status=404)
        return web.Response(body=file.content)
