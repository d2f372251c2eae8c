"""Slack: every part within every limit, nothing changed, nothing that pings (bug class 5)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import regex
from hypothesis import HealthCheck, given, settings

from bot.render import slack
from bot.render.directions import isolate
from bot.render.feedback import Feedback, read_feedback
from bot.render.saying import LONGEST_NAME, say_answer
from bot.render.spoken import read
from reasoning.types import Answer, Notice
from tests.emulators.slack import limits
from tests.unit.rendering.answers import EXAMPLES, answers, build, keeps_weight, prose, sized

_MARKUP = re.compile(r"<[!@#]\S|\w://")


def elements(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of the blocks."""
    if isinstance(value, dict):
        yield value
        for inside in value.values():
            yield from elements(inside)
    if isinstance(value, list):
        for inside in value:
            yield from elements(inside)


def check(answer: Answer) -> list[slack.SlackPart]:
    """All that holds for any answer."""
    parts = slack.draw_answer(answer, "a-1")
    said = read(isolate(say_answer(answer, LONGEST_NAME)))
    opened = {citation.url for citation in answer.citations}
    for one in parts:
        for plain in (False, True):
            post, edit = one.post(plain=plain), one.edit(plain=plain)
            assert limits.check_post(post["text"], post["blocks"]) is None
            assert limits.check_update(edit["text"], edit["blocks"]) is None
            assert edit["parse"] == post["parse"] == "none"
            assert not post["unfurl_links"]
            assert not post["unfurl_media"]
            assert not post["link_names"]
            json.dumps(post).encode()
        assert not re.search("[<>]|&(?!(?:amp|lt|gt);)", one.text)
        for element in elements(one.blocks):
            assert element.get("type") != "mrkdwn"
            assert element.get("type") not in ("user", "usergroup", "broadcast", "channel", "emoji")
            assert element.get("text") != ""
            if element.get("type") in ("text", "link"):
                assert not _MARKUP.search(element["text"])
            if element.get("type") == "link":
                assert element["url"] in opened
                assert element["url"].startswith(("https://", "http://"))
    whole = {match.start() for match in regex.finditer(r"\X", said)} | {len(said)}
    at = 0
    for gap, shown in ((one.body[0][0], slack.shown_text([one])) for one in parts):
        assert {at + len(gap), at + len(shown)} <= whole, "between graphemes"
        at += len(shown)
    assert slack.shown_text(parts) == slack.shown_text(parts, "words") == said
    assert slack.shown_text(parts, "plain") == said
    assert keeps_weight(answer.answer.text, said)
    assert [bool(one.buttons) for one in parts] == [False] * (len(parts) - 1) + [True]
    count = len(parts)
    labels = [f"{at}/{count}" for at in range(1, count + 1)] if count > 1 else [None]
    assert [one.label for one in parts] == labels
    return parts


@settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow])
@given(answers())
def test_any_answer_is_taken_and_unchanged(answer: Answer) -> None:
    if answer.answer.text.strip():
        check(answer)


@pytest.mark.parametrize(
    ("length", "least"), [(2_999, 1), (3_000, 1), (3_001, 1), (12_001, 4), (13_300, 4), (40_000, 11)]
)
def test_sizes_at_which_slack_refuses(length: int, least: int) -> None:
    text = prose(length)
    parts = check(sized(text))
    assert least <= len(parts) <= least + 1
    assert text in " ".join(slack.shown_text([one]).strip() for one in parts)
    for one in parts[:-1]:
        shown = slack.shown_text([one])
        assert shown[-1] in ".]" or "Sources" in shown, "parts end with a sentence"


def test_one_line_of_20_000_characters() -> None:
    for text in ("x" * 20_000, "1234567890" * 2_000, "不要" * 10_000, "👩‍👩‍👧‍👦" * 2_000):
        shown = slack.shown_text(check(sized(text)))
        assert text in shown


@pytest.mark.parametrize("text", ["<!" * 3_000, "a://" * 3_000, "&" * 9_000])
def test_what_is_dealt_out_or_escaped_counts_more(text: str) -> None:
    assert text in slack.shown_text(check(sized(text)))


def test_a_title_that_looks_like_markup_is_no_link_but_its_number_is() -> None:
    url = "https://example.org/" + "x" * 1_900
    (one,) = check(build([["Rest."]], sources=[{"title": "<!" * 100, "url": url}]))
    assert [e["text"] for e in elements(one.blocks) if e.get("type") == "link"] == ["[1]", "[1]"]


def test_rows_stay_whole() -> None:
    rows = [f"drug {at}\t<{at} mg\t{at * 2} h, not with grapefruit, {'x' * 60}" for at in range(1, 61)]
    parts = check(sized("\n".join(rows)))
    lines = [line for one in parts for line in slack.shown_text([one]).split("\n")]
    assert len(parts) > 1
    for row in rows[:-1]:
        assert row.replace("\t", " ") in lines


def test_sixty_paragraphs_stay_below_fifty_blocks() -> None:
    notices = [Notice(code="conflict" if at % 2 else "scope", text=f"Notice {at}.") for at in range(120)]
    parts = check(build([[f"Sentence {at}."] for at in range(60)], notices=notices))
    assert all(len(one.blocks) <= 50 for one in parts)


def test_many_quiet_lines_and_long_ones_are_taken() -> None:
    notices = [Notice(code="scope", text=f"Notice {at}.") for at in range(25)]
    notices.append(Notice(code="stale", text="long " * 700))
    check(build([["Rest helps."]], notices=notices))


def test_long_addresses_count_too() -> None:
    sources = [{"title": f"T{at}", "url": f"https://example.org/{at}/{'x' * 1_900}"} for at in range(30)]
    parts = check(build([[f"S{at}." for at in range(30)]], sources=sources))
    assert len(parts) > 10


def test_an_entry_of_the_source_list_is_never_cut() -> None:
    sources = [
        {"title": f"Study {at} " + "of something rare " * 12, "journal": "Journal", "year": 2000 + at % 20,
         "url": f"https://example.org/{at}"}
        for at in range(80)
    ]  # fmt: skip
    parts = check(build([[f"Sentence {at}." for at in range(80)]], sources=sources))
    shown = [slack.shown_text([one]) for one in parts]
    for at, source in enumerate(sources, start=1):
        entry = f"[{at}] {str(source['title']).strip()}, Journal, {source['year']}"
        assert sum(f"{entry}\n" in f"{text}\n" for text in shown) == 1
    head = next(text for text in shown if "Sources\n" in text)
    assert "Sources\n[1] Study 0" in head, "the heading stays with the list"


def test_what_slack_would_read_as_markup_stays_text() -> None:
    text = "5*10^9/L for <adults only>, dose <5 mg, <!channel> <@U123> @here #general a_b*c [x](y & &amp;"
    (one,) = check(sized(text))
    assert slack.shown_text([one]).startswith(f"\n\n{text} [1]")
    said = [str(element["text"]) for element in elements(one.blocks) if "text" in element]
    assert any(text.endswith(", <") for text in said), "what could be a mention is dealt to two elements"
    escaped = "5*10^9/L for &lt;adults only&gt;, dose &lt;5 mg, &lt;!channel&gt; &lt;@U123&gt;"
    assert escaped in one.text
    assert "& &amp;".replace("&", "&amp;") in one.text


def test_small_type_is_for_what_carecite_says_of_itself() -> None:
    notices = [
        Notice(code="degraded", text="A part was missing."),
        Notice(code="conflict", text="They differ."),
    ]
    (one,) = check(build([["Rest helps."]], notices=notices))
    small = [e["text"] for e in elements(one.blocks) if e.get("type") == "plain_text" and "emoji" in e]
    assert small[0].startswith("Confidence: high")
    assert "A part was missing." in small
    assert "They differ." not in small


def test_what_could_be_markup_is_never_in_small_type() -> None:
    (one,) = check(build([["Rest helps."]], notices=[Notice(code="scope", text="Mind <!channel> & more.")]))
    kinds = {e["type"] for e in elements(one.blocks) if "!channel>" in str(e.get("text"))}
    assert kinds == {"text"}


def test_buttons_carry_only_an_id() -> None:
    (one,) = slack.draw_answer(sized("Rest helps."), "a-1")
    values = [element["value"] for element in elements(one.buttons) if "value" in element]
    assert [read_feedback(value) for value in values] == [Feedback("a-1", True), Feedback("a-1", False)]
    assert slack.draw_answer(sized("Rest helps."))[0].buttons is None


@pytest.mark.parametrize("level", ["emergency", "self_harm"])
def test_no_buttons_below_a_reply_to_somebody_in_danger(level: Any) -> None:
    words = Notice(code="emergency", text="Call 112 now. Stay with them.")
    parts = slack.draw_answer(build([], notices=[words], level=level), "a-1")
    assert slack.draw_reply(words.text, level) == parts
    assert parts[0].buttons is None
    bold = [element["text"] for element in elements(parts[0].blocks) if element.get("style")]
    assert bold == (["Call 112 now. "] if level == "emergency" else [])
