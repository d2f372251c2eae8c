"""What goes, what stays, and what a legal hold keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.ext.asyncio import AsyncEngine

from reasoning.notices import notice
from storage.errors import AccountRefused, NotThere, OnHold, ReasonMissing
from storage.history import History, Run
from storage.history.chat import Chat, Place, Workspace
from storage.history.chat.retention import forget_old
from storage.history.review import OPERATOR, Filters, Judgement, ReviewRoom
from storage.history.review.erasing import Extent
from tests.acceptance.serving import dump
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat import surface
from tests.integration.chat.answerer import LONG
from tests.integration.chat.answerer import answer as answer_as_worker
from tests.integration.chat.conftest import HOME, message
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.storage.documents import query

GROUP = Place("C9", "1.0", True)


def tables_with(url: str, word: str) -> set[str]:
    """Tables with the word in any row, in any column, as text or in hexadecimal."""
    with psycopg.connect(url) as connection:
        names = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        found = set()
        for (name,) in connection.execute(names).fetchall():
            rows = sql.SQL("SELECT 1 FROM {} t WHERE t::text ILIKE ANY(%s) LIMIT 1").format(
                sql.Identifier(name)
            )
            if connection.execute(rows, ([f"%{word}%", f"%{word.encode().hex()}%"],)).fetchone():
                found.add(name)
        return found


async def zebra(room: ReviewRoom, staff: Staff, chat: Chat, workspace: Workspace, place: Place = HOME) -> str:
    """An answer that was reviewed, revealed, exported and held, with the word wherever somebody can write."""
    run_id = f"run-{place.chat}"
    await answer(chat, workspace, run_id, place=place, masked="a zebra", answer={"answer": {"text": "zebra"}})
    await chat.feedback.give(message(workspace, "k", place=place), run_id, helpful=False, reason="zebra")
    judgement = Judgement("unsafe", "major", "no zebra", "zebra!")
    await room.reviews.submit(as_(staff.ann, "review"), run_id, judgement)
    await room.reviews.keep_draft(as_(staff.ben, "review"), run_id, judgement)
    await room.reading.reveal(as_(staff.lead, "reveal"), run_id, "it is the zebra")
    await room.listing.find(as_(staff.ann), Filters(words="zebra"))
    dossier = await room.reading.read(as_(staff.ann), run_id)
    hold = await room.holds.place(OPERATOR, workspace.id, "zebra at court", dossier.conversation)
    await room.holds.lift(OPERATOR, hold, "zebra is out")
    async for _ in room.exports.stream(as_(staff.lead, "export"), Filters(conversation=dossier.conversation),
                                       "quality round", "jsonl"):  # fmt: skip
        pass
    return run_id


@pytest.mark.parametrize("extent", ["answer", "conversation", "person"])
async def test_nothing_of_it_is_left(
    room: ReviewRoom, staff: Staff, chat: Chat, slack: Workspace, url: str, extent: Extent
) -> None:
    run_id = await zebra(room, staff, chat, slack)
    await answer(chat, slack, "okapi", sender="U2", place=GROUP)
    await chat.feedback.give(message(slack, "k", place=GROUP), "okapi", helpful=False)
    head = (await room.audit.verify(OPERATOR)).head
    assert tables_with(url, "zebra") >= {"cases", "reviews", "audit_reasons", "feedback", "runs"}
    erased = await room.erasing.erase(as_(staff.chief, "manage"), run_id, extent)
    assert (erased.runs, erased.exports) == (1, 1)
    assert tables_with(url, "zebra") == set()
    assert "zebra" not in dump(url).lower()
    assert (await room.audit.verify(OPERATOR, head)).intact
    with pytest.raises(NotThere):
        await room.reading.read(as_(staff.ann), run_id)
    [left] = (await room.listing.find(as_(staff.ann), Filters())).cases
    assert (left.run_id, left.feedback) == ("okapi", None if extent == "person" else "unhelpful")
    assert query(url, "SELECT scope FROM erasures") == [(extent,)]
    assert query(url, "SELECT count(*) FROM inbox WHERE state = 'withdrawn' AND text IS NULL") == [(1,)]
    [entry] = await room.audit.read(as_(staff.auditor, "audit"), action=f"erase {extent}")
    assert (entry.subject, entry.workspace) == (run_id, slack.id)


async def test_what_somebody_deletes_themselves(
    room: ReviewRoom, staff: Staff, chat: Chat, slack: Workspace, url: str
) -> None:
    await zebra(room, staff, chat, slack)
    await zebra(room, staff, chat, slack, GROUP)
    erased = await chat.erasure.of_person(slack.id, "U1", "conversation", GROUP)
    assert (erased.runs, erased.exports) == (1, 1)
    assert (await room.reading.read(as_(staff.ann), "run-D111")).reviews
    await chat.erasure.of_person(slack.id, "U1", "everything")
    assert tables_with(url, "zebra") == set()
    assert (await room.audit.verify(OPERATOR)).intact


async def test_an_answer_of_the_command_line(
    room: ReviewRoom, staff: Staff, engine: AsyncEngine, url: str
) -> None:
    run = Run(
        "local-1",
        "local",
        "zebra?",
        "en",
        "none",
        "literature",
        "literature",
        False,
        {},
        [],
        (),
        masked="zebra",
    )
    await History(engine).store_run(run)
    assert (await room.reading.read(OPERATOR, "local-1")).opened.person == "local"
    for account in (staff.ann, staff.lead, staff.other):
        with pytest.raises(NotThere):
            await room.reading.read(as_(account), "local-1")
    assert (await room.erasing.erase(OPERATOR, "local-1", "person")).runs == 1
    assert tables_with(url, "zebra") == set()


async def test_a_hold_keeps_what_is_old(
    room: ReviewRoom, staff: Staff, chat: Chat, slack: Workspace, url: str, engine: AsyncEngine
) -> None:
    await answer(chat, slack, "held")
    await answer(chat, slack, "free", place=GROUP)
    dossier = await room.reading.read(as_(staff.ann), "held")
    assert not dossier.held
    chief = as_(staff.chief, "manage")
    with pytest.raises(ReasonMissing):
        await room.holds.place(chief, slack.id, "")
    hold = await room.holds.place(chief, slack.id, "case 7", dossier.conversation)
    assert (await room.reading.read(as_(staff.ann), "held")).held
    query(url, "UPDATE inbox SET received_at = now() - interval '200 days'")
    query(url, "UPDATE runs SET expires_at = now() - interval '1 day'")
    assert await forget_old(engine) == (False, 1)
    assert await found(room, staff) == ["held"]
    extents: tuple[Extent, ...] = ("answer", "conversation", "person")
    for extent in extents:
        with pytest.raises(OnHold):
            await room.erasing.erase(chief, "held", extent)
    assert await found(room, staff) == ["held"]
    await room.holds.lift(chief, hold, "case 7 is over")
    assert await forget_old(engine) == (False, 0)
    assert await found(room, staff) == []
    with pytest.raises(NotThere):
        await room.holds.lift(chief, hold, "again")


async def test_each_workspace_keeps_as_long_as_it_wants(
    room: ReviewRoom,
    staff: Staff,
    chat: Chat,
    slack: Workspace,
    telegram: Workspace,
    url: str,
    engine: AsyncEngine,
) -> None:
    await answer(chat, slack, "short")
    await answer(chat, telegram, "long")
    chief = as_(staff.chief, "manage")
    await room.holds.keep_for(chief, slack.id, 30)
    await room.holds.keep_for(chief, telegram.id, 365)
    query(url, "UPDATE inbox SET received_at = now() - interval '31 days'")
    await forget_old(engine)
    assert await found(room, staff) == ["long"]
    query(url, "UPDATE inbox SET received_at = now() - interval '364 days'")
    query(url, "UPDATE runs SET expires_at = now() - interval '1 day'")
    await forget_old(engine)
    assert await found(room, staff) == ["long"]
    kept = await room.holds.kept(chief)
    assert [(item.workspace, item.days) for item in kept] == [(slack.id, 30), (telegram.id, 365)]
    with pytest.raises(AccountRefused):
        await room.holds.keep_for(chief, slack.id, 0)
    with pytest.raises(NotThere):
        await room.holds.keep_for(as_(staff.other, "read"), slack.id, 1)


async def found(room: ReviewRoom, staff: Staff, **filters: Any) -> list[str]:
    return [case.run_id for case in (await room.listing.find(as_(staff.chief), Filters(**filters))).cases]


@pytest.mark.parametrize("exported", [0, 2])
async def test_delete_in_the_chat_says_how_many_exports_remain(
    chat: Chat, url: str, room: ReviewRoom, tmp_path: Path, exported: int
) -> None:
    async with TelegramServer(pace=0.0) as api, surface.running(chat, api, tmp_path):
        await surface.agree(api)
        await api.people.say("Do socks cure gout?")
        await api.until(lambda: query(url, "SELECT 1 FROM inbox WHERE state = 'received'"), LONG)
        await answer_as_worker(chat, url)
        for _ in range(exported):
            async for _ in room.exports.stream(OPERATOR, Filters(), "a round", "jsonl"):
                pass
        await api.people.say("/delete")
        asked = await surface.said(api, notice("chat_delete", "en"))
        await api.people.click(asked, "delete:everything")
        asked = await surface.said(api, notice("chat_delete_sure", "en"))
        await api.people.click(asked, "erase:everything")
        await surface.said(api, notice("chat_deleted_person", "en"))
        said = api.state.chats[11].messages[-1].text
    for n in (0, 2):
        assert (notice("chat_deleted_exports", "en", n=n) in said) == (n == exported == 2)
