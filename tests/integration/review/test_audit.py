"""The audit: append-only, and whatever is done to it behind its back is seen."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from storage.errors import NotPermitted, NotThere
from storage.history.chat import Chat, Workspace
from storage.history.review import OPERATOR, Event, ReviewRoom, permit
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.storage.documents import query


async def fill(room: ReviewRoom, rows: int = 5) -> None:
    for n in range(rows):
        reason = "to call back" if n % 2 else None
        await room.audit.note(OPERATOR, Event("view", "answer", f"r{n}", 1, reason))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET action = 'x'",
        "DELETE FROM audit WHERE id = 1",
        "TRUNCATE audit",
        "TRUNCATE audit CASCADE",
    ],
)
async def test_it_is_append_only(room: ReviewRoom, url: str, statement: str) -> None:
    await fill(room)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        query(url, statement)
    assert (await room.audit.verify(OPERATOR)).intact


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("UPDATE audit SET actor = 'account:9' WHERE id = 3", 3),
        ("UPDATE audit SET at = at + interval '1 microsecond' WHERE id = 4", 4),
        ("UPDATE audit SET subject_id = NULL WHERE id = 1", 1),
        ("DELETE FROM audit WHERE id = 2", 2),
        ("DELETE FROM audit WHERE id = 1", 1),
        ("UPDATE audit SET id = id + 9 WHERE id = 5", 5),
        ("UPDATE audit_reasons SET reason = 'to gossip' WHERE audit_id = 2", 2),
        ("UPDATE audit SET refused = true WHERE id = 5", 5),
    ],
)
async def test_a_change_is_found(room: ReviewRoom, url: str, statement: str, broken: int) -> None:
    await fill(room)
    assert (await room.audit.verify(OPERATOR)).broken is None
    query(url, "ALTER TABLE audit DISABLE TRIGGER USER")
    query(url, statement)
    assert (await room.audit.verify(OPERATOR)).broken == broken


async def test_a_cut_end_is_found_by_the_head_that_was_noted(room: ReviewRoom, url: str) -> None:
    await fill(room)
    head = (await room.audit.verify(OPERATOR)).head
    await fill(room)
    assert (await room.audit.verify(OPERATOR, head)).intact
    query(url, "ALTER TABLE audit DISABLE TRIGGER USER")
    query(url, "DELETE FROM audit WHERE id >= 5")
    assert (await room.audit.verify(OPERATOR)).intact
    assert (await room.audit.verify(OPERATOR, head)).broken == 5
    assert not (await room.audit.verify(OPERATOR, "no head")).intact


async def test_an_erased_reason_breaks_nothing(room: ReviewRoom, url: str) -> None:
    await fill(room)
    query(url, "DELETE FROM audit_reasons")
    assert (await room.audit.verify(OPERATOR)).intact


async def test_writers_at_once_make_one_chain(room: ReviewRoom) -> None:
    await asyncio.gather(*(fill(room, 5) for _ in range(8)))
    found = await room.audit.verify(OPERATOR)
    assert (found.intact, found.rows) == (True, 40)


async def test_who_may_read_it(room: ReviewRoom, staff: Staff, chat: Chat, slack: Workspace) -> None:
    await answer(chat, slack, "r1")
    await room.reading.read(as_(staff.ann), "r1")
    for account in (staff.ann, staff.lead, staff.chief):
        with pytest.raises(NotPermitted):
            permit(account, "audit")
    await room.audit.refuse(staff.ann, Event("read", "audit"))
    entries = await room.audit.read(as_(staff.auditor, "audit"), who=f"account:{staff.ann.id}")
    assert [(entry.action, entry.subject, entry.refused) for entry in entries] == [
        ("read", None, True),
        ("view", "r1", False),
    ]
    assert entries[1].role == "reviewer"
    assert entries[1].request == "request-1"
    [newest, *_] = await room.audit.read(as_(staff.auditor, "audit"), action="read")
    assert newest.actor == f"account:{staff.auditor.id}"


async def test_what_fails_is_not_in_it(
    room: ReviewRoom, staff: Staff, chat: Chat, slack: Workspace, url: str
) -> None:
    await answer(chat, slack, "r1")
    before = query(url, "SELECT count(*) FROM audit")
    with pytest.raises(NotThere):
        await room.reading.read(as_(staff.other), "r1")
    assert query(url, "SELECT count(*) FROM audit") == before
