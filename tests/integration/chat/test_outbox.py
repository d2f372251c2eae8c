"""What goes out: in order, at a pace, once, and again where a sender died (chat.md 3, rows 8 and 16)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from storage.history.chat import Chat, Delivery, Pace, Part, Place, Workspace
from tests.integration.chat.conftest import HOME, NO_PACE, PLACEHOLDER, PLENTY, message, run_of
from tests.integration.storage.documents import query

SLOW = Pace(private=100, shared=300)
GROUP = Place("C2", "1.0", shared=True)


async def say(chat: Chat, workspace: Workspace, key: str, names: Sequence[str], place: Place = HOME) -> None:
    parts = [Part(name, {"text": name}) for name in names]
    await chat.inbox.note(message(workspace, key, place=place), parts=parts)


async def fetched(chat: Chat, pace: Pace = NO_PACE, platform: str = "slack") -> Delivery:
    delivery = await chat.outbox.fetch_next(platform, pace)  # type: ignore[arg-type]
    assert delivery is not None
    return delivery


async def drain(chat: Chat, pace: Pace = NO_PACE) -> list[str]:
    """Names of what goes out now, in order."""
    names = []
    while delivery := await chat.outbox.fetch_next("slack", pace):
        names.append(delivery.name)
        assert await chat.outbox.note_sent(delivery, f"m-{delivery.name}")
    return names


def pass_time(url: str, seconds: int) -> None:
    """As if so much time had gone by."""
    gone = f"interval '{seconds} s'"
    query(url, f"UPDATE lanes SET due_at = due_at - {gone}, free_at = free_at - {gone}")
    query(url, f"UPDATE workspaces SET free_at = free_at - {gone}")


async def test_an_edit_knows_the_post_it_changes(chat: Chat, slack: Workspace, url: str) -> None:
    asked = message(slack, "k1", place=GROUP, named="17.5")
    receipt = await chat.inbox.accept(asked, PLENTY, parts=[PLACEHOLDER])
    first = await fetched(chat)
    assert (first.kind, first.message, first.reply_to, first.place) == ("post", None, "17.5", GROUP)
    assert (first.attempt, first.again, first.body) == (1, False, PLACEHOLDER.body)
    assert await chat.outbox.fetch_next("slack", NO_PACE) is None
    assert await chat.outbox.note_sent(first, "18.1")

    claim = await chat.questions.claim(receipt.question or 0)
    assert claim
    for words in ("Searching …", "Reading …"):
        await chat.questions.show(claim, {"text": words}, "placeholder")
    shown = await fetched(chat)
    assert (shown.kind, shown.message, shown.body) == ("edit", "18.1", {"text": "Reading …"})
    await chat.questions.show(claim, {"text": "dropped: one is on its way"}, "placeholder")
    assert await chat.outbox.note_sent(shown)
    await chat.questions.show(claim, {"text": "Weighing …"}, "placeholder")
    assert (await fetched(chat)).body == {"text": "Weighing …"}
    await chat.questions.keep(claim, run_of(claim))
    await chat.questions.finish(claim, "answered", [Part("answer", {"text": "Yes."}, "edit", "placeholder")])
    assert query(url, "SELECT part, state FROM outbox ORDER BY id") == [
        ("placeholder", "sent"),
        ("progress", "sending"),
        ("answer", "pending"),
    ]


async def test_a_post_that_failed_is_not_waited_for(chat: Chat, slack: Workspace, url: str) -> None:
    """Its edit has no post to change, and is posted."""
    await chat.inbox.note(
        message(slack, "k1"), parts=[PLACEHOLDER, Part("answer", {"n": 1}, "edit", "placeholder")]
    )
    await chat.outbox.give_up(await fetched(chat), "channel_not_found")
    assert query(url, "SELECT state, last_error, body FROM outbox WHERE part = 'placeholder'") == [
        ("failed", "channel_not_found", None)
    ]
    answer = await fetched(chat)
    assert (answer.name, answer.message) == ("answer", None)


async def test_order_in_a_lane_and_fairness_between_lanes(chat: Chat, slack: Workspace, url: str) -> None:
    await say(chat, slack, "k1", ["a1", "a2", "a3"])
    await say(chat, slack, "k2", ["b1", "b2"], GROUP)
    await say(chat, slack, "k3", ["a4"], replace(HOME, thread="9"))
    names = await drain(chat)
    assert [name for name in names if name[0] == "a"] == ["a1", "a2", "a3", "a4"]
    assert [name for name in names if name[0] == "b"] == ["b1", "b2"]
    assert names[:2] == ["a1", "b1"]
    assert query(url, "SELECT count(*) FROM outbox WHERE body IS NOT NULL") == [(0,)]
    assert query(url, "SELECT count(*) FROM lanes WHERE due_at IS NOT NULL") == [(0,)]


async def test_pace(chat: Chat, slack: Workspace, url: str) -> None:
    """One at a time in each chat, fewer in a shared one, and what comes later waits as well."""
    await say(chat, slack, "k1", ["a1", "a2"])
    await say(chat, slack, "k2", ["b1", "b2"], GROUP)
    assert await drain(chat, SLOW) == ["a1", "b1"]
    pass_time(url, 101)
    assert await drain(chat, SLOW) == ["a2"]
    await say(chat, slack, "k3", ["a3"])
    assert await drain(chat, SLOW) == []
    assert 90 < (await chat.outbox.seconds_until_due("slack") or 0) <= 100
    pass_time(url, 101)
    assert await drain(chat, SLOW) == ["a3"]
    pass_time(url, 101)
    assert await drain(chat, SLOW) == ["b2"]
    assert await chat.outbox.seconds_until_due("slack") is None


async def test_pace_of_a_workspace(chat: Chat, slack: Workspace, url: str) -> None:
    other = await chat.workspaces.install("slack", "T1")
    await say(chat, slack, "k1", ["a"])
    await say(chat, slack, "k2", ["b"], GROUP)
    await say(chat, other, "k2", ["c"], GROUP)
    assert await drain(chat, Pace(0, 0, overall=100)) == ["a", "c"]
    assert 90 < (await chat.outbox.seconds_until_due("slack") or 0) <= 100
    pass_time(url, 101)
    assert await drain(chat, Pace(0, 0, overall=100)) == ["b"]


async def test_retry_after(chat: Chat, slack: Workspace, url: str) -> None:
    """The lane waits as a whole, in order; with `everywhere` the other lanes too."""
    await say(chat, slack, "k1", ["a1", "a2"])
    await say(chat, slack, "k2", ["b1"], GROUP)
    refused = await fetched(chat)
    await chat.outbox.postpone(refused, 34, "rate_limited")
    assert await drain(chat) == ["b1"]
    assert query(url, "SELECT state, last_error, attempts FROM outbox WHERE part = 'a1'") == [
        ("pending", "rate_limited", 1)
    ]
    pass_time(url, 35)
    await chat.outbox.postpone(await fetched(chat), 34, "rate_limited", everywhere=True)
    await say(chat, slack, "k3", ["b2"], GROUP)
    assert await drain(chat) == []
    assert 30 < (await chat.outbox.seconds_until_due("slack") or 0) <= 34
    pass_time(url, 35)
    assert sorted(await drain(chat)) == ["a1", "a2", "b2"]


async def test_a_sender_that_dies(chat: Chat, slack: Workspace, url: str) -> None:
    """Its lane is nobody's until the lease ends; then the part goes out again, and only one post stays."""
    await say(chat, slack, "k1", ["a1", "a2"])
    dead = await chat.outbox.fetch_next("slack", NO_PACE, timedelta(seconds=50))
    assert dead
    assert await chat.outbox.fetch_next("slack", NO_PACE) is None
    pass_time(url, 51)
    second = await fetched(chat)
    assert (second.name, second.again, second.attempt) == ("a1", True, 2)
    await chat.outbox.give_up(dead, "late")  # it is not his any more
    await chat.outbox.postpone(dead, 0, "late")
    assert await chat.outbox.note_sent(dead, "m1")  # but it was posted
    assert not await chat.outbox.note_sent(second, "m2")  # so this one is to be taken back
    assert await drain(chat) == ["a2"]
    assert query(url, "SELECT part, state, last_error FROM outbox ORDER BY id") == [
        ("a1", "sent", None),
        ("a2", "sent", None),
    ]


async def test_many_senders(chat: Chat, slack: Workspace, url: str) -> None:
    """Each part once and in order within its chat, though senders race."""
    for n in range(12):
        await say(chat, slack, f"k{n}", [f"{n} {part}" for part in range(5)], Place(f"C{n % 6}"))
    sent: list[tuple[str, str]] = []

    async def send() -> None:
        while delivery := await chat.outbox.fetch_next("slack", NO_PACE):
            sent.append((delivery.place.chat, delivery.name))
            assert await chat.outbox.note_sent(delivery, "m")

    while (
        await chat.outbox.seconds_until_due("slack") is not None
    ):  # a sender ends where others have all lanes
        await asyncio.gather(*(send() for _ in range(4)))
    assert len(sent) == len(set(sent)) == 60
    for chat_id in range(6):
        names = [name for place, name in sent if place == f"C{chat_id}"]
        assert names == [f"{n} {part}" for n in (chat_id, chat_id + 6) for part in range(5)]


async def test_nothing_stays_of_somebody_who_has_not_agreed(
    chat: Chat, telegram: Workspace, url: str
) -> None:
    asked = message(telegram, "20", "I have a rash", place=Place("555"), sender="555", named="3")
    await chat.inbox.hold(asked, "none", parts=[Part("consent", {"text": "May I?"}), PLACEHOLDER])
    for name in ("consent", "placeholder"):
        delivery = await fetched(chat, platform="telegram")
        assert (delivery.name, delivery.place, delivery.reply_to) == (name, Place("555"), "3")
        assert await chat.outbox.note_sent(delivery, "4")
    for table in ("outbox", "lanes", "people", "conversations"):
        assert query(url, f"SELECT count(*) FROM {table}") == [(0,)]


async def test_parts_have_names(chat: Chat, slack: Workspace, url: str) -> None:
    """The same name again changes nothing."""
    await chat.inbox.note(message(slack, "k"), parts=[PLACEHOLDER, replace(PLACEHOLDER, body={"text": "2"})])
    assert query(url, "SELECT body FROM outbox") == [(PLACEHOLDER.body,)]


async def test_erased_meanwhile(chat: Chat, slack: Workspace, url: str) -> None:
    """A waiting part is not sent, one on its way is to be taken back, and the lane is free."""
    await say(chat, slack, "k1", ["a1", "a2"])
    on_its_way = await fetched(chat)
    await chat.erasure.of_person(slack.id, "U1", "everything")
    assert not await chat.outbox.note_sent(on_its_way, "m1")
    assert await chat.outbox.fetch_next("slack", NO_PACE) is None
    await say(chat, slack, "k2", ["a3"])
    assert await drain(chat) == ["a3"]


async def test_only_a_part_of_a_lane_is_erased(chat: Chat, slack: Workspace) -> None:
    for key, sender in (("k1", "U1"), ("k2", "U2")):
        parts = [Part(sender, {"text": sender})]
        await chat.inbox.note(replace(message(slack, key, sender=sender), place=GROUP), parts=parts)
    await chat.erasure.of_person(slack.id, "U1", "everything")
    assert await drain(chat) == ["U2"]
