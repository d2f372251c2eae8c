"""Finding, opening and judging answers, each within reach of who does it."""

from __future__ import annotations

from typing import Any

import pytest

from storage.errors import NotThere, ReasonMissing, ReviewRefused
from storage.history import CitedStanding
from storage.history.chat import Chat, Place, Workspace
from storage.history.review import MARKS, OPERATOR, Filters, Judgement, ReviewRoom
from tests.integration.chat.conftest import message
from tests.integration.review.conftest import Staff, answer, as_


async def found(room: ReviewRoom, actor: Any, **filters: Any) -> list[str]:
    return [case.run_id for case in (await room.listing.find(actor, Filters(**filters))).cases]


@pytest.fixture
async def talk(chat: Chat, slack: Workspace, telegram: Workspace) -> None:
    """Four answers on Slack, the last in another place and by another person; one on Telegram."""
    await answer(chat, slack, "plain")
    await answer(chat, slack, "flag", triage="urgent")
    await answer(chat, slack, "french", language="fr", abstained=True, ran="cometa")
    await answer(
        chat,
        slack,
        "beside",
        sender="U2",
        place=Place("C9", "1.0", True),
        answer={"degraded": [{"code": "x"}]},
    )
    await answer(chat, telegram, "there", sender="77", place=Place("77"))


@pytest.mark.usefixtures("talk")
async def test_filters(room: ReviewRoom, staff: Staff, chat: Chat, slack: Workspace) -> None:
    actor = as_(staff.ann)
    assert await found(room, actor) == ["beside", "french", "flag", "plain"]
    assert await found(room, as_(staff.other)) == ["there"]
    assert len(await found(room, as_(staff.chief))) == 5
    assert await found(room, actor, platform="telegram") == []
    assert await found(room, actor, workspace=slack.id, language="fr") == ["french"]
    assert await found(room, actor, method="cometa", abstained=True) == ["french"]
    assert await found(room, actor, degraded=True) == ["beside"]
    assert await found(room, actor, degraded=False, flagged=False, abstained=False) == ["plain"]
    assert await found(room, actor, triage="urgent") == await found(room, actor, flagged=True) == ["flag"]
    assert await found(room, actor, waiting=True) == ["flag"]
    assert await chat.feedback.give(message(slack, "k"), "plain", helpful=False, reason="unclear")
    assert await found(room, actor, feedback="unhelpful") == ["plain"]
    assert await found(room, actor, queued=True) == ["flag", "plain"]
    assert await chat.feedback.give(message(slack, "k"), "plain", helpful=True)
    assert await found(room, actor, feedback="helpful") == ["plain"]


@pytest.mark.usefixtures("talk")
async def test_pages(room: ReviewRoom, staff: Staff) -> None:
    for oldest_first in (False, True):
        runs, after = [], None
        for _ in range(3):
            page = await room.listing.find(
                as_(staff.chief), Filters(), after=after, limit=2, oldest_first=oldest_first
            )
            runs += [case.run_id for case in page.cases]
            after = page.after
        assert after is None
        assert runs == sorted(
            runs, key=["plain", "flag", "french", "beside", "there"].index, reverse=not oldest_first
        )
    assert len((await room.listing.find(as_(staff.chief), Filters(), after="nonsense")).cases) == 5


async def test_words(room: ReviewRoom, staff: Staff, chat: Chat, slack: Workspace, url: str) -> None:
    await answer(chat, slack, "r1", masked="Chest pain after stairs, [name]")
    await answer(chat, slack, "r2", masked="腹痛怎么办？ 布洛芬")
    actor = as_(staff.ann)
    for words in ("chest", '"chest pain"', "pain -aspirin", "aspirin or stairs"):
        assert await found(room, actor, words=words) == ["r1"]
    assert await found(room, actor, words="腹痛") == await found(room, actor, words="布洛芬") == ["r2"]
    assert await found(room, actor, words="痛腹") == await found(room, actor, words='"pain chest"') == []
    assert await found(room, as_(staff.other), words="chest") == []
    [case] = (await room.listing.find(actor, Filters(words="pain"))).cases
    assert f"Chest {MARKS[0]}pain{MARKS[1]} after" in (case.excerpt or "")
    entries = await room.audit.read(as_(staff.auditor, "audit"), action="search")
    assert len({entry.subject for entry in entries if entry.actor == actor.name}) == 9
    assert not [entry for entry in entries if "chest" in str(entry.subject).lower()]


@pytest.mark.usefixtures("talk")
async def test_a_conversation_whole(room: ReviewRoom, staff: Staff, chat: Chat, slack: Workspace) -> None:
    await chat.feedback.give(message(slack, "k"), "plain", helpful=False, reason="unclear")
    await chat.inbox.edit(message(slack, "plain", "Do wet socks?"))
    dossier = await room.reading.read(as_(staff.ann), "flag")
    assert [exchange.run_id for exchange in dossier.exchanges] == ["plain", "flag", "french"]
    assert dossier.opened.text == "Do socks keep feet warm?"
    assert dossier.trace == [{"stage": "retrieve", "query": "warm"}]
    first = dossier.exchanges[0]
    assert (first.edited, first.state, first.thoughts[0].reason) == ("Do wet socks?", "answered", "unclear")
    assert first.citations[0].quote == "Socks are warm."
    assert len(first.person) == 8
    assert first.person == first.thoughts[0].person
    [case] = (await room.listing.find(as_(staff.ann), Filters(triage="urgent"))).cases
    assert case.person == first.person
    other = await room.reading.read(as_(staff.ann), "beside")
    assert other.opened.person != first.person


@pytest.mark.usefixtures("talk")
async def test_out_of_reach_is_not_there(room: ReviewRoom, staff: Staff) -> None:
    for actor, run_id in (
        (as_(staff.ann), "there"),
        (as_(staff.other), "plain"),
        (as_(staff.chief), "nowhere"),
    ):
        with pytest.raises(NotThere):
            await room.reading.read(actor, run_id)
        with pytest.raises(NotThere):
            await room.reading.reveal(actor, run_id, "a reason")
        with pytest.raises(NotThere):
            await room.reviews.submit(actor, run_id, Judgement("correct"))
        with pytest.raises(NotThere):
            await room.reviews.assign(actor, run_id, None)


@pytest.mark.usefixtures("talk")
async def test_revealing_needs_a_reason(room: ReviewRoom, staff: Staff) -> None:
    lead = as_(staff.lead, "reveal")
    with pytest.raises(ReasonMissing):
        await room.reading.reveal(lead, "plain", "  ")
    assert await room.reading.reveal(lead, "plain", "call back, wrong dose") == "U1"
    [entry] = await room.audit.read(as_(staff.auditor, "audit"), action="reveal")
    assert (entry.subject, entry.reason) == ("plain", "call back, wrong dose")


@pytest.mark.usefixtures("talk")
async def test_one_verdict_is_enough_unless_unsafe(room: ReviewRoom, staff: Staff) -> None:
    ann, ben, lead = (as_(account, "review") for account in (staff.ann, staff.ben, staff.lead))
    assert await room.reviews.submit(ann, "plain", Judgement("correct")) == "submitted"
    assert await found(room, ann, second=True) == []
    assert (
        await room.reviews.submit(ann, "flag", Judgement("unsafe", "major", "Call.", "dose")) == "submitted"
    )
    assert await found(room, ann, second=True) == ["flag"]
    assert await room.reviews.submit(ann, "flag", Judgement("unsafe", "major", "Call.")) == "submitted"
    assert await room.reviews.submit(ben, "flag", Judgement("unsafe", "critical")) == "confirmed"
    assert await found(room, ann, second=True) == []
    await room.reviews.submit(ann, "french", Judgement("unsafe", "minor"))
    assert await room.reviews.submit(ben, "french", Judgement("correct")) == "disputed"
    assert await found(room, ann, verdict="unsafe") == ["french", "flag"]
    assert await room.reviews.submit(lead, "french", Judgement("incomplete", "minor", "More.")) == "confirmed"
    assert await found(room, ann, verdict="incomplete") == ["french"]
    corrections = await room.reviews.corrections(as_(staff.lead, "export"))
    assert [(c.run_id, c.corrected) for c in corrections] == [("flag", "Call."), ("french", "More.")]


@pytest.mark.usefixtures("talk")
async def test_drafts_are_ones_own(room: ReviewRoom, staff: Staff) -> None:
    ann = as_(staff.ann, "review")
    await room.reviews.keep_draft(ann, "plain", Judgement(None, None, "Wool", None))
    assert (await room.reading.read(as_(staff.ben), "plain")).reviews == ()
    [draft] = (await room.reading.read(as_(staff.ann), "plain")).reviews
    assert (draft.draft, draft.corrected, draft.verdict) == (True, "Wool", None)
    await room.reviews.submit(ann, "plain", Judgement("correct"))
    await room.reviews.keep_draft(ann, "plain", Judgement(None, None, "late", None))
    [kept] = (await room.reading.read(as_(staff.ben), "plain")).reviews
    assert (kept.draft, kept.verdict, kept.corrected) == (False, "correct", None)


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize(
    "judgement",
    [
        Judgement(None),
        Judgement("fine"),
        Judgement("correct", "huge"),
        Judgement("correct", None, "x" * 20_001),
    ],
)
async def test_what_is_no_review(room: ReviewRoom, staff: Staff, judgement: Judgement) -> None:
    with pytest.raises(ReviewRefused):
        await room.reviews.submit(as_(staff.ann, "review"), "plain", judgement)
    with pytest.raises(ReviewRefused):
        await room.reviews.submit(OPERATOR, "plain", Judgement("correct"))


@pytest.mark.usefixtures("talk")
async def test_cases_are_given_to_those_who_may_review_them(room: ReviewRoom, staff: Staff) -> None:
    lead = as_(staff.lead, "assign")
    for account in (staff.other, staff.auditor):
        with pytest.raises(ReviewRefused):
            await room.reviews.assign(lead, "flag", account.id)
    await room.reviews.assign(lead, "flag", staff.ben.id)
    [case] = (await room.listing.find(lead, Filters(assigned_to=staff.ben.id))).cases
    assert (case.state, case.assigned_name) == ("assigned", "ben")
    await room.reviews.assign(lead, "flag", None)
    assert await found(room, lead, assigned=True) == []
    assert await found(room, lead, state="open") == ["flag"]


async def test_retracted_evidence_brings_an_answer_back(
    room: ReviewRoom, staff: Staff, chat: Chat, slack: Workspace, engine: Any
) -> None:
    from datetime import UTC, datetime

    from storage.history import History

    history = History(engine)
    await answer(chat, slack, "r1")
    await room.reviews.submit(as_(staff.ann, "review"), "r1", Judgement("correct"))
    assert await history.queue_overtaken() == []
    await history.note_standings([CitedStanding("1", "retracted", datetime.now(UTC))])
    assert await history.queue_overtaken() == ["r1"]
    assert await history.queue_overtaken() == []
    assert await found(room, as_(staff.ann), cause="retracted", waiting=True) == ["r1"]
    [cited] = (await room.reading.read(as_(staff.ann), "r1")).opened.citations
    assert (cited.standing, cited.now, cited.changed) == ("ok", "retracted", True)
