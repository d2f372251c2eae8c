"""What Slack's events become, with a real database and real sockets (chat.md 3: 1, 2, 3, 14, 15)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from reasoning.notices import notice
from storage.history.chat import Chat
from tests.emulators.slack.server import SlackServer
from tests.integration.chat.answerer import LONG, answer, questions, settled
from tests.integration.chat.slack_surface import posts, running, said, unpaced
from tests.integration.emulators.test_telegram_webhook import free_port
from tests.integration.storage.documents import query

GOUT = "What are the symptoms of gout?"
WAITING = notice("chat_placeholder", "en")


@pytest.fixture
async def api() -> AsyncIterator[SlackServer]:
    async with unpaced() as server:
        yield server


async def test_a_mention_is_one_question_answered_in_its_thread(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    """It comes as two events, and each of them three times more."""
    async with running(chat, api, tmp_path):
        asked = await api.people.say("C1", GOUT, mention=True)
        await said(api, WAITING)
        assert await api.people.redeliver(asked) == 2
        await answer(chat, url)
        await said(api, "Socks are warm.")
        await settled(api, url)
    assert questions(url) == [GOUT]
    (only,) = posts(api)
    assert only.thread_ts == asked
    assert not only.unfurl
    assert {one.outcome for one in api.deliveries.all} == {"acked"}
    assert query(url, "SELECT consent FROM people") == [("unasked",)]


async def test_a_follow_up_needs_no_mention_and_nobody_else_is_answered(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        thread = await api.people.say("C1", "one?", mention=True)
        await said(api, WAITING)
        other = await api.people.say("C1", "two, which is for nobody?")
        await api.people.say("C1", "three, which is for nobody?", thread_ts=other)
        await api.people.say("C1", "<@U3> four, which is for them?", thread_ts=thread, raw=True)
        await api.people.say("C1", "five?", thread_ts=thread, user="U2")
        await api.people.bot_says("C1", "six?", thread_ts=thread, mention=True)
        await api.people.bot_says("C1", "seven?", mention=True)
        await api.people.say("C1", "eight", subtype="channel_topic", mention=True)
        await api.people.say("dm", "nine?", user="U3")
        await api.people.say("C1", f"<@U2> and <@{api.workspace.bot_user}>: ten?", thread_ts=other, raw=True)
        assert await api.until(lambda: len(questions(url)) == 4, LONG)
        await settled(api, url)
    assert sorted(questions(url)) == ["and : ten?", "five?", "nine?", "one?"]
    assert [one.thread_ts for one in posts(api, WAITING, "D3")] == [None]


async def test_what_people_type_is_read_as_they_typed_it(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    typed = "Is WBC 5*10^9/L & CRP <5 mg/L normal, see"
    links = "<https://example.org/a|example.org> in <#C1|general> <!here> <mailto:a@b.org|a@b.org>"
    async with running(chat, api, tmp_path):
        await api.people.say("dm", f"Is WBC 5*10^9/L &amp; CRP &lt;5 mg/L normal, see {links}?", raw=True)
        assert await api.until(lambda: questions(url), LONG)
    assert questions(url) == [f"{typed} example.org in #general a@b.org?"]


async def test_what_is_no_question_gets_a_word(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await api.people.say("dm", "", file="scan.png")
        await said(api, notice("chat_media", "en"), "D1")
        await api.people.say("dm", "?!")
        await said(api, notice("empty_question", "en"), "D1")
        shared = {"is_share": True, "text": "Garlic cures gout."}
        event = {"type": "message", "channel": "D1", "channel_type": "im", "user": "U1", "text": ""}
        await api.people.push(event | {"ts": "100.000001", "attachments": [shared]})
        await said(api, notice("chat_forwarded", "en"), "D1")
        assert questions(url) == []
        await api.people.say("dm", "What is gout?", file="scan.png")
        await said(api, notice("chat_media_beside", "en"), "D1")
        await settled(api, url)
    assert questions(url) == ["What is gout?"]


async def test_danger_is_answered_where_nobody_works(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        asked = await api.people.say("C1", "I have crushing chest pain right now", mention=True)
        await said(api, "Call your local emergency number now")
        await api.people.slash("C1", "/ask", "I want to kill myself")
        await said(api, "Are you safe", "D1")
        await settled(api, url)
    (reply,) = [one for one in posts(api) if not one.ephemeral_to]
    assert reply.thread_ts == asked
    assert query(url, "SELECT count(*) FROM procrastinate_jobs") == [(0,)]
    assert query(url, "SELECT state, r.triage FROM inbox JOIN runs r USING (run_id) ORDER BY id") == [
        ("answered", "emergency"),
        ("answered", "self_harm"),
    ]


async def test_edits(chat: Chat, url: str, api: SlackServer, tmp_path: Path) -> None:
    async with running(chat, api, tmp_path):
        asked = await api.people.say("dm", "Is 150 mg much?")
        assert await api.until(lambda: questions(url), LONG)
        await api.people.edit("D1", asked, "Is 15 mg much?")
        assert await api.until(lambda: questions(url) == ["Is 15 mg much?"], LONG)
        await answer(chat, url)
        await said(api, "Socks are warm.", "D1")
        await api.people.unfold("D1", asked)
        await api.people.edit("D1", asked, "Is 1.5 mg much?")
        offer = await said(api, notice("chat_edited", "en"), "D1")
        for _ in range(2):
            assert await api.people.click("D1", offer.ts, "again") == {}
        assert await api.until(lambda: len(questions(url)) == 2, LONG)
        await settled(api, url)
    assert questions(url) == ["Is 15 mg much?", "Is 1.5 mg much?"]
    assert len(posts(api, notice("chat_edited", "en"), "D1")) == 1


async def test_an_edit_that_comes_before_its_message_or_mentions_us_first(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        stamp = api.clock.stamp()
        message = {"type": "message", "user": "U1", "text": "Is 15 mg much?", "ts": stamp}
        before = message | {"text": "Is 150 mg much?"}
        place = {"channel": "D1", "channel_type": "im"}
        change = {"type": "message", "subtype": "message_changed", "ts": api.clock.stamp()} | place
        await api.people.push(change | {"message": message, "previous_message": before})
        assert await api.until(lambda: questions(url), LONG)
        await api.people.push(before | place)
        aside = await api.people.say("C1", "What is gout?")
        mention = f"<@{api.workspace.bot_user}> What is gout?"
        await api.people.edit("C1", aside, mention, raw=True)
        assert await api.until(lambda: len(questions(url)) == 2, LONG)
        await settled(api, url)
    assert questions(url) == ["Is 15 mg much?", "What is gout?"]


async def test_somebody_elses_button(chat: Chat, url: str, api: SlackServer, tmp_path: Path) -> None:
    async with running(chat, api, tmp_path):
        asked = await api.people.say("C1", GOUT, mention=True)
        assert await api.until(lambda: questions(url), LONG)
        await answer(chat, url)
        mention = f"<@{api.workspace.bot_user}> What is gout?"
        await api.people.edit("C1", asked, mention, raw=True)
        offer = await said(api, notice("chat_edited", "en"))
        await api.people.click("C1", offer.ts, "again", user="U2")
        word = await said(api, notice("chat_not_yours", "en"))
        assert word.ephemeral_to == "U2"
        await settled(api, url)
    assert questions(url) == [GOUT]


async def test_a_message_that_is_deleted_goes_with_all_that_came_of_it(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        asked = await api.people.say("C1", GOUT, mention=True)
        assert await api.until(lambda: questions(url), LONG)
        await answer(chat, url)
        await said(api, "Socks are warm.")
        await api.people.delete("C1", asked)
        assert await api.until(lambda: not posts(api), LONG)
        await api.people.redeliver(asked)
        late = api.clock.stamp()
        message = {"type": "message", "user": "U1", "text": "Never asked?", "ts": late}
        place = {"channel": "D1", "channel_type": "im"}
        gone = {"type": "message", "subtype": "message_deleted", "ts": api.clock.stamp()} | place
        await api.people.push(gone | {"previous_message": message, "deleted_ts": late})
        assert await api.settle(LONG)
        await api.people.push(message | place)
        await settled(api, url)
    assert questions(url) == [None]
    assert query(url, "SELECT count(*) FROM runs") == [(0,)]
    assert query(url, "SELECT count(*) FROM inbox WHERE text IS NOT NULL") == [(0,)]


async def test_slash_commands_are_answered_where_nobody_else_reads(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        told = await api.people.slash("C1", "/history")
        assert told["text"] == notice("slack_privately", "en")
        await said(api, notice("chat_history_none", "en"), "D1")
        assert (await api.people.slash("dm", "/carecite-ask", GOUT)) == {}
        await said(api, WAITING, "D1")
        await answer(chat, url)
        for command in ("help", "privacy"):
            await api.people.slash("dm", f"/{command}")
            await said(api, notice(f"slack_{command}", "en"), "D1")
        assert notice("slack_scope", "en") in posts(api, notice("slack_help", "en"), "D1")[0].text
        await api.people.slash("C1", "/new")
        await said(api, notice("chat_new", "en"), "D1")
        await api.people.slash("C1", "/history")
        await said(api, f"UTC: {GOUT}", "D1")
        await api.people.slash("C1", "/export")
        assert await api.until(lambda: len(api.workspace.files) == 2, LONG)
        await settled(api, url)
        await api.people.slash("C1", "/delete")
        for button, words in (("delete:everything", "chat_delete"), ("erase:everything", "chat_delete_sure")):
            prompt = await said(api, notice(words, "en"), "D1")
            assert await api.people.click("D1", prompt.ts, button) == {}
        await said(api, notice("slack_deleted_person", "en"), "D1")
        assert await api.until(lambda: not posts(api, GOUT, "D1"), LONG)
        assert await api.until(lambda: all(file.deleted for file in api.workspace.files.values()), LONG)
        await settled(api, url)
    assert query(url, "SELECT count(*) FROM people") == [(0,)]
    assert not [one for one in posts(api) if not one.ephemeral_to]
    assert {file.name for file in api.workspace.files.values()} == {"carecite.json", "carecite.txt"}


async def test_a_question_about_somebodys_message(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        theirs = await api.people.say("C1", "Garlic cures gout.", user="U2")
        assert await api.people.shortcut("ask_about", "C1", theirs) == {}
        assert await api.until(lambda: api.workspace.views, LONG)
        (view,) = api.workspace.views.values()
        assert view.content["blocks"][0]["element"]["initial_value"] == "Garlic cures gout."
        assert questions(url) == []
        value = {"question": {"question": {"value": "Does garlic help against gout?"}}}
        assert await api.people.submit(view.id, value) == {}
        await said(api, WAITING, "D1")
        await settled(api, url)
    assert view.closed
    assert questions(url) == ["Does garlic help against gout?"]
    assert posts(api) == []


async def test_requests_that_nobody_can_read_hold_up_nobody(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await api.people.push({"type": "message", "channel": "D1", "user": "U1", "text": "broken"})
        await api.people.push({"type": "message", "subtype": "message_changed", "channel": "D1"})
        await api.people.push({"type": "brand_new_event", "user": "U1"})
        assert "error" not in await api.people.slash("dm", "/frobnicate")
        await api.people.say("dm", GOUT)
        assert await api.until(lambda: questions(url), LONG)
        await settled(api, url)
    assert questions(url) == [GOUT]
    assert query(url, "SELECT kind, reason, count(*) FROM inbox WHERE kind = 'parked' GROUP BY 1, 2") == [
        ("parked", "unreadable", 2)
    ]
    assert {one.outcome for one in api.deliveries.all} == {"acked"}


async def test_messages_of_one_chat_are_taken_in_their_order(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    asked = [f"Is {number} mg much?" for number in range(20)]
    async with running(chat, api, tmp_path):
        await asyncio.sleep(0.2)
        for text in asked:
            await api.people.say("dm", text)
        assert await api.until(lambda: len(questions(url)) == len(asked), LONG)
    assert questions(url) == asked


async def test_signed_requests(chat: Chat, url: str, api: SlackServer, tmp_path: Path) -> None:
    port = free_port()
    await api.request_url(f"http://127.0.0.1:{port}/slack/events")
    own = {"app_token": None, "signing_secret": api.signing_secret, "http_port": port}
    async with running(chat, api, tmp_path, **own):
        asked = await api.people.say("C1", GOUT, mention=True)
        await said(api, WAITING)
        assert "challenge-4711" in await api.people.verify_url()
        assert await api.people.forge(asked) == 401
        assert await api.people.forge(asked, secret=api.signing_secret, age=400) == 401
        assert (await api.people.slash("C1", "/help"))["text"] == notice("slack_privately", "en")
        await said(api, notice("slack_help", "en"), "D1")
        await settled(api, url)
    assert questions(url) == [GOUT]


async def test_what_somebody_finds_who_opens_us(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await api.people.open_home()
        assert await api.until(lambda: "U1" in api.workspace.homes, LONG)
        await api.people.open_home(tab="messages", user="U2")
        assert await api.until(lambda: "D2" in api.workspace.channels, LONG)
        assert await api.until(lambda: api.workspace.channels["D2"].prompts, LONG)
        thread = {"user_id": "U3", "channel_id": "D3", "thread_ts": "100.1"}
        await api.people.push({"type": "assistant_thread_started", "assistant_thread": thread})
        assert await api.until(lambda: api.ledger.calls["assistant.threads.setSuggestedPrompts"] == 2, LONG)
        await api.people.add_channel("C2", with_bot=False)
        await api.people.invite("C2")
        await said(api, notice("slack_joined", "en"), "C2")
        await settled(api, url)
    assert notice("slack_scope", "en") in str(api.workspace.homes["U1"].content)
    assert query(url, "SELECT count(*) FROM people") == [(0,)]


async def test_an_uninstalled_workspace_is_forgotten(
    chat: Chat, url: str, api: SlackServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await api.people.say("dm", GOUT)
        assert await api.until(lambda: questions(url), LONG)
        await settled(api, url)
        await api.people.uninstall()
        assert await api.until(lambda: query(url, "SELECT count(*) FROM people") == [(0,)], LONG)
    assert query(url, "SELECT count(*) FROM inbox WHERE text IS NOT NULL") == [(0,)]
    assert query(url, "SELECT removed_at IS NULL FROM workspaces WHERE platform = 'slack'") == [(False,)]
