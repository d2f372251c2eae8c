"""What comes in is kept once, whole or not at all, with its job (chat.md 3, rows 1 to 3 and 14)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from config import Settings
from storage.errors import StatementRefused
from storage.history import Run
from storage.history.chat import Budget, Chat, Place, Workspace, open_chat
from tests.integration.chat.conftest import HOME, PLACEHOLDER, PLENTY, answer_parts, message, run_of
from tests.integration.storage.documents import query

RED_FLAG = Run("r1", "", "", "en", "emergency", "none", "none", True, {}, [], ())
JOBS = "SELECT id, task_name, queue_name, lock, args FROM procrastinate_jobs ORDER BY id"


async def test_a_question_and_its_job(chat: Chat, slack: Workspace, url: str) -> None:
    await chat.inbox.park(slack.id, "C1:0", "unreadable")  # so that no two ids are the same
    receipt = await chat.inbox.accept(message(slack, "C1:1"), PLENTY, parts=[PLACEHOLDER])
    assert receipt.new
    assert receipt.over is None
    assert query(url, "SELECT kind, state, text, job_id, person_id FROM inbox WHERE id = 2") == [
        ("question", "received", "Do socks keep feet warm?", 1, receipt.person)
    ]
    assert query(url, JOBS) == [
        (1, "answer", "questions", f"conversation {receipt.conversation}", {"question": receipt.question})
    ]
    assert query(url, "SELECT part, state FROM outbox") == [("placeholder", "pending")]


async def test_delivered_again(chat: Chat, slack: Workspace, telegram: Workspace, url: str) -> None:
    """By the key, or by another key that names the same message; another workspace's key is another key."""
    first = message(slack, "C1:1")
    assert (await chat.inbox.accept(first, PLENTY)).new
    for again in (first, replace(first, key="Ev2"), replace(first, message="other")):
        assert not (await chat.inbox.accept(again, PLENTY, parts=[PLACEHOLDER])).new
        assert not (await chat.inbox.note(again)).new
    assert (await chat.inbox.accept(message(telegram, "C1:1"), PLENTY)).new
    assert query(url, "SELECT count(*) FROM inbox") == [(2,)]
    assert query(url, "SELECT count(*) FROM procrastinate_jobs") == [(2,)]
    assert query(url, "SELECT count(*) FROM outbox") == [(0,)]


async def test_the_same_key_at_once(chat: Chat, slack: Workspace, url: str) -> None:
    for n in range(20):
        asked = [chat.inbox.accept(message(slack, f"C1:{n}"), PLENTY) for _ in range(3)]
        assert sorted(receipt.new for receipt in await asyncio.gather(*asked)) == [False, False, True]
    assert query(url, "SELECT count(*) FROM inbox") == [(20,)]
    assert query(url, "SELECT count(*) FROM procrastinate_jobs") == [(20,)]


async def test_the_second_waits_for_what_becomes_of_the_first(
    chat: Chat, slack: Workspace, url: str, engine: AsyncEngine
) -> None:
    """Two open transactions with one key: where the first rolls back, the second one's question is new."""
    async with engine.connect() as first:
        await first.exec_driver_sql(
            "INSERT INTO inbox (workspace_id, key_hash, kind) VALUES (%s, %s, 'handled')",
            (slack.id, chat.ground.hash_key(slack.id, "C1:1")),
        )
        second = asyncio.create_task(chat.inbox.accept(message(slack, "C1:1"), PLENTY))
        await asyncio.sleep(0.2)
        assert not second.done()
        await first.rollback()
    assert (await second).new


@pytest.mark.parametrize("broken", ["procrastinate_jobs", "outbox", "workspaces"])
async def test_nothing_is_left_of_a_transaction_that_failed(
    chat: Chat, telegram: Workspace, url: str, broken: str
) -> None:
    """Whatever fails: row, job, part and offset. The error tells a code, and the next delivery is new."""
    column = {"procrastinate_jobs": "attempts", "outbox": "attempts", "workspaces": "update_offset"}[broken]
    query(url, f"ALTER TABLE {broken} ADD CONSTRAINT broken CHECK ({column} IS DISTINCT FROM 0)")
    sent = message(telegram, "7", "chest pain since noon")
    offset = 0 if broken == "workspaces" else 8
    try:
        with pytest.raises(StatementRefused) as caught:
            await chat.inbox.accept(sent, PLENTY, parts=[PLACEHOLDER], offset=offset)
        assert str(caught.value).endswith("Code 23514.")
        assert "chest" not in f"{caught.value!r} {caught.value.__cause__!r}"
        for table in ("inbox", "procrastinate_jobs", "outbox", "people", "conversations", "person_days"):
            assert query(url, f"SELECT count(*) FROM {table}") == [(0,)], table
        assert await chat.workspaces.offset(telegram.id) is None
    finally:
        query(url, f"ALTER TABLE {broken} DROP CONSTRAINT broken")
    assert (await chat.inbox.accept(sent, PLENTY, offset=8)).new
    assert await chat.workspaces.offset(telegram.id) == 8


async def test_offsets_only_grow(chat: Chat, telegram: Workspace) -> None:
    await chat.inbox.accept(message(telegram, "9"), PLENTY, offset=10)
    await chat.inbox.park(telegram.id, "8", "unreadable", offset=9)
    assert await chat.workspaces.offset(telegram.id) == 10
    await chat.inbox.accept(message(telegram, "9"), PLENTY, offset=11)  # known, and still passed
    assert await chat.workspaces.offset(telegram.id) == 11


async def test_parked(chat: Chat, telegram: Workspace, url: str) -> None:
    assert await chat.inbox.park(telegram.id, "8", "no_date", offset=9)
    assert not await chat.inbox.park(telegram.id, "8", "no_date")
    assert query(url, "SELECT kind, reason, text, person_id FROM inbox") == [
        ("parked", "no_date", None, None)
    ]


async def test_before_consent(chat: Chat, telegram: Workspace, url: str) -> None:
    """The key and a count by level, and nothing of a person; after `yes` the message is a question, once."""
    sent = message(telegram, "20", "I have a rash", sender="555", place=Place("555"), named="3")
    assert await chat.inbox.hold(sent, "none", offset=21)
    assert not await chat.inbox.hold(sent, "none", offset=21)
    assert await chat.inbox.hold(replace(sent, key="21", message="4"), "emergency")
    for table in ("people", "conversations", "lanes", "outbox", "person_days", "procrastinate_jobs"):
        assert query(url, f"SELECT count(*) FROM {table}") == [(0,)], table
    assert query(url, "SELECT kind, text, sealed_message FROM inbox WHERE id = 1") == [
        ("waiting", None, None)
    ]
    assert query(url, "SELECT what, n FROM tallies ORDER BY 1") == [("level:emergency", 1), ("level:none", 1)]

    await chat.people.note_consent(telegram.id, "555", "given", "de")
    released = replace(sent, key="22")  # the click has a key of its own
    assert (await chat.inbox.accept(released, PLENTY, parts=[PLACEHOLDER])).new
    assert not (await chat.inbox.accept(replace(released, key="23"), PLENTY)).new
    assert query(url, "SELECT kind, state, text FROM inbox WHERE id = 1") == [
        ("question", "received", "I have a rash")
    ]
    assert len(query(url, JOBS)) == 1


async def test_a_command_leaves_no_words(chat: Chat, slack: Workspace, url: str) -> None:
    receipt = await chat.inbox.note(message(slack, "c1", "/history secret"), parts=[PLACEHOLDER])
    assert receipt.new
    assert query(url, "SELECT kind, state, text FROM inbox") == [("handled", None, None)]
    assert query(url, JOBS) == []


async def test_answered_at_once(chat: Chat, slack: Workspace, url: str) -> None:
    """A red flag: the question with its fixed reply, though no worker runs and no budget is left."""
    asked = message(slack, "k1", "crushing chest pain")
    run = replace(RED_FLAG, question=asked.text)
    receipt = await chat.inbox.answer_at_once(asked, run, [PLACEHOLDER])
    assert receipt.new
    assert not (await chat.inbox.answer_at_once(asked, run, [PLACEHOLDER])).new
    assert not (await chat.inbox.accept(asked, PLENTY)).new
    assert query(url, "SELECT state, text, run_id, finished_at IS NOT NULL FROM inbox") == [
        ("answered", "crushing chest pain", "r1", True)
    ]
    assert query(url, "SELECT person, triage FROM runs") == [(f"person:{receipt.person}", "emergency")]
    assert query(url, "SELECT part FROM outbox") == [("placeholder",)]
    assert query(url, JOBS) == query(url, "SELECT * FROM person_days") == []
    assert await chat.questions.claim(receipt.question or 0) is None
    assert [turn.text for turn in await chat.conversations.past(slack.id, "U1")] == ["crushing chest pain"]


async def test_edits(chat: Chat, slack: Workspace, url: str) -> None:
    sent = message(slack, "C1:1", "150 mg?")
    question = (await chat.inbox.accept(sent, PLENTY)).question
    assert question is not None
    assert await chat.inbox.edit(replace(sent, text="15 mg?")) == "replaced"
    assert await chat.inbox.edit(replace(sent, text="15 mg?")) == "unchanged"
    assert await chat.inbox.edit(replace(sent, message="C1:2")) == "unchanged"
    claim = await chat.questions.claim(question)
    assert claim is not None
    assert claim.text == "15 mg?"
    await chat.questions.keep(claim, run_of(claim))
    for state in ("working", "answered"):
        assert query(url, "SELECT state FROM inbox") == [(state,)]
        assert await chat.inbox.edit(replace(sent, text=f"16 mg, {state}?")) == "marked"
        assert await chat.inbox.edit(replace(sent, text=f"16 mg, {state}?")) == "unchanged"
        if state == "working":
            await chat.questions.finish(claim, "answered", answer_parts())
    assert query(url, "SELECT text, edited_text FROM inbox") == [("15 mg?", "16 mg, answered?")]
    assert await chat.conversations.reworded(slack.id, "U1", HOME, "C1:1") == ("16 mg, answered?", True)
    assert await chat.conversations.reworded(slack.id, "U2", HOME, "C1:1") == ("", False)
    await chat.erasure.of_message(slack.id, HOME, "C1:1")
    assert await chat.conversations.reworded(slack.id, "U1", HOME, "C1:1") is None
    assert await chat.inbox.edit(replace(sent, text="17 mg?")) == "unchanged"


async def test_conversations(chat: Chat, slack: Workspace, engine: AsyncEngine, url: str) -> None:
    """A thread is one; `/new` and a long silence begin the next."""
    places = [HOME, Place("C2", "1.0", True), Place("C2", "2.0", True)]
    found = []
    for n, place in enumerate([*places, *places]):
        assert await chat.conversations.knows(slack.id, place) == (n >= 3)
        found.append((await chat.inbox.accept(message(slack, f"k{n}", place=place), PLENTY)).conversation)
    assert found[:3] == found[3:]
    assert len(set(found)) == 3
    assert query(url, "SELECT count(*) FROM lanes") == [(2,)]

    assert await chat.conversations.close(slack.id, HOME)
    assert not await chat.conversations.close(slack.id, HOME)
    after_new = (await chat.inbox.accept(message(slack, "k7"), PLENTY)).conversation
    assert after_new not in found
    query(url, "UPDATE conversations SET last_at = last_at - interval '13 hours'")
    after_silence = (await chat.inbox.accept(message(slack, "k8"), PLENTY)).conversation
    assert after_silence not in (after_new, *found)


async def test_turns_stay_apart(chat: Chat, slack: Workspace, telegram: Workspace) -> None:
    """By conversation, by workspace and by person, though chat, thread and sender have the same ids."""
    for workspace in (slack, telegram):
        for sender in ("U1", "U2"):
            for n in range(3):
                asked = f"{workspace.platform} {sender} {n}"
                await chat.inbox.accept(message(workspace, asked, asked, sender=sender), PLENTY)
    last = await chat.inbox.accept(message(slack, "last", "slack U1 3"), PLENTY)
    assert last.conversation is not None
    assert last.question is not None
    turns = await chat.conversations.turns(last.conversation, last.question, 4)
    assert [turn.text for turn in turns] == ["slack U1 2", "slack U2 0", "slack U2 1", "slack U2 2"]
    assert [turn.person == last.person for turn in turns] == [True, False, False, False]
    own = await chat.conversations.past(slack.id, "U2")
    assert [turn.text for turn in own] == ["slack U2 2", "slack U2 1", "slack U2 0"]
    assert await chat.conversations.past(slack.id, "U3") == []


async def test_budgets(chat: Chat, slack: Workspace, telegram: Workspace, url: str) -> None:
    budget = Budget(person=2, workspace=3)
    refusal = [replace(PLACEHOLDER, name="refusal")]

    async def ask(key: str, sender: str, workspace: Workspace = slack) -> str | None:
        sent = message(workspace, key, sender=sender)
        receipt = await chat.inbox.accept(sent, budget, parts=[PLACEHOLDER], refusal=refusal)
        assert receipt.new
        assert (receipt.question is None) == (receipt.over is not None)
        return receipt.over

    asked = [await ask(f"k{n}", sender) for n, sender in enumerate(("U1", "U1", "U1", "U2", "U2"))]
    assert asked == [None, None, "person", None, "workspace"]
    assert await ask("k0", "U1", telegram) is None
    assert query(url, "SELECT questions FROM person_days ORDER BY person_id") == [(2,), (1,), (1,)]
    assert query(url, "SELECT reason, text FROM inbox WHERE kind = 'refused' ORDER BY id") == [
        ("person", None),
        ("workspace", None),
    ]
    assert query(url, "SELECT count(*) FROM outbox WHERE part = 'refusal'") == [(2,)]
    assert len(query(url, JOBS)) == 4
    query(url, "UPDATE person_days SET day = day - 1")
    query(url, "UPDATE tallies SET day = day - 1")
    assert await ask("k9", "U1") is None


@pytest.mark.parametrize(("person", "workspace", "over"), [(0, 9, "person"), (9, 0, "workspace")])
async def test_no_budget(chat: Chat, slack: Workspace, person: int, workspace: int, over: str) -> None:
    assert (await chat.inbox.accept(message(slack, "k"), Budget(person, workspace))).over == over


async def test_budgets_hold_at_once(chat: Chat, slack: Workspace) -> None:
    asked = [chat.inbox.accept(message(slack, f"k{n}"), Budget(5, 100)) for n in range(12)]
    receipts = await asyncio.gather(*asked)
    assert sorted(str(receipt.over) for receipt in receipts) == ["None"] * 5 + ["person"] * 7


async def test_stranded_questions_get_a_job(chat: Chat, slack: Workspace, url: str) -> None:
    questions = [(await chat.inbox.accept(message(slack, f"k{n}"), PLENTY)).question for n in range(3)]
    query(url, "UPDATE procrastinate_jobs SET status = 'failed' WHERE id = 1")
    query(url, "DELETE FROM procrastinate_jobs WHERE id = 2")
    assert await chat.inbox.requeue_stranded(timedelta(minutes=1)) == []
    query(url, "UPDATE inbox SET received_at = received_at - interval '1 hour'")
    assert await chat.inbox.requeue_stranded(timedelta(minutes=1)) == questions[:2]
    assert await chat.inbox.requeue_stranded(timedelta(minutes=1)) == []
    assert [row[4] for row in query(url, JOBS)] == [{"question": n} for n in (1, 3, 1, 2)]


async def test_damaged_words(chat: Chat, slack: Workspace, url: str) -> None:
    """A NUL or half a surrogate pair, as a chat may deliver them (case F20)."""
    bad = "a\x00b \ud83d"
    sent = message(slack, bad, bad, sender=bad, place=Place(bad, bad))
    part = replace(PLACEHOLDER, body={bad: bad})
    assert (await chat.inbox.accept(sent, PLENTY, parts=[part])).new
    assert not (await chat.inbox.accept(sent, PLENTY)).new
    assert query(url, "SELECT text FROM inbox") == [("a b \ufffd",)]


async def test_another_process_with_the_same_keys(
    chat: Chat, slack: Workspace, engine: AsyncEngine, settings: Settings
) -> None:
    await chat.inbox.accept(message(slack, "k"), PLENTY)
    other = await open_chat(engine, settings)
    assert not (await other.inbox.accept(message(slack, "k"), PLENTY)).new


async def test_too_many_at_once_in_a_conversation(chat: Chat, slack: Workspace, url: str) -> None:
    """Said once, then passed over until fewer come; each thread by itself (chat.md 3, row 15)."""
    budget = Budget(100, 100, minute=3)
    pause, refusal = ([replace(PLACEHOLDER, name=name)] for name in ("pause", "refusal"))

    async def ask(n: int, thread: str = "1.0") -> str | None:
        sent = message(slack, f"{thread} {n}", place=Place("C9", thread, True), sender=f"U{n}")
        receipt = await chat.inbox.accept(sent, budget, parts=[PLACEHOLDER], refusal=refusal, pause=pause)
        return receipt.over

    assert [await ask(n) for n in range(6)] == [None] * 3 + ["conversation"] * 3
    assert await ask(0, "2.0") is None
    sent = query(url, "SELECT part, count(*) FROM outbox GROUP BY 1 ORDER BY 1")
    assert sent == [("pause", 1), ("placeholder", 4)]
    assert query(url, "SELECT DISTINCT text FROM inbox WHERE kind = 'refused'") == [(None,)]
    assert query(url, "SELECT sum(questions) FROM person_days") == [(4,)]
    query(url, "UPDATE inbox SET received_at = received_at - interval '30 seconds' WHERE id < 5")
    assert await ask(6) == "conversation"
    query(url, "UPDATE inbox SET received_at = received_at - interval '61 seconds'")
    assert await ask(7) is None
