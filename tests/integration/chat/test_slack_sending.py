"""What Slack refuses or does not answer, and what comes of it (chat.md 3, rows 5 and 8; 4, orphans)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.render.look import Choice
from bot.render.slack.look import SlackLook
from bot.sender import Later, Refused
from storage.history.chat import Chat, Pace
from tests.emulators.slack.server import SlackServer
from tests.integration.chat.answerer import LONG, answer, questions, settled
from tests.integration.chat.slack_surface import posts, running, said, unpaced
from tests.integration.storage.documents import query

STATES = "SELECT part, state, last_error FROM outbox WHERE inbox_id = {} ORDER BY id"
SOCKS = "Socks are warm."


@pytest.fixture
async def api() -> AsyncIterator[SlackServer]:
    async with unpaced() as server:
        yield server


async def ask(api: SlackServer, url: str, channel: str = "dm", **more: object) -> str:
    """A question whose placeholder stands; its ts."""
    before = len(questions(url))
    asked = await api.people.say(channel, "Do socks keep feet warm?", **more)  # type: ignore[arg-type]
    assert await api.until(lambda: len(questions(url)) > before, LONG)
    await settled(api, url)
    return asked


@pytest.mark.parametrize("method", ["chat.postMessage", "chat.update"])
async def test_a_wait_that_is_asked_for_is_kept(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path, method: str
) -> None:
    async with running(chat, api, tmp_path):
        await api.fail(kind="throttle", method=method, value=1, times=2)
        await ask(api, url)
        await answer(chat, url)
        await said(api, SOCKS, "D1")
        await settled(api, url)
    assert len(api.ledger.throttles) == 2
    assert all(throttle.obeyed for throttle in api.ledger.throttles)
    assert len(posts(api, "", "D1")) == 1


async def test_our_own_pace_keeps_the_limits(chat: Chat, url: str, tmp_path: Path) -> None:
    async with SlackServer() as api, running(chat, api, tmp_path):
        for _ in range(3):
            await ask(api, url, "C1", mention=True)
        for _ in range(3):
            await answer(chat, url)
        await settled(api, url)
        assert api.ledger.throttles == []
        assert len(posts(api, SOCKS)) == 3


@pytest.mark.parametrize("channel", ["C1", "dm"])
async def test_a_post_whose_answer_was_lost_is_found_again(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path, channel: str
) -> None:
    """In a thread and in a chat; before the post, others were made there."""
    async with running(chat, api, tmp_path):
        await ask(api, url, channel, mention=channel == "C1")
        await api.fail(kind="lose", method="chat.postMessage")
        asked = await ask(api, url, channel, mention=channel == "C1")
        for _ in range(2):
            await answer(chat, url)
        await settled(api, url)
    place = "C1" if channel == "C1" else "D1"
    assert api.ledger.calls["chat.postMessage"] == 2
    assert [one.text for one in posts(api, "", place)] == [SOCKS, SOCKS]
    assert channel == "dm" or posts(api)[-1].thread_ts == asked


async def test_a_sender_that_died_after_it_had_posted(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    """Its lease ends, and the next one finds the post; where it died before, it posts."""
    async with running(chat, api, tmp_path):
        await ask(api, url)
    query(url, "UPDATE outbox SET state = 'sending', sealed_message = NULL, body = '{\"text\": \"socks\"}'")
    query(url, "UPDATE lanes SET due_at = now()")
    again = await chat.outbox.fetch_next("slack", Pace(0, 0))
    assert again is not None
    assert again.again
    async with running(chat, api, tmp_path) as surface:
        door = surface.door
        (standing,) = posts(api, "", "D1")
        assert await door.send(again) == standing.ts
        api.workspace.channels["D1"].messages.remove(standing)
        assert await door.send(again) == posts(api, "socks", "D1")[0].ts
        await chat.outbox.note_sent(again, standing.ts)


@pytest.mark.parametrize(
    ("error", "edits", "new_posts"),
    [("invalid_blocks", 2, 0), ("message_not_found", 1, 1), ("internal_error", 2, 0)],
)
async def test_an_edit_that_is_refused(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path, error: str, edits: int, new_posts: int
) -> None:
    """Blocks go, the words stay; a message that is gone is posted anew."""
    async with running(chat, api, tmp_path):
        await ask(api, url)
        before = api.ledger.calls["chat.postMessage"]
        await api.fail(kind="error", method="chat.update", value=error)
        question = await answer(chat, url)
        await said(api, SOCKS, "D1")
        await settled(api, url)
    assert api.ledger.calls["chat.update"] == edits
    assert api.ledger.calls["chat.postMessage"] - before == new_posts
    assert query(url, STATES.format(question))[-1][:2] == ("answer 1", "sent")
    kinds = {block["type"] for block in posts(api, SOCKS, "D1")[-1].blocks}
    assert kinds == ({"section"} if error == "invalid_blocks" else {"rich_text"})


async def test_words_of_progress_are_not_posted_anew(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await ask(api, url)
        ((question,),) = query(url, "SELECT min(id) FROM inbox WHERE state = 'received'")
        claim = await chat.questions.claim(question)
        assert claim is not None
        await api.fail(kind="error", method="chat.update", value="message_not_found")
        await chat.questions.show(claim, SlackLook().reply("Reading …")[0], "placeholder")
        await settled(api, url)
    assert posts(api, "Reading", "D1") == []
    assert query(url, STATES.format(question))[-1] == ("progress", "failed", "message_not_found")


async def test_a_channel_that_we_left_holds_up_nobody(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await ask(api, url, "C1", mention=True)
        api.workspace.channels["C1"].members.discard(api.workspace.bot_user)
        question = await answer(chat, url)
        await settled(api, url)
        await ask(api, url)
        await answer(chat, url)
        await said(api, SOCKS, "D1")
    assert query(url, STATES.format(question))[-1] == ("answer 1", "failed", "not_in_channel")


async def test_what_codes_mean(chat: Chat, url: str, api: SlackServer, tmp_path: Path) -> None:
    async with running(chat, api, tmp_path):
        await ask(api, url)
    query(url, "UPDATE outbox SET state = 'pending', sealed_message = NULL, body = '{\"text\": \"socks\"}'")
    query(url, "UPDATE lanes SET due_at = now()")
    fetched = await chat.outbox.fetch_next("slack", Pace(0, 0))
    assert fetched is not None
    delivery = replace(fetched, attempt=1)
    async with running(chat, api, tmp_path) as surface:
        door = surface.door
        for code, everywhere in (("token_revoked", True), ("fatal_error", False)):
            await api.fail(kind="error", method="chat.postMessage", value=code)
            with pytest.raises(Later) as later:
                await door.send(delivery)
            assert (later.value.code, later.value.everywhere) == (code, everywhere)
        await api.fail(kind="error", method="chat.postMessage", value="is_archived")
        with pytest.raises(Refused, match="is_archived"):
            await door.send(delivery)
        await chat.outbox.give_up(fetched, "is_archived")


async def test_a_connection_that_is_torn(chat: Chat, url: str, api: SlackServer, tmp_path: Path) -> None:
    """What is said while there is no connection comes with the next one."""
    async with running(chat, api, tmp_path):
        await ask(api, url)
        await api.sockets.cut_sockets()
        await ask(api, url)
        await api.sockets.disconnect()
        await ask(api, url)
    assert len(questions(url)) == 3
    assert api.sockets.opened >= 3


def test_choices_stand_below_the_last_message() -> None:
    bodies = SlackLook().reply("Sure?", choices=[Choice("keep", "No"), Choice("erase:last", "Yes")])
    assert [block["type"] for block in bodies[-1]["blocks"]] == ["rich_text", "actions"]
    assert [block["type"] for block in bodies[-1]["plain"]] == ["section", "actions"]
    assert [one["value"] for one in bodies[-1]["blocks"][-1]["elements"]] == ["keep", "erase:last"]
