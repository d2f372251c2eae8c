"""A person is told that an answer was wrong: in the chat it came from, on both platforms, once."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.correcting import tell_person
from storage.errors import NotThere
from storage.history.chat import Chat, Workspace
from storage.history.review import OPERATOR, Actor, Judgement, Prospect, ReviewRoom
from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.tiers import Windows
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat import slack_surface, surface
from tests.integration.chat.answerer import LONG, settled
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.review.wrong import RUN, answer_wrong, posts_behind
from tests.integration.storage.documents import query

RIGHT = "Socks keep feet *warm*; see /help.\n\n<!channel> They cure nothing."
UNSUPPORTED = Judgement("unsupported", "major", RIGHT)
UNSAFE = Judgement("unsafe", "critical")


class Pair(NamedTuple):
    """Two reviewers of everything."""

    first: Actor
    second: Actor


@pytest.fixture
async def pair(room: ReviewRoom) -> Pair:
    made = []
    for name in Pair._fields:
        account = await room.accounts.add_oidc(OPERATOR, name, "https://idp.example", name)
        await room.accounts.grant(OPERATOR, account, "reviewer", None)
        made.append(Actor(f"account:{account}", "reviewer", None, account, "request-1"))
    return Pair(*made)


async def test_telegram(chat: Chat, url: str, room: ReviewRoom, pair: Pair, tmp_path: Path) -> None:
    async with TelegramServer(pace=0.0) as api, surface.running(chat, api, tmp_path):
        await api.people.add_group(-100, topics={"7": "gout"})
        await surface.agree(api)
        asked = await api.people.say("/ask Do socks cure gout?", chat=-100, topic=7)
        await api.until(lambda: query(url, "SELECT 1 FROM inbox WHERE state = 'received'"), LONG)
        await settled(api, url)
        await answer_wrong(chat, url)
        await settled(api, url)
        mine = posts_behind(api, asked)
        assert len(mine) == 2
        assert mine[-1].markup

        await room.reviews.submit(pair.first, RUN, UNSUPPORTED)
        told = await asyncio.gather(*(tell_person(room, pair.first, RUN) for _ in range(3)))
        assert all(one.told and one.told.state in ("pending", "sending", "sent") for one in told)
        await settled(api, url)
        [*wrong, correction] = posts_behind(api, asked)
        assert [one.id for one in wrong] == [one.id for one in mine], "edited, and told once"
        for one in wrong:
            assert one.text.startswith("Withdrawn on 20")
            assert "strikethrough" in {entity["type"] for entity in one.entities}
            assert not one.markup
            assert not one.links
        assert sum(one.text.count("Socks cure gout.") for one in wrong) > 390
        assert correction.text.startswith("This corrects my answer of 20")
        assert RIGHT.split("\n\n")[1] in correction.text
        assert (correction.reply_to, correction.topic) == (asked, 7)
        assert "*warm*" in correction.text

        ((conversation,),) = query(url, "SELECT conversation_id FROM inbox WHERE run_id IS NOT NULL")
        [turn] = await chat.conversations.turns(conversation, 10**9)
        assert turn.answer is None, "no follow-up builds on it"
        await api.people.say("/export")
        await settled(api, url)
        files = {file.name: file.content.decode() for file in api.state.files.values()}
        [exported] = json.loads(files["carecite.json"])["questions"]
        assert exported["corrected"] == RIGHT
        assert "Withdrawn on 20" in files["carecite.txt"]
        assert files["carecite.txt"].index("Withdrawn") < files["carecite.txt"].index("Socks cure gout.")
        assert RIGHT in files["carecite.txt"]
    assert (await room.telling.look(pair.second, RUN)).told
    audited = query(url, "SELECT action FROM audit WHERE action = 'tell the person' AND NOT refused")
    assert audited == [("tell the person",)]


async def test_slack(chat: Chat, url: str, room: ReviewRoom, pair: Pair, tmp_path: Path) -> None:
    windows = Windows(post=0.0, tier=0.0)
    async with SlackServer(windows=windows) as api, slack_surface.running(chat, api, tmp_path):
        asked = await api.people.say("C1", f"<@{api.workspace.bot_user}> Do socks cure gout?", raw=True)
        await api.until(lambda: query(url, "SELECT 1 FROM inbox WHERE state = 'received'"), LONG)
        await settled(api, url)
        await answer_wrong(chat, url)
        await settled(api, url)
        before = slack_surface.posts(api)

        await room.reviews.submit(pair.first, RUN, UNSAFE)
        assert await tell_person(room, pair.first, RUN) == Prospect("verdict"), "not by one alone"
        await room.reviews.submit(pair.second, RUN, UNSAFE)
        assert (await tell_person(room, pair.second, RUN)).told
        await settled(api, url)
        [*wrong, correction] = slack_surface.posts(api)
        assert [one.ts for one in wrong] == [one.ts for one in before]
        for one in wrong:
            assert one.text.startswith("Withdrawn on 20")
            assert "'strike': True" in str(one.blocks)
            assert "Socks cure gout." in one.text
            assert "feedback_buttons" not in str(one.blocks)
        assert correction.thread_ts == asked
        assert "is withdrawn, since it may do harm" in correction.text
        assert "ask a doctor or pharmacist now" in correction.text


async def test_what_is_gone_is_not_posted_anew(
    chat: Chat, url: str, room: ReviewRoom, pair: Pair, tmp_path: Path
) -> None:
    """Somebody deleted a message of the answer: its place stays empty, and the correction comes."""
    async with TelegramServer(pace=0.0) as api, surface.running(chat, api, tmp_path):
        await surface.agree(api)
        await api.people.say("Do socks cure gout?")
        await api.until(lambda: query(url, "SELECT 1 FROM inbox WHERE state = 'received'"), LONG)
        await settled(api, url)
        await answer_wrong(chat, url)
        await settled(api, url)
        shown = [one for one in api.state.chats[11].messages if "cure gout." in one.text]
        await api.people.delete(shown[1].id)
        before = len(api.state.chats[11].messages)
        await room.reviews.submit(pair.first, RUN, UNSUPPORTED)
        await tell_person(room, pair.first, RUN)
        await surface.said(api, "This corrects my answer")
        await settled(api, url)
        assert len(api.state.chats[11].messages) == before + 1
    ends = query(url, "SELECT part, state FROM outbox WHERE part LIKE 'withdrawn %' ORDER BY id")
    assert [state for _, state in ends] == ["sent", "failed", *["sent"] * (len(ends) - 2)]


async def test_who_may_not_be_told(
    chat: Chat, url: str, room: ReviewRoom, staff: Staff, slack: Workspace
) -> None:
    ann = as_(staff.ann, "review")
    for run_id, sender in (("r1", "U1"), ("r2", "U2"), ("r3", "U3")):
        await answer(chat, slack, run_id, sender=sender)
        assert await tell_person(room, ann, run_id) == Prospect("verdict")
        await room.reviews.submit(ann, run_id, UNSUPPORTED)
    await chat.people.note_consent(slack.id, "U1", "withdrawn")
    assert await tell_person(room, ann, "r1") == Prospect("consent")
    await chat.erasure.of_person(slack.id, "U2", "everything")
    with pytest.raises(NotThere):
        await tell_person(room, ann, "r2")
    with pytest.raises(NotThere):
        await tell_person(room, as_(staff.other, "review"), "r3")
    assert query(url, "SELECT count(*) FROM outbox WHERE part LIKE 'correction %'") == [(0,)]

    assert (await tell_person(room, ann, "r3")).told, "with a kept answer that cannot be read any more"
    await chat.people.note_consent(slack.id, "U3", "withdrawn")
    assert await room.telling.look(ann, "r3") == Prospect("consent"), "what waited was taken out"
    assert query(url, "SELECT count(*) FROM outbox WHERE part LIKE 'correction %'") == [(0,)]
    query(url, "UPDATE workspaces SET removed_at = now() WHERE id = %s", slack.id)
    assert await room.telling.look(ann, "r3") == Prospect("uninstalled")


async def test_a_disputed_verdict_is_not_told(
    chat: Chat, room: ReviewRoom, staff: Staff, slack: Workspace
) -> None:
    await answer(chat, slack, "r1")
    await room.reviews.submit(as_(staff.ann, "review"), "r1", UNSUPPORTED)
    assert (await room.telling.look(as_(staff.ann, "review"), "r1")).hindrance is None
    await room.reviews.submit(as_(staff.ben, "review"), "r1", Judgement("correct"))
    assert await tell_person(room, as_(staff.ann, "review"), "r1") == Prospect("verdict")
    await room.reviews.submit(as_(staff.lead, "review"), "r1", Judgement("unsupported"))
    assert (await tell_person(room, as_(staff.lead, "review"), "r1")).told
