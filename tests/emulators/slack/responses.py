"""response_url: up to five replies in thirty minutes, without a token, and what acknowledgements carry."""

from __future__ import annotations

import itertools
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.emulators.slack import limits
from tests.emulators.slack.state import Channel, Message, Version, Workspace

if TYPE_CHECKING:
    from tests.emulators.slack.server import SlackServer

_USES, _LIFETIME = 5, 1800.0


@dataclass(slots=True)
class _Url:
    workspace: Workspace
    channel: Channel
    user: str
    message: Message | None
    at: float
    uses: int = 0


class Responses:
    """The addresses given out, by id."""

    def __init__(self, server: SlackServer) -> None:
        self._server = server
        self._urls: dict[str, _Url] = {}
        self._numbers = itertools.count(1)

    def url(self, workspace: Workspace, channel: Channel, user: str, message: Message | None = None) -> str:
        """A new address, for a click on a message or for a command."""
        number = str(next(self._numbers))
        self._urls[number] = _Url(workspace, channel, user, message, time.monotonic())
        return f"{self._server.address}/response/{number}"

    async def serve(self, request: web.Request) -> web.Response:
        url = self._urls.get(request.match_info["id"])
        if url is None or time.monotonic() - url.at > _LIFETIME:
            return web.Response(status=404, text="expired_url")
        if url.uses >= _USES:
            return web.Response(status=404, text="used_url")
        try:
            body = json.loads(await request.text())
        except ValueError:
            return web.Response(status=400, text="invalid_payload")
        url.uses += 1
        self._server.ledger.note("response_url", time.monotonic(), body)
        refusal = self.show(url.workspace, url.channel, url.user, body, url.message)
        return web.Response(status=400 if refusal else 200, text=refusal or "ok")

    def show(
        self,
        workspace: Workspace,
        channel: Channel,
        user: str,
        body: dict[str, Any],
        message: Message | None = None,
    ) -> str | None:
        """Post, replace or delete as the body says; the refusal, if it is one."""
        if body.get("delete_original") and message:
            message.deleted = True
            return None
        refusal = limits.check_post(body.get("text"), body.get("blocks") or [])
        if refusal:
            return refusal.error
        text, blocks = body.get("text") or "", body.get("blocks") or []
        if body.get("replace_original") and message:
            message.edits.append(Version(message.text, message.blocks, time.monotonic()))
            message.text, message.blocks = text, blocks
            return None
        seen_by = None if body.get("response_type") == "in_channel" else user
        channel.messages.append(
            Message(
                self._server.clock.stamp(),
                channel.id,
                workspace.bot_user,
                text,
                time.monotonic(),
                blocks,
                workspace.bot_id,
                body.get("thread_ts"),
                ephemeral_to=seen_by,
            )
        )
        return None
