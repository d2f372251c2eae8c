"""Telegram's limits as pure functions: UTF-16 units, entities, keyboards, pace."""

from __future__ import annotations

from typing import Any

import pytest

from tests.emulators.telegram import limits
from tests.emulators.telegram.limits import format_text, utf16_length
from tests.emulators.windows import Pace


def bold(offset: int, length: int) -> dict[str, Any]:
    return {"type": "bold", "offset": offset, "length": length}


def said(refusal: limits.Refusal | None) -> str:
    return refusal.description.removeprefix("Bad Request: ") if refusal else ""


@pytest.mark.parametrize("text", ["a" * 4_096, "😀" * 2_048, f"  {'a' * 4_096}\n", "!" * 4_096])
def test_what_fits(text: str) -> None:
    assert limits.check_text(text) is None


@pytest.mark.parametrize("text", ["a" * 4_097, "😀" * 2_049, "a" * 4_095 + "😀"])
def test_what_is_too_long(text: str) -> None:
    assert said(limits.check_text(text)) == "message is too long"
    assert said(limits.check_text(text, edit=True)) == "MESSAGE_TOO_LONG"


@pytest.mark.parametrize("text", ["", " \n ", "\u202e", "\r"])
def test_what_is_empty(text: str) -> None:
    assert said(limits.check_text(text)) == "message text is empty"


def test_the_limit_counts_what_is_left_after_parsing() -> None:
    assert limits.check_text("\\!" * 4_096, parse_mode="MarkdownV2") is None
    assert limits.check_text("<b>" + "&lt;" * 4_096 + "</b>", parse_mode="HTML") is None
    assert limits.check_text("&lt;" * 4_097, parse_mode="HTML")


@pytest.mark.parametrize(
    ("entity", "words"),
    [
        (bold(1, 1), "entity begins in a middle of a UTF-16 symbol at byte offset 4"),
        (
            bold(0, 1),
            "entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 4",
        ),
        (
            bold(2, 9),
            "entity beginning at UTF-16 offset 2 ends after the end of the text at UTF-16 offset 11",
        ),
        (bold(9, 1), "entity begins after the end of the text at UTF-16 offset 9"),
        (bold(-1, 1), "receive an entity with incorrect offset -1"),
        (bold(0, 0), "receive an entity with incorrect length 0"),
        (
            {"type": "shout", "offset": 0, "length": 2},
            "can't parse MessageEntity: unsupported type specified",
        ),
        (
            bold(0, 2) | {"type": "text_link", "url": "localhost"},
            "entity URL 'localhost' is invalid: Wrong HTTP URL",
        ),
    ],
)
def test_entities_that_are_refused(entity: dict[str, Any], words: str) -> None:
    assert said(limits.check_text("👉 dose", [entity])) == words


def test_entities_move_with_what_is_trimmed_and_removed() -> None:
    kept = format_text("  👉\r dose ", [bold(2, 2), bold(6, 4), bold(10, 1)])
    assert kept.text == "👉 dose"
    assert kept.entities == (bold(0, 2), bold(3, 4))


def test_the_hundred_and_first_entity_is_dropped() -> None:
    kept = format_text("a" * 300, [bold(at, 1) for at in range(101)])
    assert (len(kept.entities), kept.dropped) == (100, (bold(100, 1),))


@pytest.mark.parametrize("character", "]()>#+-=|{}.!")
def test_reserved_characters_of_markdown(character: str) -> None:
    text = f"a{character}"
    reserved = f"Character '{character}' is reserved and must be escaped with the preceding '\\'"
    assert said(limits.check_text(text, parse_mode="MarkdownV2")) == f"can't parse entities: {reserved}"
    assert format_text(f"a\\{character}", parse_mode="MarkdownV2").text == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("🏟 🏟_abacaba", "Can't find end of Italic entity at byte offset 9"),
        ("🏟 🏟_abac * asd ", "Can't find end of Bold entity at byte offset 15"),
        ("🏟 🏟```a", "Can't find end of Pre entity at byte offset 9"),
        ("🏟 🏟__🏟 🏟_", "Can't find end of Italic entity at byte offset 20"),
        ("[x](y", "Can't find end of a URL at byte offset 3"),
    ],
)
def test_markdown_that_is_not_closed(text: str, words: str) -> None:
    assert said(limits.check_text(text, parse_mode="MarkdownV2")) == f"can't parse entities: {words}"


def test_markdown_that_parses() -> None:
    kept = format_text(
        "*a _b_* [1](https://example.org/x\\)y) ||s||\n>q1\n>q2\nend `a*b` ```py\nx=1```",
        parse_mode="MarkdownV2",
    )
    assert kept.text == "a b 1 s\nq1\nq2\nend a*b x=1"
    kinds = {entity["type"]: kept.text[entity["offset"] :][: entity["length"]] for entity in kept.entities}
    assert kinds == {
        "bold": "a b",
        "italic": "b",
        "text_link": "1",
        "spoiler": "s",
        "blockquote": "q1\nq2",
        "code": "a*b",
        "pre": "x=1",
    }
    assert [entity["url"] for entity in kept.entities if "url" in entity] == ["https://example.org/x)y"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dose <5 mg", 'Unsupported start tag "5" at byte offset 5'),
        ("a<b", "Unclosed start tag at byte offset 1"),
        ("<adults only>", 'Unsupported start tag "adults" at byte offset 0'),
        ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
    ],
)
def test_html_that_is_refused(text: str, words: str) -> None:
    assert said(limits.check_text(text, parse_mode="HTML")) == f"can't parse entities: {words}"


def test_html_that_parses() -> None:
    kept = format_text(
        '😀 <b>5 &lt; 6 &amp; 7</b> <a href="https://example.org/?a=1&amp;b=2">1</a>', parse_mode="HTML"
    )
    assert kept.text == "😀 5 < 6 & 7 1"
    assert kept.entities == (
        bold(3, 9),
        {"type": "text_link", "offset": 13, "length": 1, "url": "https://example.org/?a=1&b=2"},
    )


def test_callback_data_is_counted_in_bytes() -> None:
    def keyboard(data: str) -> dict[str, Any]:
        return {"inline_keyboard": [[{"text": "Yes", "callback_data": data}]]}

    assert limits.check_keyboard(keyboard("d" * 64)) is None
    assert said(limits.check_keyboard(keyboard("d" * 65))) == "BUTTON_DATA_INVALID"
    assert said(limits.check_keyboard(keyboard("é" * 33))) == "BUTTON_DATA_INVALID"
    assert said(limits.check_keyboard(keyboard(""))) == "BUTTON_DATA_INVALID"
    assert limits.check_keyboard({"inline_keyboard": [[{"text": "Yes"}]]})


def test_commands_and_secrets() -> None:
    assert limits.check_commands([{"command": "ask", "description": "Ask"}]) is None
    assert limits.check_commands([{"command": "Ask", "description": "Ask"}])
    assert limits.check_commands([{"command": "ask", "description": ""}])
    assert limits.check_secret("a-Z_9") is None
    assert limits.check_secret("a b")


def test_pace() -> None:
    def wait(taken: list[float], now: float, *, group: bool) -> float:
        pace = Pace()
        for at in taken:
            assert pace.take(limits.limits_of(7, group=group), at) is None
        refused = pace.take(limits.limits_of(7, group=group), now)
        return refused[1] if refused else 0.0

    assert wait([], 5.0, group=False) == 0
    assert wait([4.5], 5.0, group=False) == 0.5
    minute = [float(at) for at in range(20)]
    assert wait(minute, 30.0, group=False) == 0
    assert wait(minute, 30.0, group=True) == 30
    assert limits.limits_of(7, group=True, scale=0) == {}


def test_thirty_a_second_over_all_chats() -> None:
    pace = Pace()
    assert {pace.take(limits.limits_of(at, group=False), 5.0) for at in range(30)} == {None}
    assert pace.take(limits.limits_of(30, group=False), 5.5) == ("overall", 0.5)


def test_units() -> None:
    assert [utf16_length(text) for text in ("a", "é", "字", "😀", "🇩🇪")] == [1, 1, 1, 2, 4]
