"""Every statement of the chat store on 100,000 rows: by an index, whatever is waiting (issue 7, item 2)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import psycopg
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from config import Settings
from storage.database import create_engine
from storage.history.chat import Chat, Delivery, Pace, Place, Workspace, open_chat
from storage.history.chat.keys import load_keys
from storage.history.chat.seals import Seals
from tests.integration.chat.conftest import PLACEHOLDER, PLENTY, answer_parts, message, run_of
from tests.integration.conftest import NewDatabase
from tests.integration.plans import explain, noted
from tests.integration.storage.documents import query

ROWS = 100_000
BIG = ("workspaces", "people", "lanes", "conversations", "inbox", "outbox", "runs", "procrastinate_jobs")
FILL = f"""
INSERT INTO workspaces (platform, hash, sealed_id)
  SELECT 'slack', sha256(('w' || n)::bytea), 'x' FROM generate_series(1, 20) n;
INSERT INTO people (workspace_id, hash, sealed_id, consent)
  SELECT 1 + mod(n, 20), sha256(('p' || n)::bytea), 'x', 'given' FROM generate_series(1, {ROWS}) n;
INSERT INTO lanes (workspace_id, platform, hash, shared, due_at)
  SELECT 1 + mod(n, 20), 'slack', sha256(('l' || n)::bytea), false, now() - n * interval '1 ms'
  FROM generate_series(1, {ROWS}) n;
INSERT INTO conversations (workspace_id, lane_id, hash, sealed_place)
  SELECT 1 + mod(n, 20), n, sha256(('c' || n)::bytea), %(place)s FROM generate_series(1, {ROWS}) n;
INSERT INTO runs (run_id, person, question, language, triage, method, ran, abstained, answer, trace)
  SELECT 'r' || n, 'person:' || n, 'q', 'en', 'none', 'm', 'm', false, '{{}}', '[]'
  FROM generate_series(1, {ROWS}) n;
INSERT INTO inbox (workspace_id, key_hash, message_hash, kind, state, person_id, conversation_id, text,
                   job_id, run_id)
  SELECT 1 + mod(n, 20), sha256(('k' || n)::bytea), sha256(('m' || n)::bytea), 'question',
    CASE WHEN mod(n, 10) = 0 THEN 'received' ELSE 'answered' END, n, n, 'q', n, 'r' || n
  FROM generate_series(1, {ROWS}) n;
INSERT INTO outbox (inbox_id, lane_id, conversation_id, part, kind, body)
  SELECT n, n, n, 'answer', 'post', '{{}}' FROM generate_series(1, {ROWS}) n;
INSERT INTO procrastinate_jobs (queue_name, task_name, status)
  SELECT 'questions', 'answer', 'failed' FROM generate_series(1, {ROWS}) n;
ANALYZE
"""


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(home=tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def filled(new_database: NewDatabase, settings: Settings) -> str:
    url = new_database("history")
    place = Seals(load_keys(settings)).seal("place", '["C1", null, null]')
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in FILL.split(";"):
            connection.execute(statement, {"place": place} if "%(place)s" in statement else None)
    return url


@pytest.fixture
async def engine(filled: str) -> AsyncIterator[AsyncEngine]:
    engine = create_engine(filled)
    yield engine
    await engine.dispose()


def faults(plan: list[dict[str, Any]]) -> list[str]:
    """Nodes that read a table from end to end, or sort many rows."""
    found = [
        f"{node['Node Type']} on {node['Relation Name']}"
        for node in plan
        if node["Node Type"] == "Seq Scan" and node["Relation Name"] in BIG[1:]
    ]
    return found + ["Sort" for node in plan if node["Node Type"] == "Sort" and node["Plan Rows"] > 1000]


Step = Callable[[Chat, Workspace], Awaitable[object]]


async def work(chat: Chat, slack: Workspace) -> None:
    receipt = await chat.inbox.accept(message(slack, "first", place=Place("N")), PLENTY, parts=[PLACEHOLDER])
    claim = await chat.questions.claim(receipt.question or 0)
    assert claim
    await chat.questions.show(claim, {}, "placeholder")
    await chat.questions.keep(claim, run_of(claim, "run"))
    await chat.questions.finish(claim, "answered", answer_parts())
    await chat.conversations.turns(claim.conversation, claim.question + 1)
    thinks = message(slack, "thinks", place=Place("N"))
    assert await chat.feedback.give(thinks, "run", helpful=False, reason="unclear")
    await chat.feedback.of_person(slack.id, thinks.sender)


async def receive(chat: Chat, slack: Workspace) -> None:
    asked = message(slack, "second", place=Place("N2"))
    await chat.inbox.accept(asked, PLENTY, parts=[PLACEHOLDER], offset=1)
    assert not (await chat.inbox.accept(asked, PLENTY)).new
    await chat.inbox.hold(message(slack, "third"), "none", parts=[PLACEHOLDER])
    await chat.inbox.note(message(slack, "fourth"), parts=[PLACEHOLDER])
    await chat.inbox.park(slack.id, "fifth", "unreadable")
    await chat.inbox.edit(message(slack, "second", "new words", place=Place("N2")))
    await chat.conversations.knows(slack.id, Place("N2"))
    await chat.conversations.close(slack.id, Place("N2"))
    await chat.conversations.past(slack.id, "U1")
    await chat.people.find(slack.id, "U1")


async def send(chat: Chat, slack: Workspace) -> None:
    async def fetch() -> Delivery:
        delivery = await chat.outbox.fetch_next("slack", Pace(1, 3, 0.001))
        assert delivery
        return delivery

    await chat.outbox.note_sent(await fetch(), "1.0")
    await chat.outbox.postpone(await fetch(), 30, "rate_limited", everywhere=True)
    await chat.outbox.give_up(await fetch(), "channel_not_found")
    await chat.outbox.seconds_until_due("slack")
    await chat.outbox.fetch_next("slack", Pace(1, 3, 0.001), workspace=slack.id)


async def claim_one(chat: Chat, _: Workspace) -> None:
    assert await chat.questions.claim(10)


async def repeat(chat: Chat, slack: Workspace) -> None:
    for _ in range(2):
        await chat.inbox.accept(message(slack, "again"), PLENTY)
    await chat.inbox.edit(message(slack, "again", "new words"))


async def delete(chat: Chat, slack: Workspace) -> None:
    for scope in ("last", "conversation", "everything"):
        await chat.inbox.accept(message(slack, f"d {scope}", sender="U9"), PLENTY, parts=[PLACEHOLDER])
        await chat.erasure.of_person(slack.id, "U9", scope, message(slack, "d").place)  # type: ignore[arg-type]
    await chat.erasure.of_message(slack.id, Place("N2"), "second")


@pytest.mark.parametrize("step", [work, receive, send, delete])
async def test_no_statement_reads_a_whole_table(
    engine: AsyncEngine, filled: str, settings: Settings, step: Step
) -> None:
    chat = await open_chat(engine, settings)
    slack = await chat.workspaces.install("slack", "T0WORK")
    with noted(engine) as sent:
        await step(chat, slack)
    assert len(sent) >= 3
    for statement, params in sent:
        assert faults(explain(filled, statement, params)) == [], statement


@pytest.mark.parametrize(
    ("named", "indexes"),
    [
        ("SET state = 'working'", {"pk_inbox"}),
        ("FOR UPDATE OF l SKIP LOCKED", {"ix_lanes_due"}),
        ("WITH head AS", {"ix_outbox_waiting", "pk_lanes", "pk_outbox"}),
        ("kind = 'waiting' RETURNING", {"uq_inbox_workspace_id_message_hash"}),
        ("revision = revision + 1", {"uq_inbox_workspace_id_message_hash"}),
    ],
    ids=["claim", "lane", "part", "dedupe", "edit"],
)
async def test_the_indexes_of_the_hot_ones(
    engine: AsyncEngine, filled: str, settings: Settings, named: str, indexes: set[str]
) -> None:
    chat = await open_chat(engine, settings)
    slack = await chat.workspaces.install("slack", "T0WORK")
    sent_of = {"SET state": claim_one, "FOR UPDATE": send, "WITH head": send}
    with noted(engine) as sent:
        await sent_of.get(" ".join(named.split()[:2]), repeat)(chat, slack)
    statement, params = next(found for found in sent if named in found[0])
    plan = explain(filled, statement, params)
    assert indexes <= {node.get("Index Name") for node in plan}
    assert faults(plan) == []


def test_the_search_for_faults_finds_them(filled: str) -> None:
    assert faults(explain(filled, "SELECT 1 FROM inbox WHERE text = 'x'", None)) == ["Seq Scan on inbox"]
    assert faults(explain(filled, "SELECT 1 FROM lanes ORDER BY shared", None)) == [
        "Seq Scan on lanes",
        "Sort",
    ]
    assert query(filled, "SELECT count(*) > 99000 FROM outbox WHERE state = 'pending'") == [(True,)]
