"""What is said, in which order, and how it may be broken."""

from __future__ import annotations

from datetime import date
from functools import partial

import pytest
from hypothesis import given, settings

from bot.render import telegram
from bot.render.addresses import opens
from bot.render.directions import isolate, without_isolates
from bot.render.parts import Said, part
from bot.render.saying import LONGEST_NAME, say_answer, say_reply
from bot.render.spoken import Paragraph, Span, clean, pieces_of, read
from reasoning.notices import LANGUAGES, notice
from reasoning.types import Answer, Choice, CitedFact, Notice
from tests.unit.rendering.answers import EXAMPLES, answers, build, texts


def kinds(answer: Answer) -> list[str]:
    return [paragraph.kind for paragraph in say_answer(answer)]


def test_warnings_first_then_choice_sentences_sources_and_notices() -> None:
    notices = [
        Notice(code=code, text=f"{code}.") for code in ("conflict", "handover", "urgent", "degraded", "scope")
    ]
    answer = build([["One.", "Two."], ["Three."]], notices=notices, choice=Choice(label="B", text="rest"))
    order = [
        "warning",
        "choice",
        "text",
        "text",
        "heading",
        "source",
        "quiet",
        "quiet",
        "notice",
        "quiet",
        "quiet",
        "quiet",
    ]
    assert kinds(answer) == order
    said = read(say_answer(answer))
    assert said.startswith(
        "\n\nurgent.\n\nAnswer: B) rest\n\nOne. [1] Two. [1]\n\nThree. [1]\n\nSources\n[1] A title\n\n"
    )
    assert said.endswith("\n\nconflict.\n\nhandover.\ndegraded.\nscope.")


def test_an_abstention_has_no_sources_and_no_confidence() -> None:
    answer = build(
        [], notices=[Notice(code="abstain", text="Nothing found."), Notice(code="scope", text="S.")]
    )
    assert kinds(answer) == ["notice", "quiet"]


def test_a_source_says_what_it_is() -> None:
    facts = [CitedFact(head="gout", relation="complication", tail="fever", source="lib-gout")]
    source = {
        "title": "Gout.",
        "journal": "J",
        "year": 2020,
        "standing": "concern",
        "kind": "path",
        "facts": facts,
    }
    said = read(say_answer(build([["Rest."]], sources=[source | {"standing_checked": date(2026, 3, 1)}])))
    assert "\n[1] Gout, J, 2020 (the publisher has voiced a concern; checked on 2026-03-01)\n" in said
    assert "\ngout -[complication]-> fever (lib-gout)\n" in said


def test_a_long_name_is_shortened_in_chats_only() -> None:
    answer = build([["Rest."]], sources=[{"title": "🇩🇪" * 400}])
    assert "🇩🇪" * 400 in read(say_answer(answer))
    assert f"[1] {'🇩🇪' * (LONGEST_NAME - 1)}…\n" in read(say_answer(answer, LONGEST_NAME))


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_a_warning_the_first_sentence_stands_out(language: str) -> None:
    (warning,) = say_reply(notice("emergency", language), "emergency")
    assert [span.role for span in warning.spans] == ["strong", "text"]
    assert warning.spans[0].text.strip()[-1] in ".。"
    (calm,) = say_reply(notice("self_harm", language, lines=""), "self_harm")
    assert [span.role for span in calm.spans] == ["text"]


def test_nothing_is_said_in_an_empty_reply() -> None:
    assert not say_reply(" \x00\n")
    assert not telegram.draw_reply("")


@given(texts)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    once.encode()
    assert not set(once) & set("\r\t\x00\x1b\u202e\u2028\u0333")


def test_cleaning_keeps_what_a_reader_sees() -> None:
    assert clean("A\u030a 👩‍👩‍👧 \u200fلا\u200c \x1b[1m5\tmg") == "Å 👩‍👩‍👧 \u200fلا\u200c  [1m5 mg"


@settings(deadline=None, max_examples=EXAMPLES)
@given(answers())
def test_a_preview_grows_to_what_is_said(answer: Answer) -> None:
    said = say_answer(answer)
    assert "".join(pieces_of(said)) == read(said)[2:]


def test_a_preview_grows_by_sentences_with_their_marks() -> None:
    said = say_answer(build([["One.", "Two."]], sources=[{}, {}]))
    assert [*pieces_of(said)][:4] == ["One. [1]", " Two. [2]", "\n\nSources", "\n[1] A title"]


def test_what_runs_the_other_way_is_isolated() -> None:
    sources = [{"title": "علاج النقرس", "journal": "Journal"}, {"title": "Gout", "journal": "مجلة"}]
    said = read(
        isolate(
            say_answer(
                build([["Rest helps.", "الراحة تساعد."], ["لا تأخذ 5 ملغ.", "خذ 2."]], sources=sources)
            )
        )
    )
    assert "Rest helps. [1] \u2068الراحة تساعد.\u2069 [2]" in said
    assert "لا تأخذ 5 ملغ. [1] خذ 2. [2]" in said, "one direction needs none"
    assert "[1] علاج النقرس, \u2068Journal\u2069" in said
    assert "[2] Gout, \u2068مجلة\u2069" in said
    assert without_isolates(said) == without_isolates(said).replace("\u2068", "")


def shorter(most: int, said: Said) -> bool:
    return len(read(said)) <= most


def broken(text: str, most: int) -> list[str]:
    parts = part([Paragraph("text", (Span(text),), "")], partial(shorter, most))
    assert "".join(map(read, parts)) == text
    return [read(one).strip() for one in parts]


@pytest.mark.parametrize(
    ("text", "most", "parts"),
    [
        ("Take no more. Rest for 2 days, then go.", 26, ["Take no more.", "Rest for 2 days, then go."]),
        ("Rest for days, then walk a bit more", 28, ["Rest for days,", "then walk a bit more"]),
        ("Never take over 500 mg", 20, ["Never take", "over 500 mg"]),
        ("see approx. 5 mg", 14, ["see", "approx. 5 mg"]),
        ("不要超过五毫克。每日两次，饭后服用", 14, ["不要超过五毫克。", "每日两次，饭后服用"]),
        ("每日两次，饭后服用，不可", 10, ["每日两次，饭后服用，", "不可"]),
        ("one row of it\nand a second row", 24, ["one row of it", "and a second row"]),
        ("12345678 12345678", 12, ["12345678", "12345678"]),
        ("5\u00a0mg or 5\u00a0mg", 8, ["5\u00a0mg", "or 5\u00a0mg"]),
        ("a" * 30, 28, ["a" * 28, "a" * 2]),
    ],
)
def test_the_best_border_is_taken(text: str, most: int, parts: list[str]) -> None:
    assert broken(text, most) == parts


def test_a_heading_stays_with_what_it_heads() -> None:
    said = [Paragraph("text", (Span("x" * 20),)), Paragraph("heading", (Span("Sources"),)),
            Paragraph("source", (Span("[1] Gout"),), "\n")]  # fmt: skip
    parts = part(said, partial(shorter, 34))
    assert [read(one).strip() for one in parts] == ["x" * 20, "Sources\n[1] Gout"]


def test_a_value_stays_with_its_unit() -> None:
    for most in range(15, 60):
        for one in broken("Then you may take no more than 500 mg of this drug on every day of a week", most)[
            :-1
        ]:
            assert not one.endswith("500")


def test_a_single_grapheme_beyond_every_limit_comes_to_an_end() -> None:
    text = "e" + "\u0301" * 9_000
    parts = telegram.draw_reply(text)
    assert telegram.shown_text(parts).strip() == text
    assert all(len(one.text) <= 4_096 for one in parts)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/a_(b)?x=1", True),
        ("http://example.org", True),
        ("https://例子.example.org/研究", True),
        ("javascript:alert(1)", False),
        ("tg://user?id=1", False),
        ("ftp://example.org/a", False),
        ("https://", False),
        ("http://localhost/a", False),
        ("http://[", False),
        ("https://example.org/a b", False),
        ("https://example.org/" + "x" * 2_000, False),
        ("", False),
        (None, False),
    ],
)
def test_only_pages_of_the_web_open(url: str | None, expected: bool) -> None:
    assert opens(url) is expected
