"""Answers that reviewers corrected, asked again: `carecite eval support --from-reviews`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from pydantic import ValidationError

from bot.app import Say, open_assistant, quiet
from bot.reviewing import open_review_room
from config import Settings
from config.errors import CareciteError
from reasoning.types import Answer
from storage.history.review import OPERATOR, Correction

if TYPE_CHECKING:
    from reasoning.assistant import Assistant
    from reasoning.evaluation.regression import Regression


async def read_corrections(settings: Settings, say: Say = quiet) -> list[Correction]:
    """The oldest first; that they were read is in the audit. Raises StorageError."""
    async with open_review_room(settings, say) as room:
        return await room.reviews.corrections(OPERATOR)


@asynccontextmanager
async def asking_again(
    settings: Settings, corrections: list[Correction], say: Say = quiet
) -> AsyncIterator[AsyncIterator[Regression]]:
    """Each as the usual assistant answers it now, with models and searches of now; nothing of it is kept."""
    async with open_assistant(settings, say) as (assistant, _):
        yield _each(assistant, corrections)


async def _each(assistant: Assistant, corrections: list[Correction]) -> AsyncIterator[Regression]:
    for correction in corrections:
        yield await _ask_again(assistant, correction)


async def _ask_again(assistant: Assistant, case: Correction) -> Regression:
    """A follow-up is asked as it was completed then. An answer in a shape that is no longer read, and a
    question that fails, are `failed`."""
    from reasoning.evaluation.regression import Regression, compare

    try:
        before = Answer.model_validate(case.answer)
        answered = await assistant.answer(before.standalone or case.question)
    except (CareciteError, ValidationError):
        return Regression(case.run_id, case.verdict, "failed")
    return compare(case.run_id, case.verdict, before, case.corrected, answered.answer)
