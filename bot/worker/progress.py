"""Words of progress in place of the placeholder while an answer is made; a quick answer comes without any."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from bot.intake.desk import PLACEHOLDER
from bot.render.look import Look
from reasoning.notices import notice
from reasoning.steps import say_step
from reasoning.trace import Span
from storage.errors import StorageError
from storage.history.chat import Chat, Claim

PACE = 3.0  # seconds: edits count as messages, and a group may have 20 of those a minute
_SLOW = 6  # such pauses without another step, after which we say that it takes long


@asynccontextmanager
async def tell_progress(
    chat: Chat, claim: Claim, look: Look, language: str, *, pace: float = PACE
) -> AsyncIterator[Callable[[Span], None]]:
    """Give what is yielded each step as it begins; every `pace` seconds the latest one is shown, if it says
    something else. Never in the way of the answer: whoever lost the claim learns it there."""
    latest: list[str] = []

    def note(span: Span) -> None:
        if words := say_step(span, language):
            latest[:] = [words]

    async def show(words: str) -> None:
        await chat.questions.show(claim, look.reply(words)[0], PLACEHOLDER)

    async def tell() -> None:
        shown, waited = "", 0
        with suppress(StorageError):
            while True:
                await asyncio.sleep(pace)
                waited += 1
                if latest and latest[0] != shown:
                    shown, waited = latest[0], 0
                    await show(shown)
                elif waited == _SLOW:
                    await show(notice("chat_progress_slow", language))

    telling = asyncio.create_task(tell())
    try:
        yield note
    finally:
        telling.cancel()
        with suppress(asyncio.CancelledError):
            await telling
