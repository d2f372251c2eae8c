"""A chat store on a database of its own, one Slack workspace and one Telegram bot in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from config import Settings
from storage.database import create_engine
from storage.history import CitedSource, Run
from storage.history.chat import Budget, Chat, Claim, Message, Pace, Part, Place, Workspace, open_chat
from tests.integration.conftest import NewDatabase

PLENTY = Budget(person=10_000, workspace=100_000)
NO_PACE = Pace(private=0, shared=0)
HOME = Place("D111", None)
TABLES = (
    "workspaces, people, lanes, conversations, inbox, outbox, person_days, tallies, erasures, runs, feedback,"
    " procrastinate_jobs, procrastinate_workers"
)


@pytest.fixture(scope="module")
def chat_database(new_database: NewDatabase) -> str:
    return new_database("history")


@pytest.fixture
def url(chat_database: str) -> str:
    with psycopg.connect(chat_database, autocommit=True) as connection:
        connection.execute(f"TRUNCATE {TABLES} RESTART IDENTITY CASCADE")
    return chat_database


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


@pytest.fixture
async def engine(url: str) -> AsyncIterator[AsyncEngine]:
    engine = create_engine(url)
    yield engine
    await engine.dispose()


@pytest.fixture
async def chat(engine: AsyncEngine, settings: Settings) -> Chat:
    return await open_chat(engine, settings)


@pytest.fixture
async def slack(chat: Chat) -> Workspace:
    return await chat.workspaces.install("slack", "T0WORK", {"bot_token": "xoxb-1"})


@pytest.fixture
async def telegram(chat: Chat) -> Workspace:
    return await chat.workspaces.install("telegram", "4711")


def message(
    workspace: Workspace,
    key: str,
    text: str = "Do socks keep feet warm?",
    *,
    place: Place = HOME,
    sender: str = "U1",
    named: str | None = "",
) -> Message:
    """A message named by its key, unless another name or None is given."""
    return Message(workspace.id, key, sender, place, text, key if named == "" else named, "en")


def run_of(claim: Claim, run_id: str = "r1", word: str = "warm") -> Run:
    """An answer to a claimed question, with `word` wherever words are kept."""
    return Run(
        run_id=run_id,
        person=claim.owner,
        question=claim.text,
        language="en",
        triage="none",
        method="literature",
        ran="literature",
        abstained=False,
        answer={"run_id": run_id, "answer": {"text": f"Socks are {word}. [1]"}},
        trace=[{"stage": "retrieve", "query": word}],
        citations=(CitedSource(1, "1", "1", word, None, f"Socks are {word}.", "ok"),),
        replies={f"{run_id}-reply": {"content": word}},
    )


PLACEHOLDER = Part("placeholder", {"text": "One moment …"})


def answer_parts(word: str = "warm") -> list[Part]:
    return [
        Part("answer 1", {"text": f"Socks are {word}."}, "edit", "placeholder"),
        Part("answer 2", {"text": f"More of {word}."}),
    ]
