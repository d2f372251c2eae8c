"""Every question gets its end. The assistant here is a real one without a method: it answers danger, and
stumbles over every other question."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.keeping import as_run
from bot.render.look import parts_of
from bot.render.telegram.look import TelegramLook
from bot.worker import MOST_ATTEMPTS, Answering
from reasoning.assistant import Assistant, reply_at_once
from reasoning.notices import notice
from storage.history.chat import Chat, Workspace
from tests.integration.chat.conftest import PLACEHOLDER, PLENTY, message
from tests.integration.storage.documents import query

DANGER = "I have crushing chest pain right now"
END = "SELECT state, reason FROM inbox"
SENT = "SELECT part, kind, target, body->>'text' FROM outbox WHERE part <> 'placeholder' ORDER BY id"


@pytest.fixture
def answering(chat: Chat) -> Answering:
    return Answering(chat, Assistant(cast(Any, None), {}), {"telegram": TelegramLook()})


async def ask(chat: Chat, telegram: Workspace, text: str) -> int:
    receipt = await chat.inbox.accept(message(telegram, "1", text), PLENTY, parts=[PLACEHOLDER])
    assert receipt.question is not None
    return receipt.question


async def test_what_fails_again_and_again_ends_in_an_apology(
    chat: Chat, telegram: Workspace, url: str, answering: Answering
) -> None:
    question = await ask(chat, telegram, "What is gout?")
    for _ in range(MOST_ATTEMPTS - 1):
        with pytest.raises(KeyError):
            await answering.answer(question)
        assert query(url, END) == [("working", None)]
    await answering.answer(question)
    assert query(url, END) == [("apologised", "KeyError")]
    words = f"{notice('chat_apology', 'en')} {notice('urgent', 'en')}"
    assert query(url, SENT) == [("answer 1", "edit", "placeholder", words)]
    await answering.answer(question)
    assert query(url, "SELECT attempt FROM inbox") == [(MOST_ATTEMPTS,)]


async def test_a_question_that_kills_workers_is_not_tried_for_ever(
    chat: Chat, telegram: Workspace, url: str, answering: Answering
) -> None:
    question = await ask(chat, telegram, "What is gout?")
    for _ in range(MOST_ATTEMPTS):
        assert await chat.questions.claim(question)
    await answering.answer(question)
    assert query(url, END) == [("apologised", "attempts")]


async def test_a_stored_answer_is_sent_and_not_made_again(
    chat: Chat, telegram: Workspace, url: str, answering: Answering
) -> None:
    """The words of the question would make this assistant stumble."""
    question = await ask(chat, telegram, "What is gout?")
    claim = await chat.questions.claim(question)
    answered = reply_at_once(DANGER)
    assert claim
    assert answered
    await chat.questions.keep(claim, as_run(answered, claim.owner))
    await answering.answer(question)
    assert query(url, END) == [("answered", None)]
    (expected,) = parts_of("answer", TelegramLook().answer(answered.answer), "placeholder")
    assert query(url, SENT) == [("answer 1", "edit", "placeholder", expected.body["text"])]
    assert query(url, "SELECT run_id FROM inbox") == [(answered.answer.run_id,)]


async def test_danger_that_an_edit_brought(
    chat: Chat, telegram: Workspace, url: str, answering: Answering
) -> None:
    question = await ask(chat, telegram, "What is gout?")
    await chat.inbox.edit(message(telegram, "1", DANGER))
    await answering.answer(question)
    assert query(url, END) == [("answered", None)]
    assert query(url, "SELECT question, triage FROM runs") == [(DANGER, "emergency")]


async def test_a_number_whose_question_is_gone(
    chat: Chat, telegram: Workspace, url: str, answering: Answering
) -> None:
    """Said at once, since no further try could make a question of it."""
    question = await ask(chat, telegram, "150")
    await answering.answer(question)
    assert query(url, END) == [("apologised", "EmptyQuestion")]
    ((_, _, _, words),) = query(url, SENT)
    assert words.startswith(notice("empty_question", "en"))
