"""A conversation as a reviewer sees it: sentences tied to evidence, how it came about, and who asked."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from storage.history import CitedStanding, History
from storage.history.chat import Chat, Workspace
from storage.history.review import Judgement, ReviewRoom
from tests.integration.chat.conftest import message
from tests.integration.review.conftest import Staff, answer, as_
from tests.integration.web.answers import CHAINS, ESCAPED, LEVELS, MARKER, ROUNDS, kept
from tests.integration.web.conftest import EnterAs


async def test_sentences_and_quotes_lead_to_each_other(enter_as: EnterAs, chat: Chat, slack: Workspace):
    await answer(chat, slack, "r1", **kept("r1"))
    page = (await (await enter_as("ann")).get("/cases/r1")).text
    ids = set(re.findall(r'\bid="([^"]+)"', page))
    links = re.findall(r'href="#([^"]+)"', page)
    assert {"s1", "s2", "c1", "c2"} <= ids
    assert set(links) <= ids
    sentence = page[page.index('id="s2"') :].partition("</p>")[0]
    assert re.findall(r"#c\d", sentence) == ["#c2"]
    source = page[page.index('id="c2"') :].partition("</li>\n    \n")[0]
    for words in ("Socks 2 are warm.", "Wool 2 is warm, too.", "Journal of Socks, 2022", "PMID 2", "PMC2"):
        assert words in source
    assert 'href="https://example.org/2"' in source
    assert re.findall(r"#s\d", source) == ["#s1", "#s2"]


async def test_standing_then_and_now(enter_as: EnterAs, chat: Chat, slack: Workspace, engine: Any):
    await answer(chat, slack, "r1", **kept("r1"))
    browser = await enter_as("ann")
    assert (await browser.get("/cases/r1")).text.count("not looked up since") == 2
    await History(engine).note_standings([CitedStanding("1", "retracted", datetime.now(UTC))])
    page = (await browser.get("/cases/r1")).text
    assert re.search(r'then: ok; now:\s*<strong class="sign grave">retracted', page)


async def test_turns_with_revisions(enter_as: EnterAs, chat: Chat, slack: Workspace):
    await answer(chat, slack, "r1", **kept("r1"))
    await answer(chat, slack, "r2", **kept("r2"))
    await chat.inbox.edit(message(slack, "r1", "Do wet socks?"))
    await chat.feedback.give(message(slack, "k"), "r2", helpful=False, reason="unclear")
    page = (await (await enter_as("ann")).get("/cases/r2")).text
    assert 'href="/cases/r1"' in page
    assert "Edited after the answer:" in page
    assert "Do wet socks?" in page
    assert re.search(r"found it not helpful \(unclear\)", page)


@pytest.mark.parametrize(
    ("method", "report", "words"),
    [
        ("cometa", {"levels": LEVELS}, ["sock[tiab] AND warm[tiab]", "fewer concepts", "Adapt-E"]),
        (
            "sema-rag",
            {"rounds": ROUNDS, "stop": "early_exit"},
            ["how long it lasts", "Round 2", "early exit"],
        ),
        (
            "mirage",
            CHAINS,
            ["What does wool do?", "anchor, 1 facts", "<svg", "wool is a treatment option"],
        ),
    ],
)
async def test_how_each_method_came_to_it(
    enter_as: EnterAs, chat: Chat, slack: Workspace, method: str, report: dict[str, Any], words: list[str]
):
    await answer(chat, slack, "r1", **kept("r1", method=method, report=report))
    page = (await (await enter_as("ann")).get("/cases/r1")).text
    assert not [word for word in words if word not in page]
    for common in ("answer v3", "small-model", "0.0123", "1200 + 80 tokens", "4.2 s", "1200.0"):
        assert common in page
    if method == "mirage":
        [picture] = re.findall(r"<svg[^>]*role=\"img\".*?</svg>", page, re.DOTALL)
        assert "cold feet" in {text.text for text in Xml.fromstring(picture).iter()}


async def test_what_an_older_carecite_kept_is_shown_as_far_as_it_goes(
    enter_as: EnterAs, chat: Chat, slack: Workspace
):
    odd = {"report": {"levels": 5, "chains": ["x"], "rounds": None}, "answer": {"text": "Old words."}}
    await answer(chat, slack, "r1", **kept("r1", answer=odd, trace=[{"stage": "x"}, {"latency_ms": 3}]))
    bare: dict[str, Any] = {"levels": [{}], "rounds": [{"queries": [{}]}], "chains": [{"searches": [{}]}]}
    await answer(chat, slack, "r2", **kept("r2", method="mirage", report=bare))
    browser = await enter_as("ann")
    response = await browser.get("/cases/r1")
    assert response.status_code == 200
    assert "Old words." in response.text
    assert (await browser.get("/cases/r2")).status_code == 200


async def test_words_of_others_stay_text(
    enter_as: EnterAs, chat: Chat, slack: Workspace, room: ReviewRoom, staff: Staff
):
    """In every place of the page: questions, sentences, quotes, titles, traces, chains, reviews."""
    report = {**CHAINS, "levels": [{**LEVELS[0], "query": MARKER, "why": MARKER}], "stop": MARKER}
    report |= {"rounds": [{**ROUNDS[0], "gap": MARKER, "followups": [MARKER]}]}
    report["chains"] = [{**CHAINS["chains"][0], "text": MARKER, "answer": MARKER, "reason": MARKER}]
    report["facts"] = {"1": {**CHAINS["facts"]["1"], "text": MARKER, "head": MARKER}}
    await answer(chat, slack, "r1", **kept("r1", method="mirage", words=MARKER, report=report))
    await chat.inbox.edit(message(slack, "r1", MARKER))
    await chat.feedback.give(message(slack, "k"), "r1", helpful=False, reason=MARKER[:40])
    review = Judgement("unsafe", "major", MARKER, f"</textarea>{MARKER}")
    await room.reviews.submit(as_(staff.ann, "review"), "r1", review)
    for name in ("ann", "lead"):
        page = (await (await enter_as(name)).get("/cases/r1")).text
        assert page.count(ESCAPED) > 12
        assert not re.findall(r"<script(?! src=\"/static/)|<img|javascript:", page)
        assert page.count("</textarea>") == 2


async def test_only_web_addresses_open(enter_as: EnterAs, chat: Chat, slack: Workspace):
    fields = kept("r1")
    fields["citations"] = tuple(replace(one, url="javascript:alert(1)") for one in fields["citations"])
    await answer(chat, slack, "r1", **fields)
    assert "javascript:" not in (await (await enter_as("ann")).get("/cases/r1")).text


async def test_who_asked_needs_a_reason(
    enter_as: EnterAs, chat: Chat, slack: Workspace, room: ReviewRoom, staff: Staff
):
    await answer(chat, slack, "r1", **kept("r1"), sender="U0PATIENT")
    assert "/reveal" not in (await (await enter_as("ann")).get("/cases/r1")).text
    browser = await enter_as("lead")
    assert "U0PATIENT" not in (await browser.get("/cases/r1")).text
    for reason in ("", "  x "):
        assert (await browser.post("/cases/r1/reveal", reason=reason)).status_code == 422
    await browser.get("/cases/r1")
    shown = await browser.post("/cases/r1/reveal", reason="call back, wrong dose")
    assert "U0PATIENT" in shown.text
    [entry] = await room.audit.read(as_(staff.auditor, "audit"), action="reveal")
    assert (entry.subject, entry.reason) == ("r1", "call back, wrong dose")
    assert "U0PATIENT" not in (await browser.get("/cases/r1")).text


async def test_a_page_has_few_statements_and_is_small(
    enter_as: EnterAs, chat: Chat, slack: Workspace, engine: Any
):
    """A long talk with long answers, and a trace of a thousand steps (issue 8: 12 statements, 300 kB)."""
    from tests.integration.plans import noted

    long = "word " * 3000
    steps = [{"span_id": n, "stage": "search", "latency_ms": 1, "params": {"q": long}} for n in range(1000)]
    for n in range(60):
        fields = kept(f"r{n}", answer={"answer": {"text": long}}, trace=steps if n == 59 else [])
        await answer(chat, slack, f"r{n}", **fields)
    browser = await enter_as("lead")
    for path in ("/cases/r59", "/cases"):
        with noted(engine) as sent:
            page = await browser.get(path)
        assert page.status_code == 200
        assert len(page.content) < 300_000
        assert len([one for one, _ in sent]) <= 12
