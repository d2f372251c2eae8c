"""Words of progress: the latest step at a pace, and that it takes long."""

from __future__ import annotations

import asyncio

from bot.render.telegram.look import TelegramLook
from bot.worker.progress import tell_progress
from reasoning.notices import notice
from reasoning.trace import Trace
from storage.history.chat import Chat, Workspace
from tests.integration.chat.conftest import NO_PACE, PLACEHOLDER, PLENTY, message
from tests.integration.storage.documents import query
from tests.program import HANG

SHOWN = "SELECT body->>'text', kind, target FROM outbox WHERE part = 'progress'"


async def test_the_latest_step_is_shown(chat: Chat, telegram: Workspace, url: str) -> None:
    receipt = await chat.inbox.accept(message(telegram, "1"), PLENTY, parts=[PLACEHOLDER])
    claim = await chat.questions.claim(receipt.question or 0)
    assert claim is not None

    async def shown(code: str) -> None:
        async with asyncio.timeout(HANG):
            while query(url, SHOWN) != [(notice(code, "en"), "edit", "placeholder")]:  # noqa: ASYNC110  # of a database
                await asyncio.sleep(0.01)

    async with tell_progress(chat, claim, TelegramLook(), "en", pace=0.05) as note:
        trace = Trace(note)
        with trace.span("retrieve"), trace.span("search", door="pubmed"):
            await shown("chat_progress_pubmed")
        await shown("chat_progress_slow")
        with trace.span("answer"):
            await shown("chat_progress_writing")
    delivery = await chat.outbox.fetch_next("telegram", NO_PACE)
    assert delivery is not None
    assert delivery.name == "placeholder"


async def test_a_quick_answer_comes_without_any(chat: Chat, telegram: Workspace, url: str) -> None:
    receipt = await chat.inbox.accept(message(telegram, "1"), PLENTY, parts=[PLACEHOLDER])
    claim = await chat.questions.claim(receipt.question or 0)
    assert claim is not None
    async with tell_progress(chat, claim, TelegramLook(), "en") as note:
        with Trace(note).span("retrieve"):
            pass
    assert query(url, SHOWN) == []
