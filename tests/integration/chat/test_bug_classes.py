"""The sixteen classes of bugs that chat assistants are known for (their numbers as in the design), and the test
that shows each.

 1  the same event again                      chat/test_telegram_intake.py::test_duplicates_and_updates_that_nobody_can_read
                                              chat/test_inbox.py::test_delivered_again
                                              chat/test_slack_intake.py::test_a_mention_is_one_question_answered_in_its_thread
 2  one post as two events                    chat/test_inbox.py::test_the_same_key_at_once
                                              chat/test_slack_files.py::test_a_file_that_comes_as_two_events_is_spoken_of_once
 3  gone at a restart                         acceptance/test_chaos.py::test_forty_questions_while_processes_are_killed
                                              acceptance/test_serve_telegram.py::test_told_to_end_amid_a_question_nothing_is_lost
                                              chat/test_slack_killed.py::test_nothing_is_lost_doubled_or_out_of_order
                                              chat/test_bug_classes.py::test_what_was_said_while_it_was_down_is_read
 4  two environments, one token               chat/test_bug_classes.py::test_a_second_poller_refuses_to_share_the_token
                                              chat/test_lease.py::test_a_second_receiver_is_refused
 5  an answer over the limits                 unit/rendering/test_telegram.py::test_long_prose_is_cut_between_sentences
                                              unit/rendering/test_slack.py::test_sizes_at_which_slack_refuses
                                              unit/rendering/test_slack.py::test_an_entry_of_the_source_list_is_never_cut
 6  entities that cannot be parsed            unit/rendering/test_telegram.py::test_markdown_is_text
                                              chat/test_telegram_sending.py::test_an_edit_that_is_refused
 7  counted in the wrong units                unit/rendering/test_telegram.py::test_counted_in_utf_16_and_never_cut_inside_a_grapheme
 8  waits ignored, tails lost                 chat/test_telegram_sending.py::test_a_wait_that_is_asked_for_is_kept
                                              chat/test_bug_classes.py::test_a_preview_that_has_to_wait_gives_way_to_the_answer
                                              chat/test_slack_progress.py::test_the_fifth_edit_has_to_wait_34_seconds
                                              chat/test_slack_progress.py::test_a_long_answer_comes_whole_and_once
                                              chat/test_signs.py::test_a_wait_that_telegram_asks_for
 9  a stream that the platform closed         emulators/test_slack_methods.py::test_a_stream_that_expires_keeps_its_text_and_can_be_updated
                                              chat/test_slack_progress.py::test_a_long_answer_comes_whole_and_once
10  thinking for ever                         chat/test_answering.py::test_what_fails_again_and_again_ends_in_an_apology
                                              chat/test_answering.py::test_a_question_that_kills_workers_is_not_tried_for_ever
                                              chat/test_working.py::test_a_worker_killed_amid_a_question
                                              chat/test_slack_signs.py::test_what_raises_is_cleared_once_it_has_its_end
                                              chat/test_slack_signs.py::test_two_threads_of_a_channel_have_a_sign_each
                                              chat/test_slack_signs.py::test_killed_while_it_thinks
                                              chat/test_signs.py::test_of_a_worker_that_died_it_does_not_last_for_ever
11  an update without a message               chat/test_telegram_intake.py::test_edits
                                              chat/test_telegram_intake.py::test_a_prompt_that_telegram_no_longer_shows
                                              chat/test_bug_classes.py::test_updates_of_every_kind_are_passed_on_purpose
                                              chat/test_slack_intake.py::test_edits
12  deaf in groups                            chat/test_telegram_intake.py::test_groups
                                              chat/test_slack_intake.py::test_a_follow_up_needs_no_mention_and_nobody_else_is_answered
13  deaf, and said to be healthy              chat/test_health.py::test_a_deaf_poller_begins_anew
14  stuck on one update, words in logs        chat/test_telegram_intake.py::test_duplicates_and_updates_that_nobody_can_read
                                              unit/test_logs.py::test_the_canary_is_in_no_log
                                              chat/test_slack_intake.py::test_requests_that_nobody_can_read_hold_up_nobody
15  bots that answer bots                     chat/test_telegram_intake.py::test_groups
16  one slow person, or out of order          chat/test_working.py::test_order_in_a_conversation_and_none_between
                                              chat/test_slack_intake.py::test_messages_of_one_chat_are_taken_in_their_order
"""  # noqa: E501

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import bot.telegram.polling
from bot.telegram import open_telegram
from bot.telegram.errors import TokenShared
from bot.watching import keep_receiving
from config import Settings
from reasoning.notices import notice
from storage.database import create_engine
from storage.history.chat import Chat, Part, Workspace, open_chat
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat.answerer import LONG, questions, settled
from tests.integration.chat.conftest import NO_PACE, PLENTY, message, run_of
from tests.integration.chat.surface import agree, running, said
from tests.integration.conftest import NewDatabase
from tests.integration.storage.documents import query

TESTS = Path(__file__).resolve().parents[2]


@pytest.fixture
async def api() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(pace=0) as api:
        yield api


def test_what_the_table_names_exists() -> None:
    assert __doc__
    named = re.findall(r"(\S+\.py)::(test_\w+)", __doc__)
    for file, test in named:
        found = next(path for path in (TESTS / file, TESTS / "integration" / file) if path.exists())
        assert f"def {test}(" in found.read_text(), (file, test)
    numbers = [int(number) for number in re.findall(r"^ ?(\d+)  ", __doc__, re.MULTILINE)]
    assert numbers == list(range(1, 17))


async def test_what_was_said_while_it_was_down_is_read(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    """Class 3: nothing that waits at Telegram is dropped at a start."""
    async with running(chat, api, tmp_path):
        await agree(api)
        await settled(api, url)
    await api.people.say("How is gout treated?")
    async with running(chat, api, tmp_path):
        await said(api, notice("chat_placeholder", "en"))
    assert questions(url) == ["How is gout treated?"]


async def test_a_second_poller_refuses_to_share_the_token(
    chat: Chat,
    new_database: NewDatabase,
    api: TelegramServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Class 4: the one that has begun last ends with a clear error, the older one goes on. Each has a history
    of its own; on one history the second could not even begin (test_lease)."""
    engine = create_engine(new_database("history"))
    monkeypatch.setattr(bot.telegram.polling, "_AFTER_CONFLICT", 0.1)
    settings = Settings(home=tmp_path, telegram={"token": api.token, "base_url": api.base_url})
    stop = asyncio.Event()
    other = await open_chat(engine, settings)
    async with open_telegram(settings, chat) as older, open_telegram(settings, other) as newer:
        monkeypatch.setattr(older.receiver, "_new_until", 0.0)
        first = asyncio.create_task(keep_receiving("telegram", older.receiver, stop))
        assert await api.until(lambda: api.updates.polled_at, LONG)
        with pytest.raises(TokenShared, match="same token") as caught:
            await asyncio.wait_for(keep_receiving("telegram", newer.receiver, stop), LONG)
        assert "a bot of its own" in caught.value.remedy
        await asyncio.sleep(0.3)
        assert not first.done()
        await api.people.say("/help")
        assert await api.settle(LONG)
        stop.set()
        await first
    await engine.dispose()


async def test_a_preview_that_has_to_wait_gives_way_to_the_answer(
    chat: Chat, telegram: Workspace, url: str
) -> None:
    """Class 8: the fifth edit is refused for 34 seconds. Nothing goes out before they are over; then the
    answer does, and no preview."""
    placeholder = Part("placeholder", {"text": "One moment …"})
    receipt = await chat.inbox.accept(message(telegram, "1"), PLENTY, parts=[placeholder])
    assert receipt.question
    post = await chat.outbox.fetch_next("telegram", NO_PACE)
    assert post
    await chat.outbox.note_sent(post, "m1")
    claim = await chat.questions.claim(receipt.question)
    assert claim
    for n in range(5):
        await chat.questions.show(claim, {"text": f"reading {n} …"}, "placeholder")
        preview = await chat.outbox.fetch_next("telegram", NO_PACE)
        assert preview
        assert preview.message == "m1"
        if n < 4:
            await chat.outbox.note_sent(preview)
    await chat.outbox.postpone(preview, 34.0, "flood")
    await chat.questions.keep(claim, run_of(claim))
    await chat.questions.finish(
        claim, "answered", [Part("answer 1", {"text": "Yes."}, "edit", "placeholder")]
    )
    assert await chat.outbox.fetch_next("telegram", NO_PACE) is None
    wait = await chat.outbox.seconds_until_due("telegram")
    assert wait is not None
    assert 30 < wait <= 34
    query(url, "UPDATE lanes SET free_at = now(), due_at = now()")
    last = await chat.outbox.fetch_next("telegram", NO_PACE)
    assert last
    assert (last.name, last.message) == ("answer 1", "m1")
    await chat.outbox.note_sent(last)
    assert await chat.outbox.fetch_next("telegram", NO_PACE) is None


async def test_updates_of_every_kind_are_passed_on_purpose(
    chat: Chat, url: str, api: TelegramServer, tmp_path: Path
) -> None:
    """Class 11: posts of channels and memberships have no message of a person, and park nothing."""
    channel = {"id": -100900, "type": "channel", "title": "News"}
    post = {"message_id": 5, "date": 1, "chat": channel, "text": "What is gout?"}
    person = {"id": 11, "is_bot": False, "first_name": "Person"}
    member = {"user": person, "status": "member"}
    changed = {
        "chat": channel,
        "from": person,
        "date": 1,
        "old_chat_member": member,
        "new_chat_member": member,
    }
    async with running(chat, api, tmp_path):
        await agree(api)
        for kind, content in (
            ("channel_post", post),
            ("edited_channel_post", post | {"edit_date": 2}),
            ("my_chat_member", changed),
        ):
            api.updates.push({kind: content})
        await api.people.say("How is gout treated?")
        await said(api, notice("chat_placeholder", "en"))
        await settled(api, url)
    assert questions(url) == ["How is gout treated?"]
    assert query(url, "SELECT count(*) FROM inbox WHERE kind = 'parked'") == [(0,)]
