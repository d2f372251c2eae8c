"""Receivers, workers, senders and somebody who deletes, all at once: nobody stops anybody for good."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

from storage.errors import ClaimLost, QuestionChanged
from storage.history.chat import Chat, Pace, Place, Workspace
from tests.integration.chat.conftest import PLACEHOLDER, PLENTY, answer_parts, message, run_of
from tests.integration.storage.documents import query

QUESTIONS = 120


async def test_no_deadlock_and_an_end_for_every_question(chat: Chat, telegram: Workspace, url: str) -> None:
    """A deadlock would be an error here: the server ends one of the two."""
    dice = random.Random(7)
    waiting: asyncio.Queue[int] = asyncio.Queue()
    places = [Place(f"{n % 3}", f"{n}", shared=n % 2 == 0) for n in range(6)]
    received = asyncio.Event()
    finished: list[int] = []

    async def receive(first: int) -> None:
        for n in range(first, QUESTIONS, 3):
            asked = message(telegram, f"{n}", f"{n}?", place=places[n % 6], sender=f"U{n % 4}")
            receipt = await chat.inbox.accept(asked, PLENTY, parts=[PLACEHOLDER], offset=n + 1)
            assert receipt.question
            waiting.put_nowait(receipt.question)
            assert not (await chat.inbox.accept(asked, PLENTY, offset=n + 1)).new
            await chat.inbox.edit(replace(asked, text=f"{n}??"), offset=n + 1)
            await chat.inbox.hold(replace(asked, key=f"h{n}", message=None), "none", parts=[PLACEHOLDER])

    async def work() -> None:
        while len(finished) < QUESTIONS:
            try:
                question = waiting.get_nowait()
            except asyncio.QueueEmpty:
                await asyncio.sleep(0.01)
                continue
            try:
                if claim := await chat.questions.claim(question):
                    for step in range(3):
                        await chat.questions.show(claim, {"text": f"{step}"}, "placeholder")
                    await chat.questions.keep(claim, run_of(claim, f"r{question}"))
                    await chat.questions.finish(claim, "answered", answer_parts())
                finished.append(question)
            except QuestionChanged:
                waiting.put_nowait(question)
            except ClaimLost:
                finished.append(question)  # deleted

    async def send() -> None:
        while not (received.is_set() and await chat.outbox.seconds_until_due("telegram") is None):
            delivery = await chat.outbox.fetch_next("telegram", Pace(0, 0, overall=0.0001))
            if delivery is None:
                await asyncio.sleep(0.005)
            elif dice.random() < 0.1:
                await chat.outbox.postpone(delivery, 0, "retry", everywhere=True)
            else:
                await chat.outbox.note_sent(delivery, f"m{delivery.id}")

    async def delete() -> None:
        while len(finished) < QUESTIONS:
            place = dice.choice(places)
            await chat.erasure.of_person(telegram.id, "U0", dice.choice(("last", "everything")))
            await chat.erasure.of_person(telegram.id, "U1", "conversation", place)
            await asyncio.sleep(0.05)

    async def answer() -> None:
        await asyncio.gather(*(receive(n) for n in range(3)), *(work() for _ in range(3)), delete())
        received.set()

    async with asyncio.timeout(300):
        await asyncio.gather(answer(), *(send() for _ in range(3)))
    assert query(url, "SELECT DISTINCT state FROM inbox WHERE state IS NOT NULL ORDER BY 1") == [
        ("answered",),
        ("withdrawn",),
    ]
    assert query(url, "SELECT DISTINCT state FROM outbox WHERE part <> 'progress'") == [("sent",)]
    assert await chat.workspaces.offset(telegram.id) == QUESTIONS
    others = "SELECT count(*) FROM inbox WHERE state = 'answered' AND run_id IS NULL"
    assert query(url, others) == [(0,)]
