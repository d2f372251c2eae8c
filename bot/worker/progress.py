"""Words of progress in place of the placeholder while an answer is made; a quick answer comes without any."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.intake.desk import PLACEHOLDER
from bot.render.look import Look
from reasoning.notices import notice
from storage.errors import StorageError
from storage.history.chat import Chat, Claim

_STEPS = ((3.0, "chat_progress_searching"), (12.0, "chat_progress_reading"), (30.0, "chat_progress_slow"))


@asynccontextmanager
async def tell_progress(chat: Chat, claim: Claim, look: Look, language: str) -> AsyncIterator[None]:
    """`_STEPS`: after so many seconds, these words."""
    telling = asyncio.create_task(_tell(chat, claim, look, language))
    try:
        yield
    finally:
        telling.cancel()
        with suppress(asyncio.CancelledError):
            await telling


async def _tell(chat: Chat, claim: Claim, look: Look, language: str) -> None:
    """Never in the way of the answer: whoever lost the claim learns it there."""
    passed = 0.0
    with suppress(StorageError):
        for after, code in _STEPS:
            await asyncio.sleep(after - passed)
            passed = after
            await chat.questions.show(claim, look.reply(notice(code, language))[0], PLACEHOLDER)
