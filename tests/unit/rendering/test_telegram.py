"""Telegram: every part within every limit, entities that fit, nothing changed (bug classes 6 and 7)."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
import regex
import telegram as ptb
from hypothesis import HealthCheck, given, settings

from bot.render import telegram
from bot.render.directions import isolate, without_isolates
from bot.render.feedback import REASONS, Feedback, read_feedback, write_feedback
from bot.render.saying import LONGEST_NAME, say_answer
from bot.render.spoken import clean, read
from reasoning.types import Answer, Notice
from tests.emulators.telegram import limits
from tests.unit.rendering.answers import EXAMPLES, answers, build, keeps_weight, prose, sized


def entity_texts(one: telegram.TelegramPart) -> list[tuple[str, str]]:
    """Kind and text of each entity, as python-telegram-bot reads them."""
    entities = [ptb.MessageEntity.de_json({**entity}) for entity in one.entities]
    message = ptb.Message(
        1, datetime.now(UTC), ptb.Chat(1, "private"), text=one.text, entities=[e for e in entities if e]
    )
    return [(entity.type, text) for entity, text in message.parse_entities().items()]


def check(answer: Answer) -> list[telegram.TelegramPart]:
    """All that holds for any answer."""
    parts = telegram.draw_answer(answer, "a-1")
    said = read(isolate(say_answer(answer, LONGEST_NAME)))
    opened = {citation.url for citation in answer.citations}
    titles = {clean(citation.title).rstrip(".") for citation in answer.citations}
    names = titles | {f"[{citation.n}]" for citation in answer.citations}
    whole = {match.start() for match in regex.finditer(r"\X", said)} | {len(said)}
    at = 0
    for one in parts:
        sent = one.send()
        json.dumps(sent).encode()
        assert limits.check_text(sent["text"], sent.get("entities", [])) is None
        kept = limits.format_text(sent["text"], sent.get("entities", []))
        assert kept.text == one.text
        assert list(kept.entities) == list(one.entities)
        assert not kept.dropped
        assert limits.check_keyboard(sent.get("reply_markup")) is None
        assert sent["link_preview_options"] == {"is_disabled": True}
        assert {entity["url"] for entity in one.entities if entity["type"] == "text_link"} <= opened
        ends = [0, *(int(str(e["offset"])) + int(str(e["length"])) for e in one.entities)]
        starts = [int(str(entity["offset"])) for entity in one.entities]
        assert all(end <= start for end, start in zip(ends, starts, strict=False)), "side by side"
        links = [text for kind, text in entity_texts(one) if kind == "text_link"]
        assert {without_isolates(text) for text in links} <= {name.strip() for name in names}, "never cut"
        at += len(one.gap)
        assert at in whole
        at += len(one.words)
        assert at in whole
    assert telegram.shown_text(parts) == said
    assert keeps_weight(answer.answer.text, said)
    assert [bool(one.keyboard) for one in parts] == [False] * (len(parts) - 1) + [True]
    return parts


@settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow])
@given(answers())
def test_any_answer_is_taken_and_unchanged(answer: Answer) -> None:
    if answer.answer.text.strip():
        check(answer)


@pytest.mark.parametrize(
    "text",
    [
        "😀" * 2_049,
        "x" * 4_095 + "🇩🇪",
        "!" * 4_096,
        "x" * 4_075 + "👩‍👩‍👧‍👦" + "y" * 4_075,
        "e\u0301" * 4_096,
        "🇩🇪" * 3_000,
        "לא " * 5_000,
        "x" * 20_000,
    ],
)
def test_counted_in_utf_16_and_never_cut_inside_a_grapheme(text: str) -> None:
    parts = check(sized(text))
    assert len(parts) > 1
    assert text.strip() in telegram.shown_text(parts)
    for one in parts:
        assert len(one.text.encode("utf-16-le")) // 2 <= 4_096


@pytest.mark.parametrize(
    "text", ["2.5 mg", "a_b*c", "```py\nx = 1", "dose <5 mg", "[x](y", "5*10^9/L and 2*3*4"]
)
def test_markdown_is_text(text: str) -> None:
    (one,) = check(sized(text))
    assert one.text.startswith(f"{text} [1]\n\n")
    assert "parse_mode" not in one.send()


@pytest.mark.parametrize("length", [4_096, 12_001, 40_000])
def test_long_prose_is_cut_between_sentences(length: int) -> None:
    parts = check(sized(prose(length)))
    assert all(one.words[-1] in ".]" for one in parts if "Sources" not in one.words)
    assert [one.label for one in parts] == [f"{at}/{len(parts)}" for at in range(1, len(parts) + 1)]


def test_numbers_and_titles_open_their_source() -> None:
    sources: list[dict[str, str | None]] = [
        {"title": "Gout 🦶", "url": "https://example.org/a_(b)"},
        {"title": "No address", "url": None},
    ]
    (one,) = check(build([["Rest helps 👍.", "So does ice."]], sources=sources))
    links = [text for kind, text in entity_texts(one) if kind == "text_link"]
    assert links == ["[1]", "[1]", "Gout 🦶"]
    assert "[2] No address" in one.text
    assert ("bold", "Sources") in entity_texts(one)


def test_nothing_in_a_text_becomes_a_link_a_command_or_a_ping() -> None:
    (one,) = check(
        sized("Ask @some_body, take 5 mg /day or 5 mg/kg, see evil.example.com or http://x.test/a.")
    )
    strays = [text for kind, text in entity_texts(one) if kind == "code"]
    assert strays == ["@some_body", "/day", "evil.example.com", "http://x.test/a"]


def test_many_sources_stay_below_a_hundred_entities() -> None:
    sources = [{"title": f"T{at}", "url": f"https://example.org/{at}"} for at in range(120)]
    parts = check(build([[f"S{at}." for at in range(120)]], sources=sources))
    assert len(parts) > 2
    assert all(len(one.entities) <= 100 for one in parts)


def test_buttons_carry_only_an_id_that_fits() -> None:
    (one,) = telegram.draw_answer(sized("Rest helps."), "x" * 59)
    buttons = one.send()["reply_markup"]["inline_keyboard"][0]
    found = [read_feedback(button["callback_data"]) for button in buttons]
    assert [(f.answer_id, f.good) for f in found if f] == [("x" * 59, True), ("x" * 59, False)]
    with pytest.raises(ValueError, match="59 bytes"):
        telegram.draw_answer(sized("Rest helps."), "x" * 60)
    assert read_feedback("fb:x:1") is read_feedback("other") is read_feedback("fb:g:") is None


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_fits_beside_an_id(reason: str) -> None:
    data = write_feedback("x" * 44, good=False, reason=reason)
    assert len(data) <= 64
    assert read_feedback(data) == Feedback("x" * 44, False, reason)
    assert (
        read_feedback(f"fb:g.{reason}:x") is read_feedback("fb:b.:x") is read_feedback("fb:b.rude:x") is None
    )


def test_no_buttons_below_a_fixed_reply() -> None:
    answer = build([], notices=[Notice(code="emergency", text="Call 112 now.")], level="self_harm")
    (one,) = telegram.draw_answer(answer, "a-1")
    assert one.keyboard is None
    assert not one.entities
    assert "entities" not in telegram.draw_answer(sized("Rest helps."))[0].send(plain=True)
