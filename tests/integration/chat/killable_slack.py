"""Slack's receiver and sender with an answerer that needs no model, as a process that a test can kill.

python -m tests.integration.chat.killable_slack HOME HISTORY_URL BOT_TOKEN APP_TOKEN BASE_URL [SECONDS]

It thinks so many SECONDS about each question.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bot.render.look import parts_of
from bot.render.slack.look import SlackLook
from bot.sender import send_all
from bot.slack import open_slack
from bot.stopping import told_to_stop
from config import Settings
from storage.database import create_engine
from storage.errors import ClaimLost, QuestionChanged
from storage.history.chat import Chat, open_chat
from tests.integration.chat.conftest import run_of
from tests.integration.storage.documents import query


async def answer_all(chat: Chat, url: str, seconds: float) -> None:
    """One after another, in their order; the answer names the question as it was read last."""
    while True:
        open_ones = "SELECT id FROM inbox WHERE state IN ('received', 'working') ORDER BY id LIMIT 1"
        for (question,) in await asyncio.to_thread(query, url, open_ones):
            claim = await chat.questions.claim(question)
            if claim is None:
                continue
            try:
                text = f"Answer to {claim.text}"
                if claim.answer is None:
                    await asyncio.sleep(seconds)
                    await chat.questions.keep(claim, run_of(claim, f"run-{question}"))
                parts = parts_of("answer", SlackLook().reply(text), "placeholder")
                await chat.questions.finish(claim, "answered", parts)
            except (QuestionChanged, ClaimLost):
                continue
        await asyncio.sleep(0.05)


async def main(
    home: str, url: str, bot_token: str, app_token: str, base_url: str, seconds: str = "0.05"
) -> None:
    slack = {"bot_token": bot_token, "app_token": app_token, "base_url": base_url}
    settings = Settings.model_validate({"home": Path(home), "slack": slack})
    engine = create_engine(url)
    chat = await open_chat(engine, settings)
    async with open_slack(settings, chat) as surface:
        with told_to_stop() as stop:
            answering = asyncio.create_task(answer_all(chat, url, float(seconds)))
            await asyncio.gather(surface.receiver.run(stop), send_all(chat, surface.door, stop))
            answering.cancel()
    await engine.dispose()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
