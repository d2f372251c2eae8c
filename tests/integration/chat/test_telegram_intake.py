"""What Telegram's updates become, with a real database and real sockets (chat.md 3: 1, 11, 12, 14, 15)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from reasoning.notices import LANGUAGES, notice
from storage.history.chat import Chat
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat.answerer import LONG, answer, questions, settled
from tests.integration.chat.surface import agree, running, said
from tests.integration.emulators.test_telegram_webhook import free_port
from tests.integration.storage.documents import query

GOUT = "What are the symptoms of gout?"


@pytest.fixture
async def api() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(pace=0.0) as api:
        yield api


async def test_before_consent_nothing_is_kept_and_after_yes_nobody_asks_again(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        asked = await api.people.say(GOUT)
        prompt = await said(api, "Do you agree?")
        await settled(api, url)
        assert query(url, "SELECT kind, text, person_id FROM inbox") == [("waiting", None, None)]
        assert query(url, "SELECT count(*) FROM outbox") == [(0,)]
        assert query(url, "SELECT what, n FROM tallies") == [("level:none", 1)]
        await api.people.click(prompt, "consent:yes")
        placeholder = await said(api, notice("chat_placeholder", "en"))
        await api.people.click(prompt, "consent:yes")
        await settled(api, url)
    message = api.state.chats[11].find(placeholder)
    assert message is not None
    assert message.reply_to == asked
    assert questions(url) == [GOUT]
    assert all(one.answers for one in api.state.queries.values())


async def test_no_keeps_nobody(chat: Chat, url: str, api: TelegramServer, tmp_path: Path) -> None:
    async with running(chat, api, tmp_path):
        await api.people.say(GOUT)
        await api.people.click(await said(api, "Do you agree?"), "consent:no")
        await said(api, "I keep nothing")
        await settled(api, url)
    assert query(url, "SELECT count(*) FROM people") == [(0,)]
    assert query(url, "SELECT count(*) FROM outbox") == [(0,)]


async def test_a_prompt_that_telegram_no_longer_shows(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await api.people.say(GOUT)
        prompt = await said(api, "Do you agree?")
        await api.people.click(prompt, "consent:yes", inaccessible=True)
        await said(api, notice("chat_agreed", "en"))
        await api.people.say(GOUT)
        await said(api, notice("chat_placeholder", "en"))
    assert questions(url) == [GOUT]


async def test_danger_before_consent(chat: Chat, url: str, api: TelegramServer, tmp_path: Path) -> None:
    """Nobody works here: the reply is made as the message comes in, also to a command and to an edit."""
    async with running(chat, api, tmp_path):
        await api.people.say("I have crushing chest pain right now")
        await said(api, "Call your local emergency number now")
        await api.people.say("/ask I want to kill myself", user=12)
        await said(api, "Are you safe right now?", 12)
        harmless = await api.people.say(GOUT, user=13)
        await said(api, "Do you agree?", 13)
        await api.people.edit(harmless, "I have crushing chest pain right now", user=13)
        await said(api, "Call your local emergency number now", 13)
        await settled(api, url)
    assert query(url, "SELECT count(*) FROM people") == [(0,)]
    assert query(url, "SELECT DISTINCT text FROM inbox") == [(None,)]
    assert query(url, "SELECT count(*) FROM procrastinate_jobs") == [(0,)]
    assert query(url, "SELECT what, n FROM tallies WHERE what <> 'level:none' ORDER BY 1") == [
        ("level:emergency", 2),
        ("level:self_harm", 1),
    ]


async def test_danger_after_consent_is_kept(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        await api.people.say("I have crushing chest pain right now")
        await said(api, "Call your local emergency number now")
    assert query(url, "SELECT state, r.triage FROM inbox JOIN runs r USING (run_id)") == [
        ("answered", "emergency")
    ]


async def test_duplicates_and_updates_that_nobody_can_read(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        await api.copies(3)
        asked = await api.people.say(GOUT)
        await api.people.push_broken("broken")
        await api.people.push_unknown()
        await api.people.say("What helps against gout?")
        assert await api.until(lambda: len(questions(url)) == 2, LONG)
        await settled(api, url)
        await api.people.redeliver(asked)
        await settled(api, url)
    assert questions(url) == [GOUT, "What helps against gout?"]
    assert query(url, "SELECT kind, count(*) FROM inbox WHERE kind = 'parked' GROUP BY 1") == [("parked", 2)]
    last = max(update.id for update in api.updates.all)
    assert query(url, "SELECT update_offset FROM workspaces WHERE platform = 'telegram'") == [(last + 1,)]
    assert api.transcript(11).count(notice("chat_placeholder", "en")) == 2


async def test_groups(chat: Chat, url: str, api: TelegramServer, tmp_path: Path) -> None:
    group = -100500
    async with running(chat, api, tmp_path):
        await agree(api)
        await api.people.add_group(group, topics={"7": "gout"})
        hello = await said(api, notice("chat_joined", "en"), group)
        await api.privacy(False)
        heard = (
            ("/ask@carecite_bot one?", {}),
            ("two?", {"reply_to": hello}),
            ("@Carecite_Bot three?", {}),
            ("/ask four?", {"topic": 7}),
        )
        for text, more in heard:
            await api.people.say(text, chat=group, **more)
        passed_over = (
            ("/ask@other_bot five?", {}),
            ("six, which is for nobody?", {}),
            ("@carecite_bot seven?", {"is_bot": True, "user": 99}),
            ("@carecite_botany eight?", {}),
        )
        for text, more in passed_over:
            await api.people.say(text, chat=group, **more)
        assert await api.until(lambda: len(questions(url)) == 4, LONG)
        await settled(api, url)
        await api.people.say("/history", chat=group)
        await said(api, notice("chat_only_private", "en"), group)
    assert questions(url) == ["one?", "two?", "three?", "four?"]
    waiting = notice("chat_placeholder", "en")
    replies = [m for m in api.state.chats[group].messages if waiting in m.text]
    assert [m.topic for m in replies] == [None, None, None, 7]


async def test_somebody_elses_click(chat: Chat, url: str, api: TelegramServer, tmp_path: Path) -> None:
    group = -100600
    async with running(chat, api, tmp_path):
        await api.people.add_group(group)
        await api.people.say("/ask What is gout?", chat=group, user=11)
        prompt = await said(api, "Do you agree?", group)
        query_id = await api.people.click(prompt, "consent:yes", chat=group, user=12)
        assert await api.until(lambda: api.state.queries[query_id].answers, LONG)
        assert api.state.queries[query_id].answers == [{"text": notice("chat_not_yours", "en")}]
        await api.people.click(prompt, "consent:yes", chat=group, user=11)
        assert await api.until(lambda: questions(url), LONG)
    assert questions(url) == ["What is gout?"]
    assert query(url, "SELECT count(*) FROM people") == [(1,)]


async def test_edits(chat: Chat, url: str, api: TelegramServer, tmp_path: Path) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        asked = await api.people.say("Is 150 mg much?")
        assert await api.until(lambda: questions(url), LONG)
        await api.people.edit(asked, "Is 15 mg much?")
        assert await api.until(lambda: questions(url) == ["Is 15 mg much?"], LONG)
        await answer(chat, url)
        await said(api, "Socks are warm.")
        await api.people.edit(asked, "Is 1.5 mg much?")
        offer = await said(api, notice("chat_edited", "en"))
        await api.people.click(offer, "again")
        assert await api.until(lambda: len(questions(url)) == 2, LONG)
        await settled(api, url)
    assert questions(url) == ["Is 15 mg much?", "Is 1.5 mg much?"]


async def test_what_is_no_question_gets_a_word(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        forwarded = await api.people.forward("Garlic cures gout.")
        await said(api, notice("chat_forwarded", "en"))
        await api.people.send_voice()
        await said(api, notice("chat_media", "en"))
        await api.people.say("?!")
        await said(api, notice("empty_question", "en"))
        await api.people.say("/frobnicate")
        await said(api, notice("chat_unknown", "en"))
        assert questions(url) == []
        await api.people.say("/ask", reply_to=forwarded)
        assert await api.until(lambda: questions(url) == ["Garlic cures gout."], LONG)
        await api.people.send_file("scan.png", caption="What is gout?")
        await said(api, notice("chat_media_beside", "en"))
        await settled(api, url)
    assert questions(url) == ["Garlic cures gout.", "What is gout?"]


async def test_commands(chat: Chat, url: str, api: TelegramServer, tmp_path: Path) -> None:
    async with running(chat, api, tmp_path):
        await api.people.say("/history")
        await said(api, notice("chat_history_none", "en"))
        await agree(api)
        await api.people.say(GOUT)
        assert await api.until(lambda: questions(url), LONG)
        await answer(chat, url)
        await api.people.say("/new")
        await said(api, notice("chat_new", "en"))
        for command in ("help", "privacy"):
            await api.people.say(f"/{command}")
            await said(api, notice(f"chat_{command}", "en"))
        await api.people.say("/history")
        await said(api, f"UTC: {GOUT}")
        await api.people.say("/export")
        await said(api, notice("chat_export", "en"))
        assert await api.until(lambda: len(api.state.files) == 2, LONG)
        await api.people.say("/stop")
        await said(api, notice("chat_stopped", "en"))
        await api.people.say("What helps?")
        assert await api.until(lambda: len([t for t in api.said(11) if "Do you agree?" in t]) == 2, LONG)
        await settled(api, url)
    assert questions(url) == [GOUT]
    files = {file.name: file.content.decode() for file in api.state.files.values()}
    assert files.keys() == {"carecite.json", "carecite.txt"}
    assert all(GOUT in content for content in files.values())
    assert api.state.commands.keys() == {"default", *(f"default {language}" for language in LANGUAGES)}


async def test_a_budget_that_is_spent(chat: Chat, url: str, api: TelegramServer, tmp_path: Path) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        query(url, "INSERT INTO person_days SELECT id, (now() AT TIME ZONE 'UTC')::date, 50 FROM people")
        await api.people.say(GOUT)
        await said(api, notice("chat_budget", "en"))
    assert questions(url) == []


async def test_a_webhook(chat: Chat, url: str, api: TelegramServer, tmp_path: Path) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}/hook/0f3a"
    settings = {"webhook_url": address, "webhook_secret": "a-secret", "webhook_port": port}
    async with running(chat, api, tmp_path, **settings):
        assert await api.until(lambda: api.webhook.url, LONG)
        await agree(api)
        await api.people.push_broken("broken")
        await api.people.say(GOUT)
        assert await api.until(lambda: questions(url), LONG)
        forged = {"update_id": 1, "message": {}}
        assert await api.forge(forged) == 403
        assert await api.forge(forged, secret="wrong") == 403
        await settled(api, url)
    assert questions(url) == [GOUT]
    assert query(url, "SELECT count(*) FROM inbox WHERE kind = 'parked'") == [(1,)]
    assert set(api.webhook.statuses) == {200}


async def test_a_number_alone_may_follow_a_question(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    async with running(chat, api, tmp_path):
        await agree(api)
        await api.people.say("150")
        await said(api, notice("empty_question", "en"))
        await api.people.say(GOUT)
        await said(api, notice("chat_placeholder", "en"))
        await api.people.say("150")
        await settled(api, url)
    assert questions(url) == [GOUT, "150"]


async def test_who_is_not_admitted_is_told_so_and_helped_in_danger(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    """A chat that is admitted admits all who write there; what is kept stays everybody's own to see."""
    refused = notice("chat_not_allowed", "en")
    async with running(chat, api, tmp_path, allow="11, -100"):
        await agree(api)
        await api.people.say(GOUT)
        await said(api, notice("chat_placeholder", "en"))
        for words in (GOUT, f"/ask {GOUT}"):
            await api.people.say(words, user=12)
        assert await api.until(lambda: api.said(12).count(refused) == 2, LONG)
        await api.people.say("/start", user=13)
        await said(api, refused, 13)
        assert not any("Do you agree?" in words for words in api.said(13))
        await api.people.say("I have crushing chest pain right now", user=12)
        await said(api, "Call your local emergency number now", 12)
        await api.people.say("/export", user=12)
        await said(api, notice("chat_history_none", "en"), 12)
        await api.people.add_group(-100)
        await api.people.say(f"/ask {GOUT}", user=12, chat=-100)
        await said(api, "Do you agree?", -100)
        await settled(api, url)
    assert questions(url) == [GOUT]
    assert query(url, "SELECT count(*) FROM people") == [(1,)]


async def test_an_agreement_does_not_admit(chat: Chat, url: str, api: TelegramServer, tmp_path: Path) -> None:
    async with running(chat, api, tmp_path):
        await api.people.say(GOUT)
        prompt = await said(api, "Do you agree?")
    async with running(chat, api, tmp_path, allow="12"):
        await api.people.click(prompt, "consent:yes")
        await said(api, notice("chat_not_allowed", "en"))
        await settled(api, url)
    assert query(url, "SELECT count(*) FROM people") == [(0,)]
