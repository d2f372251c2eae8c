"""A bolt app as a program, told by the variable BOT where Slack is; it says on stdout what happens.

`slow` waits for its end while it works; `early` acknowledges before the work, as Bolt does by itself.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient


def tell(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


async def main() -> None:
    told = json.loads(os.environ["BOT"])
    client = AsyncWebClient(told["bot_token"], base_url=told["base_url"])
    app = AsyncApp(client=client, process_before_response=not told["early"])

    @app.event("message")
    async def _message(event: dict[str, Any], say: Any) -> None:
        if event.get("bot_id"):
            return
        tell("heard")
        if told["slow"]:
            await asyncio.Event().wait()
        await say(f"answer to {event['ts']}")

    handler = AsyncSocketModeHandler(app, told["app_token"], ping_interval=2)
    await handler.connect_async()
    tell("ready")
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
