"""What is erased is nowhere in the database any more, and what is not erased stays (chat.md 7, row 5)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.ext.asyncio import AsyncEngine

from storage.history import StoredSearch
from storage.history.chat import Chat, Part, Place, Post, Workspace
from storage.history.chat.retention import forget_old
from tests.integration.chat.conftest import HOME, NO_PACE, PLENTY, message, run_of
from tests.integration.storage.documents import query

TABLES = """
SELECT relname FROM pg_class WHERE relkind IN ('r', 'p', 'm') AND relnamespace = 'public'::regnamespace
"""
DELETED = {"inbox", "outbox", "people", "runs", "citations", "model_replies", "search_replies", "person_days"}


def dump(url: str) -> dict[str, str]:
    """Every row of every table as text, binary columns in hexadecimal."""
    with psycopg.connect(url) as connection:
        tables = [name for (name,) in connection.execute(TABLES).fetchall()]
        statement = "SELECT coalesce(string_agg(t::text, E'\\n'), '') FROM {} t"
        return {
            name: connection.execute(sql.SQL(statement).format(sql.Identifier(name))).fetchall()[0][0]  # type: ignore[arg-type]
            for name in tables
        }


def tables_with(url: str, word: str) -> set[str]:
    spellings = (word.lower(), word.encode().hex())
    return {
        name for name, rows in dump(url).items() if any(spelling in rows.lower() for spelling in spellings)
    }


async def live_through(
    chat: Chat, workspace: Workspace, word: str, *, sender: str, place: Place, end: bool = True
) -> int:
    """A question with everything that can come of it, `word` in all of it. Its id."""
    key = f"{word}-{sender}-{place.thread}"
    asked = message(workspace, key, f"Is {word} warm?", sender=sender, place=place)
    receipt = await chat.inbox.accept(asked, PLENTY, parts=[Part("placeholder", {"text": word})])
    assert receipt.question is not None
    claim = await chat.questions.claim(receipt.question)
    assert claim
    run = run_of(claim, f"{word}-run", word)
    search = StoredSearch({"found": word}, datetime.now(UTC))
    await chat.questions.keep(claim, replace(run, searches={f"{word}-search": search}))
    await chat.questions.show(claim, {"text": word}, "placeholder")
    if end:
        parts = [Part("answer", {"text": word}, "edit", "placeholder"), Part("file", {"text": word}, "file")]
        await chat.questions.finish(claim, "answered", parts)
        assert await chat.feedback.give(asked, f"{word}-run", helpful=False, reason=f"{word} reason")
        await chat.inbox.edit(replace(asked, text=f"Is {word} hot?"))
    await chat.inbox.note(replace(asked, key=f"{key} c", message=None), parts=[Part("reply", {"text": word})])
    return receipt.question


@pytest.mark.parametrize("end", [True, False], ids=["answered", "working"])
async def test_everything(chat: Chat, slack: Workspace, telegram: Workspace, url: str, end: bool) -> None:
    threads = [HOME, Place("C9", "1.0", True), Place("C9", "2.0", True)]
    for n, place in enumerate(threads):
        await live_through(chat, slack, f"zebra{n}", sender="U1", place=place, end=end)
        await live_through(chat, slack, f"okapi{n}", sender="U2", place=place)
    await live_through(chat, telegram, "okapi-t", sender="U1", place=HOME)
    assert {"inbox", "outbox", "runs", "citations", "model_replies", "search_replies"} <= tables_with(
        url, "zebra"
    )
    before = {name: rows.count("okapi") for name, rows in dump(url).items()}

    delivery = await chat.outbox.fetch_next("slack", NO_PACE)
    assert delivery
    await chat.outbox.note_sent(delivery, "9.9")
    erased = await chat.erasure.of_person(slack.id, "U1", "everything")
    assert tables_with(url, "zebra") == set()
    assert (erased.tombstones, erased.runs, erased.people, erased.running) == (6, 3, 1, 0)
    assert erased.jobs == 3
    assert erased.parts == (12 if end else 9)
    assert erased.posts == (Post(HOME, "9.9"),)
    assert await chat.people.find(slack.id, "U1") is None
    assert {name: rows.count("okapi") for name, rows in dump(url).items()} == before
    assert query(url, "SELECT DISTINCT kind, state, person_id, text FROM inbox WHERE person_id IS NULL") in (
        [("question", "withdrawn", None, None), ("handled", None, None, None)],
        [("handled", None, None, None), ("question", "withdrawn", None, None)],
    )
    assert await chat.erasure.of_person(slack.id, "U1", "everything") == type(erased)()

    again = message(slack, "zebra0-U1-None", "Is zebra0 warm?")
    assert not (await chat.inbox.accept(again, PLENTY)).new  # a late delivery finds the tombstone
    assert tables_with(url, "zebra") == set()


async def test_the_dump_finds_what_is_there(chat: Chat, slack: Workspace, url: str) -> None:
    """The search above can fail: in a text, in JSON, and as bytes."""
    await live_through(chat, slack, "zebra", sender="U1", place=HOME)
    assert tables_with(url, "zebra") >= {"inbox", "runs", "outbox"}
    query(url, "UPDATE people SET sealed_id = convert_to('zebra', 'UTF8')")
    assert "people" in tables_with(url, "zebra")


async def test_no_id_of_a_platform_is_readable(chat: Chat, slack: Workspace, url: str) -> None:
    """Nor a token. Erased or not."""
    ids = {"T0WORK", "xoxb-1", "UPERSON", "CHANNEL", "THREAD", "KEY77", "MSG88", "POST99"}
    place = Place("CHANNEL", "THREAD", True)
    asked = message(slack, "KEY77", "Warm?", sender="UPERSON", place=place, named="MSG88")
    await chat.inbox.accept(asked, PLENTY, parts=[Part("placeholder", {})])
    await chat.inbox.hold(replace(asked, key="KEY77b", message="MSG88b"), "none", parts=[Part("ask", {})])
    delivery = await chat.outbox.fetch_next("slack", NO_PACE)
    assert delivery
    assert (delivery.place, delivery.reply_to) == (place, "MSG88")
    await chat.outbox.note_sent(delivery, "POST99")
    for word in ids:
        assert tables_with(url, word) == set(), word


async def test_the_last_question(chat: Chat, slack: Workspace, url: str) -> None:
    for word in ("zebra", "okapi"):
        await live_through(chat, slack, word, sender="U1", place=HOME)
    erased = await chat.erasure.of_person(slack.id, "U1", "last")
    assert (erased.tombstones, erased.runs) == (1, 1)
    assert tables_with(url, "okapi") == {"outbox"}  # the reply to a command
    assert "inbox" in tables_with(url, "zebra")
    assert await chat.people.find(slack.id, "U1") is not None
    await chat.erasure.of_person(slack.id, "U1", "last")
    assert tables_with(url, "zebra") == {"outbox"}
    assert (await chat.erasure.of_person(slack.id, "U1", "last")).tombstones == 0


async def test_a_conversation(chat: Chat, slack: Workspace, url: str) -> None:
    """Of a thread of two people, the words of one; the other one's answer still goes out there."""
    here, elsewhere = Place("C9", "1.0", True), Place("C9", "2.0", True)
    await live_through(chat, slack, "zebra", sender="U1", place=here)
    await live_through(chat, slack, "okapi", sender="U2", place=here)
    await live_through(chat, slack, "llama", sender="U1", place=elsewhere)
    erased = await chat.erasure.of_person(slack.id, "U1", "conversation", here)
    assert (erased.tombstones, erased.runs, erased.people) == (2, 1, 0)
    assert tables_with(url, "zebra") == set()
    assert tables_with(url, "okapi") == tables_with(url, "llama") != set()
    assert query(url, "SELECT count(*) FROM conversations") == [(2,)]


async def test_a_deleted_message(chat: Chat, slack: Workspace, url: str) -> None:
    await live_through(chat, slack, "zebra", sender="U1", place=HOME)
    key = "zebra-U1-None"
    assert (await chat.erasure.of_message(slack.id, Place("D112"), key)).tombstones == 0
    erased = await chat.erasure.of_message(slack.id, HOME, key)
    assert (erased.tombstones, erased.runs, erased.jobs) == (1, 1, 1)
    assert tables_with(url, "zebra") == {"outbox"}
    assert (await chat.erasure.of_message(slack.id, HOME, key)).tombstones == 0


async def test_an_uninstalled_workspace(chat: Chat, slack: Workspace, telegram: Workspace, url: str) -> None:
    for sender in ("U1", "U2"):
        await live_through(chat, slack, f"zebra{sender}", sender=sender, place=Place("D" + sender))
    waiting = message(slack, "w", "zebra?", sender="U3")
    await chat.inbox.hold(waiting, "none", parts=[Part("ask", {"text": "zebra"})])
    await live_through(chat, telegram, "okapi", sender="U1", place=HOME)
    erased = await chat.erasure.of_workspace(slack.id)
    assert (erased.people, erased.runs) == (2, 2)
    assert tables_with(url, "zebra") == set()
    assert tables_with(url, "okapi") != set()
    assert await chat.workspaces.find("slack", "T0WORK") is None
    assert await chat.workspaces.tokens(slack.id) is None
    assert await chat.workspaces.list("slack") == []
    for table in ("people", "lanes", "conversations"):
        assert query(url, f"SELECT count(*) FROM {table}") == [(1,)], table
    again = await chat.workspaces.install("slack", "T0WORK", {"bot_token": "xoxb-2"})
    assert again == slack
    assert await chat.workspaces.tokens(slack.id) == {"bot_token": "xoxb-2"}


async def test_a_job_that_runs(chat: Chat, slack: Workspace, url: str) -> None:
    """It is told of, holds ids only, and its worker finds nothing to do."""
    receipt = await chat.inbox.accept(message(slack, "k1", "zebra?"), PLENTY)
    query(url, "UPDATE procrastinate_jobs SET status = 'doing'")
    erased = await chat.erasure.of_person(slack.id, "U1", "everything")
    assert (erased.jobs, erased.running) == (0, 1)
    assert await chat.questions.claim(receipt.question or 0) is None
    assert query(url, "SELECT args FROM procrastinate_jobs") == [({"question": receipt.question},)]


async def test_an_orphaned_run_goes_with_its_person(chat: Chat, slack: Workspace, url: str) -> None:
    question = await live_through(chat, slack, "zebra", sender="U1", place=HOME)
    query(url, "UPDATE inbox SET run_id = NULL WHERE id = %s", question)
    assert (await chat.erasure.of_person(slack.id, "U1", "everything")).runs == 1
    assert tables_with(url, "zebra") == set()


async def test_questions_that_come_while_a_person_is_erased(chat: Chat, slack: Workspace, url: str) -> None:
    """No deadlock, and each is erased whole or kept whole."""

    async def ask(n: int) -> None:
        await chat.inbox.accept(message(slack, f"k{n}", f"zebra {n}"), PLENTY, parts=[Part("p", {"t": n})])

    tasks = [ask(n) if n % 4 else chat.erasure.of_person(slack.id, "U1", "everything") for n in range(40)]
    await asyncio.gather(*tasks)
    assert query(
        url,
        "SELECT count(*) FROM inbox WHERE (state = 'received') <> (person_id IS NOT NULL)",
    ) == [(0,)]
    kept = query(url, "SELECT count(*) FROM inbox WHERE state = 'received'")
    assert query(url, "SELECT count(*) FROM procrastinate_jobs") == kept
    assert query(url, "SELECT count(*) FROM outbox") == kept
    await chat.erasure.of_person(slack.id, "U1", "everything")
    assert tables_with(url, "zebra") == set()


async def test_that_it_was_done_is_kept(chat: Chat, slack: Workspace, url: str) -> None:
    await live_through(chat, slack, "zebra", sender="U1", place=HOME)
    await chat.erasure.of_person(slack.id, "U1", "everything")
    ((scope, counts),) = query(url, "SELECT scope, counts FROM erasures")
    assert scope == "everything"
    assert counts["tombstones"] == 2
    assert counts["posts"] == 0


async def test_the_reply_to_a_deletion_keeps_nobody(chat: Chat, slack: Workspace, url: str) -> None:
    await live_through(chat, slack, "zebra", sender="U1", place=HOME)
    await chat.erasure.of_person(slack.id, "U1", "everything")
    await chat.inbox.hold(message(slack, "yes"), None, parts=[Part("reply", {"text": "It is gone."})])
    delivery = await chat.outbox.fetch_next("slack", NO_PACE)
    assert delivery
    assert await chat.outbox.note_sent(delivery, "1.0")
    for table in ("people", "conversations", "lanes", "outbox", "runs"):
        assert query(url, f"SELECT count(*) FROM {table}") == [(0,)], table


async def test_a_lost_key_stops_no_erasure(chat: Chat, slack: Workspace, url: str) -> None:
    await live_through(chat, slack, "zebra", sender="U1", place=HOME)
    query(url, "UPDATE outbox SET sealed_message = 'x'")
    query(url, "UPDATE conversations SET sealed_place = 'x'")
    assert (await chat.erasure.of_person(slack.id, "U1", "everything")).posts == ()
    assert tables_with(url, "zebra") == set()


async def test_old_questions_go_by_themselves(
    chat: Chat, slack: Workspace, url: str, engine: AsyncEngine
) -> None:
    """With tombstones and parked updates of that age; a person stays, and what is younger."""
    await live_through(chat, slack, "zebra", sender="U1", place=HOME)
    await chat.inbox.park(slack.id, "p", "unreadable")
    old = "now() - interval '181 days'"
    query(url, f"UPDATE inbox SET received_at = {old}")
    query(url, f"UPDATE person_days SET day = ({old})::date")
    await live_through(chat, slack, "okapi", sender="U1", place=HOME)
    assert not (await forget_old(engine)).more
    assert tables_with(url, "zebra") == set()
    assert tables_with(url, "okapi") >= {"inbox", "runs", "outbox"}
    assert query(url, "SELECT count(*) FROM inbox") == [(2,)]
    assert query(url, "SELECT count(*) FROM person_days") == [(1,)]
    assert await chat.people.find(slack.id, "U1")
    query(url, f"UPDATE runs SET expires_at = {old}")
    await forget_old(engine)  # an answer goes with its question, as its workspace has it
    [(run_id,)] = query(url, "SELECT run_id FROM inbox WHERE kind = 'question'")
    assert str(run_id).startswith("okapi")


async def test_many_old_questions_go_in_batches(
    chat: Chat, slack: Workspace, url: str, engine: AsyncEngine
) -> None:
    query(url, "INSERT INTO people (workspace_id, hash, sealed_id, consent) VALUES (1, 'x', 'x', 'given')")
    query(
        url,
        "INSERT INTO inbox (workspace_id, key_hash, kind, person_id, received_at)"
        " SELECT 1, n::text::bytea, 'handled', 1, now() - interval '200 days'"
        " FROM generate_series(1, 1001) n",
    )
    assert [(await forget_old(engine)).more for _ in range(3)] == [True, True, False]
    assert query(url, "SELECT count(*) FROM inbox") == [(0,)]
