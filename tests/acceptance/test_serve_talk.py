"""Talks on Telegram with `carecite serve`: a question that follows another is answered as it is meant."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from reasoning.notices import notice
from tests.acceptance.serving import Serving, serving
from tests.acceptance.test_serve_telegram import agree, find
from tests.emulators.telegram.server import TelegramServer
from tests.program import Program

GROUP = -100
STANDALONE = "SELECT answer->>'standalone' FROM inbox JOIN runs USING (run_id) ORDER BY inbox.id"


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(pace=0.0) as server:
        yield server


async def ask(served: Serving, telegram: TelegramServer, text: str, **where: Any) -> list[str | None]:
    """What all questions so far were completed to, once this one has its answer."""
    before = len(served.query(STANDALONE))
    await telegram.people.say(text, **where)
    await served.until(lambda: len(served.query(STANDALONE)) > before)
    await served.until_finished()
    return [row[0] for row in served.query(STANDALONE)]


async def test_a_follow_up_is_answered_as_completed_until_a_new_talk_begins(
    carecite: Program, telegram: TelegramServer
) -> None:
    async with serving(carecite, telegram, "serve_talk") as served:
        await agree(telegram, 11)
        await ask(served, telegram, "What is the treatment of acute lymphoblastic leukemia?")
        first, second = await ask(served, telegram, "And in children?")
        assert first is None
        assert second is not None
        assert "acute lymphoblastic leukemia" in second
        assert "children" in second
        (titles,) = served.query(
            "SELECT array_agg(title) FROM citations JOIN inbox USING (run_id) GROUP BY inbox.id"
            " ORDER BY inbox.id DESC LIMIT 1"
        )
        assert any("leukemia" in title.lower() for title in titles[0]), titles
        await telegram.people.say("/new")
        assert await telegram.until(lambda: find(telegram, 11, notice("chat_new", "en")), 60)
        assert (await ask(served, telegram, "And in children?"))[-1] is None
        assert await served.end() == 0


async def test_two_people_in_a_group_do_not_inherit_what_is_personal(
    carecite: Program, telegram: TelegramServer
) -> None:
    async with serving(carecite, telegram, "serve_group_talk") as served:
        for user in (11, 12):
            await agree(telegram, user)
        await telegram.people.add_group(GROUP)
        told = "/ask I am 34 and pregnant and have HIV. Is gout dangerous?"
        await ask(served, telegram, told, user=11, chat=GROUP)
        *_, others = await ask(served, telegram, "/ask does it run in families?", user=12, chat=GROUP)
        assert others == "does gout run in families?"
        seen = served.query("SELECT runs::text FROM runs JOIN inbox USING (run_id) ORDER BY inbox.id DESC")
        assert not any(word in seen[0][0] for word in ("pregnant", "HIV"))
        *_, own = await ask(served, telegram, "/ask does it run in families?", user=11, chat=GROUP)
        assert own is not None
        assert "pregnant" in own
        assert served.query("SELECT count(*) FROM conversations WHERE closed_at IS NULL") == [(1,)]
        assert await served.end() == 0
