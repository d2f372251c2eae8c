"""A month of a small history to look at: questions of nobody, answers on records that say they are examples.

Made through the same doors as real ones, then moved back in time. The same seed gives the same month.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import psycopg

from reasoning.types import Answer, AnswerBody, Citation, Route, Sentence, Signals, Support
from reasoning.types import Triage as Found
from reasoning.types import Usage as Spent
from storage.history import CitedSource
from storage.history.chat import Chat, Message, Place, Workspace
from storage.history.review import Account, Judgement, ReviewRoom, permit
from tests.integration.chat.conftest import PLENTY, message, run_of
from tests.integration.web.answers import LEVELS, MODEL, span

ANSWERS = 150
DAYS = 30


class Topic(NamedTuple):
    question: str
    said: tuple[str, str]
    title: str
    triage: str = "none"
    method: str = "literature"


TOPICS = (
    Topic(
        "Does walking every day lower blood pressure?",
        (
            "Walking on most days lowered systolic pressure in adults with hypertension.",
            "How much it fell differed with how often and how far people walked.",
        ),
        "Walking and blood pressure: an example record",
    ),
    Topic(
        "My arm has been weak since this morning and I speak badly. Could it wait until Monday?",
        (
            "Sudden weakness of an arm with trouble speaking is treated as a stroke until shown otherwise.",
            "Call emergency services now.",
        ),
        "Recognising stroke early: an example record",
        "emergency",
    ),
    Topic(
        "Can I take ibuprofen with warfarin?",
        (
            "Taking an anti-inflammatory with warfarin was associated with more bleeding.",
            "A pharmacist or doctor should be asked before the two are combined.",
        ),
        "Anticoagulants and pain relief: an example record",
        "urgent",
        "cometa",
    ),
    Topic(
        "How are insulin resistance and fatty liver connected?",
        (
            "Insulin resistance and fat in the liver were found together in most of the cohorts.",
            "Which of the two comes first is not settled.",
        ),
        "Liver and metabolism: an example record",
        method="mirage",
    ),
    Topic(
        "What helps against hay fever at night?",
        (
            "Nasal steroid sprays eased symptoms more than tablets alone did.",
            "Rinsing with salt water was a harmless addition.",
        ),
        "Seasonal rhinitis: an example record",
        method="sema-rag",
    ),
    Topic(
        "Is vitamin D useful for healthy adults?",
        (
            "In adults without a deficiency, supplements did not lower the number of fractures.",
            "A deficiency that was measured is another matter.",
        ),
        "Vitamin D in adults: an example record",
    ),
)


def told(run_id: str, topic: Topic, *, abstained: bool = False) -> dict[str, Any]:
    """Fields of a run."""
    quotes = [f"In this example record, it reads: {one}" for one in topic.said]
    citations = [
        Citation(
            n=n,
            title=f"{topic.title} ({n})",
            journal="Journal of Examples",
            year=2020 + n,
            url=f"https://example.org/{n}",
            quote=quote,
            language="en",
            standing="ok",
        )
        for n, quote in enumerate(quotes, 1)
    ]
    sentences = [
        Sentence(text=one, citations=[n], support=[Support(n=n, passage=f"example:{n}", quote=quotes[n - 1])])
        for n, one in enumerate(topic.said, 1)
    ]
    text = " ".join(f"{one} [{n}]" for n, one in enumerate(topic.said, 1))
    triage = Found.model_validate({"level": topic.triage})
    answer = Answer(
        run_id=run_id,
        question=topic.question,
        language="en",
        triage=triage,
        route=Route.model_validate(
            {"method": topic.method, "ran": topic.method, "reason": "the question fits it",
             "signals": Signals(entities=topic.question.rstrip("?").split()[-2:])}
        ),
        answer=AnswerBody(
            text=text,
            abstained=abstained,
            confidence="low" if abstained else "moderate",
            sentences=[] if abstained else sentences,
        ),
        citations=[] if abstained else citations,
        usage=Spent(llm_calls=1, prompt_tokens=1240, completion_tokens=96, seconds=4.2),
        report={"levels": LEVELS} if topic.method == "literature" else None,
    )  # fmt: skip
    return {
        "ran": topic.method,
        "question": topic.question,
        "triage": topic.triage,
        "abstained": abstained,
        "answer": answer.model_dump(mode="json", exclude={"trace"}),
        "trace": [
            span(0, None, "retrieve", 0.0, 1180.0, {"query": "concepts of the question"}),
            span(1, 0, "search", 10.0, 900.0, {}),
            span(2, None, "llm", 1300.0, 2700.0, MODEL, {"prompt_tokens": 1240, "cost": 0.0021}),
        ],
        "citations": tuple(
            CitedSource(one.n, str(one.n), None, one.title, one.url, one.quote, "ok") for one in citations
        ),
        "masked": f"{topic.question}\n\n{text}",
    }


async def write_month(
    chat: Chat, room: ReviewRoom, workspace: Workspace, reviewers: tuple[Account, Account], url: str
) -> None:
    """Answers with feedback and reviews; the newest of each topic is minutes old, and still to be judged."""
    chance = random.Random(8)  # not for secrets
    for number in range(ANSWERS):
        newest = number >= ANSWERS - len(TOPICS)
        topic = TOPICS[(ANSWERS - 1 - number) % len(TOPICS)] if newest else chance.choices(
            TOPICS, (8, 1, 2, 4, 4, 6))[0]  # fmt: skip
        run_id, sender = f"example{number}", f"U{number}"
        fields = told(run_id, topic, abstained=not newest and chance.random() < 0.12)
        asked = message(workspace, run_id, topic.question, sender=sender, place=Place(f"D{number}", None))
        await _keep(chat, asked, run_id, fields)
        since = timedelta(minutes=9 * (ANSWERS - number))
        if not newest:
            since = timedelta(days=DAYS * (1 - number / ANSWERS) ** 1.2, minutes=chance.randrange(600))
            if chance.random() < 0.3:
                helpful = chance.random() < 0.75
                await chat.feedback.give(replace(asked, key=f"{run_id} thumb"), run_id, helpful=helpful)
            await _judge(room, reviewers, run_id, topic, chance)
        _move(url, run_id, datetime.now(UTC) - since, chance.lognormvariate(1.6, 0.5))


async def _keep(chat: Chat, asked: Message, run_id: str, fields: dict[str, Any]) -> None:
    receipt = await chat.inbox.accept(asked, PLENTY)
    claim = await chat.questions.claim(receipt.question or 0)
    assert claim
    await chat.questions.keep(claim, replace(run_of(claim, run_id), **fields))
    await chat.questions.finish(claim, "answered", [])


async def _judge(
    room: ReviewRoom, reviewers: tuple[Account, Account], run_id: str, topic: Topic, chance: random.Random
) -> None:
    """All red flags but the last, and every fourth other one; some of them twice."""
    if topic.triage == "none" and chance.random() > 0.25:
        return
    verdicts = ("correct", "incomplete", "unsupported", "unsafe")
    verdict = chance.choices(verdicts, (12, 4, 2, 1))[0]
    first, second = (permit(account, "review") for account in reviewers)
    await room.reviews.submit(first, run_id, Judgement(verdict, "minor"))
    if chance.random() < 0.5:
        again = verdict if chance.random() < 0.8 else "incomplete"
        await room.reviews.submit(second, run_id, Judgement(again, "minor"))


def _move(url: str, run_id: str, at: datetime, seconds: float) -> None:
    fields = {"run": run_id, "at": at, "seconds": seconds}
    with psycopg.connect(url) as connection:
        connection.execute(
            "UPDATE cases SET asked_at = %(at)s, seconds = %(seconds)s,"
            " queued_at = CASE WHEN queued_at IS NOT NULL THEN %(at)s END WHERE run_id = %(run)s",
            fields,
        )
        connection.execute("UPDATE inbox SET received_at = %(at)s WHERE run_id = %(run)s", fields)
