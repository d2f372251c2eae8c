"""python-telegram-bot by long polls: answers, broken updates, and polls that fail in every way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity
from telegram.constants import ChatAction
from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, RetryAfter
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    CommandHandler,
    MessageHandler,
    TypeHandler,
    filters,
)

from tests.emulators.telegram.server import TelegramServer
from tests.integration.emulators.ptb import make_application, polling


@pytest.fixture(autouse=True)
def _durations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, each RetryAfter warns of a change to come."""
    monkeypatch.setenv("PTB_TIMEDELTA", "true")


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(pace=0.0) as server:
        yield server


def answering(telegram: TelegramServer, **more: Any) -> Application[Any, Any, Any, Any, Any, Any]:
    application = make_application(telegram, **more)

    async def answer(update: Any, context: Any) -> None:
        await update.effective_message.reply_text(f"answer to {update.effective_message.text}")

    application.add_handler(MessageHandler(filters.TEXT & ~filters.COMMAND, answer))
    return application


async def test_typing_drafts_an_answer_and_a_click(telegram: TelegramServer) -> None:
    application = make_application(telegram)

    async def answer(update: Any, context: Any) -> None:
        chat, message = update.effective_chat.id, update.effective_message
        await context.bot.send_chat_action(chat, ChatAction.TYPING)
        for part in ("", "Aspirin", "Aspirin 75 mg"):
            await context.bot.send_message_draft(chat, message.message_id, part)
        buttons = [InlineKeyboardButton("👍", callback_data="f:1:good")]
        await message.reply_text(
            "😀 Aspirin 75 mg [1]",
            entities=[MessageEntity("text_link", 17, 3, url="https://example.org/1")],
            reply_markup=InlineKeyboardMarkup([buttons]),
            do_quote=True,
        )

    async def feedback(update: Any, context: Any) -> None:
        await update.callback_query.answer("Thank you")

    application.add_handler(CommandHandler("start", answer))
    application.add_handler(CallbackQueryHandler(feedback))
    async with polling(application):
        await telegram.people.say("/start")
        assert await telegram.until(lambda: telegram.ledger.calls["sendMessage"])
        query = await telegram.people.click(2, "f:1:good")
        assert await telegram.until(lambda: telegram.state.queries[query].answers)
        assert await telegram.settle()
    chat = telegram.state.chats[11]
    assert [action for action, _ in chat.actions] == ["typing"]
    assert [draft.text for draft in chat.drafts] == ["", "Aspirin", "Aspirin 75 mg"]
    assert telegram.state.queries[query].answers == [{"text": "Thank you"}]
    assert telegram.transcript(11).splitlines() == [
        "── chat with person 11 ──",
        "person 11: /start",
        "  ┌ /start",
        "carecite: 😀 Aspirin 75 mg [1] ‹https://example.org/1›",
        "  [ 👍 ]",
    ]


async def test_a_sign_keeps_waits_and_topics_and_no_message_waits_for_it(telegram: TelegramServer) -> None:
    await telegram.people.add_group(-100, topics={"7": "seven"})
    typing = ChatAction.TYPING
    async with make_application(telegram).bot as bot:
        await bot.send_chat_action(-100, typing, message_thread_id=7)
        with pytest.raises(BadRequest, match="thread not found"):
            await bot.send_chat_action(-100, typing, message_thread_id=9)
        await telegram.fail(kind="throttle", method="sendChatAction", value=34)
        with pytest.raises(RetryAfter):
            await bot.send_chat_action(-100, typing, message_thread_id=7)
        await bot.send_message(-100, "Socks are warm.", message_thread_id=7)
        assert telegram.ledger.ignored == []
        await bot.send_chat_action(-100, typing, message_thread_id=7)
        assert len(telegram.ledger.ignored) == 1


async def test_polls_that_are_dropped_or_fail_are_made_again(
    telegram: TelegramServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "telegram")
    async with polling(answering(telegram)):
        await telegram.fail(kind="drop", method="getUpdates", times=2)
        await telegram.fail(kind="status", status=502, method="getUpdates")
        await telegram.people.say("gout")
        assert await telegram.until(lambda: telegram.faults.given == 3, 30)
        assert await telegram.until(lambda: telegram.state.chats[11].find(2), 30)
        await telegram.people.say("asthma")
        assert await telegram.until(lambda: len(telegram.said(11)) == 2, 30)
    assert telegram.said(11) == ["answer to gout", "answer to asthma"]


async def test_a_poll_that_is_never_answered_is_left(telegram: TelegramServer) -> None:
    await telegram.fail(kind="hang", method="getUpdates", times=2)
    async with polling(answering(telegram, read=0.3), wait=1):
        await telegram.people.say("gout")
        assert await telegram.until(lambda: telegram.said(11), 30)
    assert telegram.faults.given == 2


async def test_two_pollers_are_told_of_a_conflict(telegram: TelegramServer) -> None:
    first, second = answering(telegram), answering(telegram)
    async with first, second:
        polls = asyncio.ensure_future(first.bot.get_updates(timeout=5))
        assert await telegram.until(lambda: telegram.updates.polled_at)
        other = asyncio.ensure_future(second.bot.get_updates(timeout=5))
        with pytest.raises(Conflict, match="terminated by other getUpdates request"):
            await polls
        await telegram.people.say("gout")
        (update,) = await other
    assert update.message.text == "gout"
    assert telegram.updates.conflicts == 1


async def test_an_offset_confirms_what_came_before_it(telegram: TelegramServer) -> None:
    application = make_application(telegram)
    for text in ("one", "two", "three"):
        await telegram.people.say(text)
    async with application:
        bot = application.bot
        first = await bot.get_updates(limit=2)
        assert [update.message.text for update in first] == ["one", "two"]
        assert await bot.get_updates(limit=2) == first
        (third,) = await bot.get_updates(offset=first[-1].update_id + 1)
        assert third.message.text == "three"
        assert await bot.get_updates(offset=third.update_id) == (third,)
        assert await bot.get_updates(offset=third.update_id + 1) == ()
        await bot.get_updates(allowed_updates=["message"])
        await telegram.people.edit(3, "thirty")
        assert await bot.get_updates() == ()
    assert [update.handed_out for update in telegram.updates.all] == [2, 2, 2]


async def test_a_broken_update_blocks_every_poll_of_the_library(
    telegram: TelegramServer, caplog: pytest.LogCaptureFixture
) -> None:
    application = answering(telegram)
    await telegram.people.push_broken("sore throat")
    await telegram.people.push_unknown()
    await telegram.people.say("gout")
    async with application:
        for _ in range(2):
            with pytest.raises(KeyError, match="date"):
                await application.bot.get_updates()
        with pytest.warns(Warning, match="do_api_request"):
            raw = await application.bot.do_api_request("getUpdates", {"offset": 0})
    assert [sorted(update.keys() - {"update_id"}) for update in raw] == [
        ["message"],
        ["telepathy"],
        ["message"],
    ]
    assert len(telegram.updates.pending) == 3
    assert "sore throat" in caplog.text  # it writes the whole batch to its log


async def test_every_kind_of_update_arrives(telegram: TelegramServer) -> None:
    application = make_application(telegram)
    kinds: list[str] = []

    async def note(update: Any, context: Any) -> None:
        kinds.append(next(iter(update.to_dict().keys() - {"update_id"})))

    application.add_handler(TypeHandler(object, note))
    async with polling(application):
        people = telegram.people
        first = await people.say("gout")
        await people.edit(first, "gout, 150")
        await people.delete(first)
        await people.forward("somebody said")
        await people.send_voice()
        await people.send_file("report.pdf", caption="what is this?")
        await people.add_group(-100, topics={"5": "Dosing"})
        await people.say("post", chat=-100, topic=5)
        await people.say("/ask gout", chat=-100, topic=5)
        await people.add_group(-200, kind="channel")
        await people.say("post", chat=-200)
        await people.block()
        assert await telegram.settle()
        assert await telegram.until(lambda: len(kinds) == 10)
    assert kinds == [
        *("message", "edited_message", "message", "message", "message", "my_chat_member", "message"),
        *("my_chat_member", "channel_post", "my_chat_member"),
    ]


async def test_privacy_mode_hides_what_is_not_for_the_bot(telegram: TelegramServer) -> None:
    application = make_application(telegram)
    async with application:
        bot, people = application.bot, telegram.people
        assert (await bot.get_me()).can_read_all_group_messages is False
        await people.add_group(-100)
        mine = (await bot.send_message(-100, "Hello")).message_id
        for text in (
            "gout?",
            "@Carecite_Bot gout?",
            "/ask@other_bot gout",
            "/ask@Carecite_Bot gout",
            "/ask x",
        ):
            await people.say(text, chat=-100)
        await people.say("why?", chat=-100, reply_to=mine)
        heard = [one.message.text for one in await bot.get_updates() if one.message]
        assert heard == ["/ask@Carecite_Bot gout", "/ask x", "why?"]
        await telegram.privacy(False)
        await people.say("@Carecite_Bot gout?", chat=-100)
        last = (await bot.get_updates())[-1].message
        assert last.parse_entities(["mention"]) == {last.entities[0]: "@Carecite_Bot"}


async def test_refusals_are_the_library_s_errors(telegram: TelegramServer) -> None:
    application = make_application(telegram)
    async with application:
        bot, people = application.bot, telegram.people
        await people.say("gout")
        sent = await bot.send_message(11, "answer")
        for call, words in (
            (lambda: bot.send_message(11, "a" * 4_097), "message is too long"),
            (lambda: bot.send_message(11, "2.5 mg", parse_mode="MarkdownV2"), "can't parse entities"),
            (lambda: bot.send_message(11, "dose <5 mg", parse_mode="HTML"), "can't parse entities"),
            (lambda: bot.send_message(11, "x", reply_to_message_id=99), "message to be replied not found"),
            (lambda: bot.send_message(12, "x"), "chat not found"),
            (lambda: bot.edit_message_text("answer", 11, sent.message_id), "message is not modified"),
            (lambda: bot.edit_message_text("x", 11, 99), "message to edit not found"),
            (lambda: bot.edit_message_text("x", 11, 1), "message can't be edited"),
            (lambda: bot.delete_message(11, 99), "message to delete not found"),
            (lambda: bot.send_message_draft(11, 0, "x"), "DRAFT_ID_INVALID"),
            (lambda: bot.answer_callback_query("7"), "query is too old"),
            (lambda: bot.send_message(11, "x", reply_markup=keyboard("é" * 33)), "BUTTON_DATA_INVALID"),
        ):
            with pytest.raises(BadRequest, match=f"(?i){words}"):
                await call()
        await people.block()
        with pytest.raises(Forbidden, match=r"(?i)bot was blocked by the user"):
            await bot.send_message(11, "x")
        await people.add_group(-5, kind="group")
        await people.migrate(-5, -1005)
        with pytest.raises(ChatMigrated) as migrated:
            await bot.send_message(-5, "x")
        assert migrated.value.new_chat_id == -1005
        await bot.send_message(-1005, "x")


def keyboard(data: str) -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": "Yes", "callback_data": data}]]}


async def test_a_message_a_second_and_chat_with_edits_counted() -> None:
    async with TelegramServer(pace=1.0) as telegram, make_application(telegram) as application:
        bot = application.bot
        await telegram.people.say("gout")
        await telegram.people.say("gout", user=12)
        sent = await bot.send_message(11, "searching")
        await bot.send_message(12, "searching")
        with pytest.raises(RetryAfter) as refused:
            await bot.edit_message_text("reading", 11, sent.message_id)
        assert refused.value.retry_after == timedelta(seconds=1)
        with pytest.raises(RetryAfter):
            await bot.send_message(11, "ignores the wait")
        await asyncio.sleep(1.05)
        await bot.edit_message_text("answer", 11, sent.message_id)
        assert [throttle.obeyed for throttle in telegram.ledger.throttles] == [False, True]


async def test_a_click_on_a_message_that_is_gone(telegram: TelegramServer) -> None:
    async with make_application(telegram) as application:
        await telegram.people.say("gout")
        sent = await application.bot.send_message(11, "answer", reply_markup=keyboard("f:1"))
        await telegram.people.delete(sent.message_id)
        query = await telegram.people.click(sent.message_id, "f:1", inaccessible=True)
        with pytest.raises(LookupError):
            await telegram.people.click(sent.message_id, "f:1")
        update = (await application.bot.get_updates())[-1]
        assert update.callback_query.message.date.timestamp() == 0  # the library takes it for a whole message
        await update.callback_query.answer("Too old")
        await telegram.people.expire_queries()
        with pytest.raises(BadRequest, match="Query is too old"):
            await update.callback_query.answer()
    assert query == update.callback_query.id


async def test_files_come_and_go(telegram: TelegramServer) -> None:
    application = make_application(telegram)
    async with application:
        bot = application.bot
        await telegram.people.send_file("report.txt", content="potassium 5.1")
        await telegram.people.send_file("scan.pdf", size=21 * 2**20)
        small, large = [one.message.document for one in await bot.get_updates()]
        assert await (await bot.get_file(small.file_id)).download_as_bytearray() == b"potassium 5.1"
        with pytest.raises(BadRequest, match="File is too big"):
            await bot.get_file(large.file_id)
        await bot.send_document(11, b"{}", filename="export.json", caption="Your data")
        await bot.set_my_commands([("ask", "Ask")], language_code="de")
        await bot.do_api_request("sendRichMessage", {"chat_id": 11, "rich_message": {"markdown": "# Gout"}})
    assert telegram.transcript(11).splitlines()[-3:] == [
        "carecite: Your data",
        "  [file export.json]",
        "carecite: # Gout",
    ]
    assert telegram.state.commands["default de"][0]["command"] == "ask"


async def test_a_reply_that_is_lost_was_performed(telegram: TelegramServer) -> None:
    application = make_application(telegram)
    async with application:
        await telegram.people.say("gout")
        await telegram.fail(kind="lose", method="sendMessage")
        with pytest.raises(Exception, match=r"httpx\.(RemoteProtocolError|ReadError)"):
            await application.bot.send_message(11, "answer")
    assert telegram.said(11) == ["answer"]


async def test_a_poll_that_is_cut_is_no_second_poller(telegram: TelegramServer) -> None:
    async with polling(answering(telegram), wait=5):
        assert await telegram.until(lambda: telegram.updates.polled_at)
        assert await telegram.cut_polls() == 1
        await telegram.people.say("gout")
        assert await telegram.until(lambda: telegram.said(11), 30)
    assert telegram.updates.conflicts == 0
    assert not telegram.state.chats[11].messages[-1].links
