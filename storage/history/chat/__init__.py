"""Chat on the history database: what came in, what goes out, and of whom.

    intake   inbox.accept | answer_at_once | note | hold | park | edit
             conversations.knows | close | reworded | past        people.find | note_consent
             feedback.give | of_person
    worker   workspaces.platform   questions.claim ─> keep ─> finish, with show       conversations.turns
    sender   outbox.fetch_next ─> note_sent | postpone | give_up
    signs    questions.pending | ended | places_at_work
    health   readings.read
    delete   erasure.of_person | of_message | of_workspace

A question is the job TASK in QUEUE, with its id as `question`.
Open it with `open_chat(engine, settings)`. All SQL of chat is here; texts and ids of a platform never leave
in a `repr`, a log or an exception.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncEngine

from config import Settings
from storage.history.chat.conversations import Conversations
from storage.history.chat.erasure import Erasure
from storage.history.chat.feedback import Feedback
from storage.history.chat.ground import Ground
from storage.history.chat.inbox import Inbox
from storage.history.chat.jobs import QUEUE, TASK
from storage.history.chat.keys import load_keys
from storage.history.chat.outbox import Outbox
from storage.history.chat.people import People
from storage.history.chat.questions import Questions
from storage.history.chat.readings import Count, Reading, Readings
from storage.history.chat.records import (
    Budget,
    Claim,
    Delivery,
    Erased,
    Final,
    Message,
    Opinion,
    Pace,
    Part,
    Pending,
    Person,
    Place,
    Platform,
    Post,
    Receipt,
    Scope,
    Turn,
    Workspace,
)
from storage.history.chat.rotation import reseal
from storage.history.chat.seals import Seals
from storage.history.chat.workspaces import Workspaces

__all__ = [
    "QUEUE",
    "TASK",
    "Budget",
    "Chat",
    "Claim",
    "Count",
    "Delivery",
    "Erased",
    "Final",
    "Message",
    "Opinion",
    "Pace",
    "Part",
    "Pending",
    "Person",
    "Place",
    "Platform",
    "Post",
    "Reading",
    "Receipt",
    "Scope",
    "Turn",
    "Workspace",
    "open_chat",
]


@dataclass(frozen=True, slots=True, repr=False)
class Chat:
    """The doors to the chat store."""

    ground: Ground

    workspaces: Workspaces
    people: People
    conversations: Conversations
    inbox: Inbox
    questions: Questions
    outbox: Outbox
    feedback: Feedback
    erasure: Erasure
    readings: Readings

    async def reseal(self) -> int:
        """After a new first key: seal everything with it, so that older keys may go. How many values."""
        return await reseal(self.ground)


async def open_chat(engine: AsyncEngine, settings: Settings) -> Chat:
    """The chat store with its keys. Raises KeysUnusable and HomeUnusable."""
    ground = Ground(engine, Seals(await asyncio.to_thread(load_keys, settings)))
    return Chat(
        ground,
        Workspaces(ground),
        People(ground),
        Conversations(ground),
        Inbox(ground, timedelta(hours=settings.chat.idle_hours)),
        Questions(ground),
        Outbox(ground),
        Feedback(ground),
        Erasure(ground),
        Readings(ground),
    )
