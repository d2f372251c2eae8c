"""A Bolt app as the documentation shows one, against the emulator."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulators.chat.service import Service
from tests.emulators.slack.server import SlackServer

FEEDBACK: list[dict[str, Any]] = [
    {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "action_id": "feedback",
                "positive_button": {"text": {"type": "plain_text", "text": "Helpful"}, "value": "good"},
                "negative_button": {"text": {"type": "plain_text", "text": "Not helpful"}, "value": "bad"},
            }
        ],
    }
]


def make_app(slack: SlackServer, **more: Any) -> AsyncApp:
    client = more.pop("client", None) or AsyncWebClient(slack.bot_token, base_url=slack.base_url)
    return AsyncApp(client=client, signing_secret=slack.signing_secret, **more)


@asynccontextmanager
async def socket_mode(
    slack: SlackServer, app: AsyncApp, ping_interval: float = 2
) -> AsyncIterator[AsyncSocketModeHandler]:
    handler = AsyncSocketModeHandler(app, slack.app_token, ping_interval=ping_interval)
    await handler.connect_async()
    try:
        assert await slack.until(lambda: slack.sockets.links)
        yield handler
    finally:
        await handler.close_async()


class BoltServer(Service):
    """A request URL that hands everything to Bolt."""

    def __init__(self, app: AsyncApp) -> None:
        super().__init__()
        self.app = app
        self.statuses: list[int] = []
        self.web.router.add_post("/slack/events", self._take)

    async def _take(self, request: web.Request) -> web.Response:
        headers = {name: [value] for name, value in request.headers.items()}
        told = await self.app.async_dispatch(AsyncBoltRequest(body=await request.text(), headers=headers))
        self.statuses.append(told.status)
        kind = told.first_headers_without_set_cookie().get("content-type", "text/plain").split(";")[0]
        return web.Response(status=told.status, text=told.body, content_type=kind)

    @property
    def url(self) -> str:
        return f"{self.address}/slack/events"
