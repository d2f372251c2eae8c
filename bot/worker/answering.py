"""One question of the queue: claim, progress in words, the assistant, keep, finish."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from bot.intake.desk import PLACEHOLDER
from bot.keeping import as_run
from bot.render.errors import RenderError
from bot.render.look import Look, parts_of
from bot.worker.progress import tell_progress
from bot.worker.talk import recall
from reasoning.assistant import Assistant
from reasoning.errors import EmptyQuestion
from reasoning.notices import notice
from reasoning.types import Answer
from reasoning.understanding import language_in
from storage.errors import ClaimLost, QuestionChanged
from storage.history.chat import Chat, Claim, Final, Platform

_log = logging.getLogger(__name__)
MOST_ATTEMPTS = 4  # claims of one question, those of workers that died among them; our choice


@dataclass(frozen=True, slots=True)
class Answering:
    """Answers questions with one assistant, for all platforms that have a look."""

    chat: Chat
    assistant: Assistant
    looks: Mapping[Platform, Look]

    async def answer(self, question: int) -> None:
        """Bring a question to its end. Raises what went wrong where it is to be tried again later."""
        while True:
            claim = await self.chat.questions.claim(question)
            if claim is None:
                return
            with suppress(QuestionChanged):
                with suppress(ClaimLost):
                    await self._end(claim)
                return

    async def _end(self, claim: Claim) -> None:
        look = await self._look_of(claim)
        if claim.attempt > MOST_ATTEMPTS and claim.answer is None:
            await self._apologise(claim, look, "attempts")
            return
        try:
            answer = Answer.model_validate(claim.answer) if claim.answer else await self._make(claim, look)
            parts = parts_of("answer", look.answer(answer), PLACEHOLDER)
        except (ClaimLost, QuestionChanged):
            raise
        except Exception as error:
            _log.warning("question %d, attempt %d: %s", claim.question, claim.attempt, type(error).__name__)
            if claim.attempt < MOST_ATTEMPTS and not isinstance(error, RenderError | EmptyQuestion):
                raise
            await self._apologise(claim, look, type(error).__name__)
        else:
            await self.chat.questions.finish(claim, _end_of(answer), parts)

    async def _make(self, claim: Claim, look: Look) -> Answer:
        """The answer, stored before anything of it is sent."""
        turns = await self.chat.conversations.turns(claim.conversation, claim.question)
        earlier = await asyncio.to_thread(recall, turns)
        language = await asyncio.to_thread(language_in, claim.text, earlier)
        async with tell_progress(self.chat, claim, look, language) as note:
            answered = await self.assistant.answer(claim.text, earlier=earlier, person=claim.owner, told=note)
        await self.chat.questions.keep(claim, as_run(answered, claim.owner))
        return answered.answer

    async def _apologise(self, claim: Claim, look: Look, reason: str) -> None:
        """`EmptyQuestion`: a number that followed a question, which was erased meanwhile or is long ago."""
        language = await asyncio.to_thread(language_in, claim.text)
        words = notice("empty_question" if reason == EmptyQuestion.__name__ else "chat_apology", language)
        bodies = look.reply(f"{words} {notice('urgent', language)}")
        parts = parts_of("answer", bodies, PLACEHOLDER)
        await self.chat.questions.finish(claim, "apologised", parts, reason)

    async def _look_of(self, claim: Claim) -> Look:
        return self.looks[await self.chat.workspaces.platform(claim.workspace)]


def _end_of(answer: Answer) -> Final:
    """The fixed reply to somebody in danger is an answer."""
    in_danger = answer.triage.level in ("emergency", "self_harm")
    return "abstained" if answer.answer.abstained and not in_danger else "answered"
