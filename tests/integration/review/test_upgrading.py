"""A history from before there was a review: its answers are cases after the upgrade, and searchable."""

from __future__ import annotations

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.keeping import mask_for_search
from storage.history import History, Run
from storage.history.chat import Chat, Workspace
from storage.history.review import OPERATOR, Case, Filters, ReviewRoom
from storage.schema import downgrade, upgrade
from tests.integration.chat.conftest import message
from tests.integration.conftest import NewDatabase
from tests.integration.review.conftest import answer


@pytest.fixture
def url(new_database: NewDatabase) -> str:
    """A database of its own, whose schema goes down and up again."""
    return new_database("history")


async def cases(room: ReviewRoom, filters: Filters | None = None) -> dict[str, Case]:
    page = await room.listing.find(OPERATOR, filters or Filters())
    return {case.run_id: case for case in page.cases}


async def test_what_was_kept_before(
    chat: Chat, room: ReviewRoom, slack: Workspace, engine: AsyncEngine, url: str
) -> None:
    history = History(engine)
    degraded = {"answer": {"text": "Call 020 7946 0958."}, "degraded": [{"code": "x", "detail": "y"}]}
    await answer(chat, slack, "liked", answer=degraded)
    await answer(chat, slack, "disliked")
    await answer(chat, slack, "flag", triage="urgent", abstained=True)
    await history.store_run(Run("own", "local", "Socks?", "en", "none", "auto", "cometa", False, {}, [], ()))
    await chat.feedback.give(message(slack, "k"), "liked", helpful=True)
    await chat.feedback.give(message(slack, "k"), "disliked", helpful=False)
    before = await cases(room)
    await engine.dispose()
    downgrade(url, "history", "0007")
    assert upgrade(url, "history")

    after = await cases(room)
    assert {case.excerpt for case in after.values()} == {None}
    for run_id, case in before.items():
        assert str(case).replace(run_id, "") == str(after[run_id]).replace(run_id, "")
    assert (after["flag"].state, after["flag"].cause, after["disliked"].cause) == (
        "open",
        "red_flag",
        "feedback",
    )
    assert after["liked"].degraded
    assert after["own"].platform == "local"
    assert await cases(room, Filters(words="socks")) == {}
    assert not await history.make_searchable(mask_for_search)
    assert set(await cases(room, Filters(words="socks"))) == {"liked", "disliked", "flag", "own"}
    assert await cases(room, Filters(words="7946")) == {}
    assert "[phone]" in str((await cases(room))["liked"].excerpt)
