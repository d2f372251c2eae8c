"""A question has one end, whoever works on it, and a stored answer is not paid for twice."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Literal

import pytest

from storage.errors import ClaimLost, QuestionChanged, StatementRefused
from storage.history.chat import Chat, Claim, Workspace
from tests.integration.chat.conftest import HOME, PLACEHOLDER, PLENTY, answer_parts, message, run_of
from tests.integration.storage.documents import query


async def ask(chat: Chat, workspace: Workspace, key: str = "k1") -> int:
    receipt = await chat.inbox.accept(message(workspace, key), PLENTY, parts=[PLACEHOLDER])
    assert receipt.question is not None
    return receipt.question


async def claimed(chat: Chat, question: int) -> Claim:
    claim = await chat.questions.claim(question)
    assert claim is not None
    return claim


async def test_from_received_to_answered(chat: Chat, slack: Workspace, url: str) -> None:
    question = await ask(chat, slack)
    claim = await claimed(chat, question)
    assert (claim.text, claim.language, claim.answer, claim.attempt) == (
        "Do socks keep feet warm?",
        "en",
        None,
        1,
    )
    await chat.questions.show(claim, {"text": "Searching PubMed …"}, "placeholder")
    await chat.questions.keep(claim, run_of(claim))
    await chat.questions.finish(claim, "answered", answer_parts())
    assert query(url, "SELECT state, run_id, finished_at IS NOT NULL FROM inbox") == [
        ("answered", "r1", True)
    ]
    assert query(url, "SELECT part, kind, target FROM outbox ORDER BY id") == [
        ("placeholder", "post", None),
        ("answer 1", "edit", "placeholder"),  # words of progress that nobody saw are gone
        ("answer 2", "post", None),
    ]
    assert await chat.questions.claim(question) is None


async def test_after_a_crash_the_stored_answer_is_found(chat: Chat, slack: Workspace, url: str) -> None:
    question = await ask(chat, slack)
    first = await claimed(chat, question)
    await chat.questions.keep(first, run_of(first))
    second = await claimed(chat, question)
    assert second.attempt == 2
    assert second.answer == run_of(first).answer
    with pytest.raises(ClaimLost):
        await chat.questions.keep(second, run_of(second, "r2"))
    await chat.questions.finish(second, "answered", answer_parts())
    assert query(url, "SELECT run_id FROM runs") == [("r1",)]


async def test_of_two_workers_the_newer_one_answers(chat: Chat, slack: Workspace, url: str) -> None:
    """One taken for dead wakes up: it can store, show and finish nothing."""
    question = await ask(chat, slack)
    dead, alive = await claimed(chat, question), await claimed(chat, question)
    for late in (
        lambda: chat.questions.show(dead, {}, "placeholder"),
        lambda: chat.questions.keep(dead, run_of(dead, "late")),
        lambda: chat.questions.finish(dead, "apologised", answer_parts("late")),
    ):
        with pytest.raises(ClaimLost):
            await late()
    await chat.questions.keep(alive, run_of(alive))
    await chat.questions.finish(alive, "answered", answer_parts())
    with pytest.raises(ClaimLost):
        await chat.questions.finish(dead, "answered", answer_parts("late"))
    with pytest.raises(ClaimLost):
        await chat.questions.finish(alive, "answered", answer_parts("twice"))
    assert query(url, "SELECT run_id FROM runs") == [("r1",)]
    assert query(url, "SELECT count(*) FROM outbox WHERE body::text LIKE '%%late%%'") == [(0,)]
    assert query(url, "SELECT count(*) FROM outbox") == [(3,)]


async def test_many_workers_at_once(chat: Chat, slack: Workspace, url: str) -> None:
    """Each claims, stores and finishes what it can; one answer comes of it."""
    question = await ask(chat, slack)

    async def work(n: int) -> str:
        claim = await chat.questions.claim(question)
        if claim is None:
            return "done"
        try:
            if claim.answer is None:
                await chat.questions.keep(claim, run_of(claim, f"r{n}"))
            await chat.questions.finish(claim, "answered", answer_parts())
        except ClaimLost:
            return "lost"
        return "answered"

    for _ in range(3):
        ends = await asyncio.gather(*(work(n) for n in range(12)))
        if "answered" in ends:
            break
    assert ends.count("answered") == 1
    assert query(url, "SELECT count(*) FROM runs") == [(1,)]
    assert query(url, "SELECT count(*) FROM outbox") == [(3,)]


async def test_edited_while_it_is_worked_on(chat: Chat, slack: Workspace, url: str) -> None:
    question = await ask(chat, slack)
    claim = await claimed(chat, question)
    await chat.inbox.edit(message(slack, "k1", "Do mittens keep hands warm?"))
    with pytest.raises(QuestionChanged):
        await chat.questions.keep(claim, run_of(claim))
    assert query(url, "SELECT count(*) FROM runs") == [(0,)]
    again = await claimed(chat, question)
    assert again.text == "Do mittens keep hands warm?"
    await chat.questions.keep(again, run_of(again))
    await chat.questions.finish(again, "answered", answer_parts())


async def test_deleted_while_it_is_worked_on(chat: Chat, slack: Workspace, url: str) -> None:
    question = await ask(chat, slack)
    claim = await claimed(chat, question)
    await chat.erasure.of_message(slack.id, HOME, "k1")
    with pytest.raises(ClaimLost):
        await chat.questions.keep(claim, run_of(claim))
    with pytest.raises(ClaimLost):
        await chat.questions.finish(claim, "apologised", [PLACEHOLDER])
    assert await chat.questions.claim(question) is None
    assert query(url, "SELECT count(*) FROM runs") == [(0,)]
    assert query(url, "SELECT count(*) FROM outbox") == [(0,)]


@pytest.mark.parametrize("state", ["answered", "abstained"])
async def test_no_answer_without_a_stored_one(
    chat: Chat, slack: Workspace, state: Literal["answered", "abstained"]
) -> None:
    claim = await claimed(chat, await ask(chat, slack))
    with pytest.raises(ClaimLost):
        await chat.questions.finish(claim, state, answer_parts())
    await chat.questions.finish(claim, "apologised", answer_parts(), "model_down")


async def test_a_part_that_is_broken_takes_the_end_along(chat: Chat, slack: Workspace, url: str) -> None:
    claim = await claimed(chat, await ask(chat, slack))
    parts = [replace(PLACEHOLDER, name="sorry", kind="shout")]  # type: ignore[arg-type]
    with pytest.raises(StatementRefused):
        await chat.questions.finish(claim, "apologised", parts)
    assert query(url, "SELECT state FROM inbox") == [("working",)]
    await chat.questions.finish(claim, "apologised", [])


async def test_an_expired_answer_leaves_its_question(chat: Chat, slack: Workspace, url: str) -> None:
    claim = await claimed(chat, await ask(chat, slack))
    await chat.questions.keep(claim, run_of(claim))
    await chat.questions.finish(claim, "answered", answer_parts())
    query(url, "DELETE FROM runs")
    assert query(url, "SELECT state, run_id FROM inbox") == [("answered", None)]
    assert await chat.questions.claim(claim.question) is None
