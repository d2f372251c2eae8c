"""A change of a number, unit, operator or negation is found; else the stored text itself is sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render import slack, telegram
from bot.render.integrity import find_change
from reasoning.types import Notice
from tests.unit.rendering.answers import build, texts

STORED = (
    "Do not take more than 2.5 mg (<5*10^9/L) a day. [1]\n\n"
    "不要超过 1,000 毫克，每日 2 次。 [2]\n\nAsk a doctor."
)


@pytest.mark.parametrize(
    ("said", "became"),
    [
        ("Do not take", "Do take"),
        ("2.5 mg", "25 mg"),
        ("2.5 mg", "2.5 g"),
        ("2.5 mg", "2.5"),
        ("5*10^9", "510^9"),
        ("<5", "5"),
        ("<5", "≤5"),
        ("不要", "要"),
        ("1,000", "1000"),
        ("1,000", "1 000"),
        ("2 次", "次"),
        ("more than 2.5", "more than not 2.5"),
        ("[1]", "[2]"),
        ("Ask a doctor.", ""),
    ],
)
def test_a_change_is_found(said: str, became: str) -> None:
    assert said in STORED
    assert find_change(STORED, STORED) is None
    assert find_change(STORED, STORED.replace(said, became)) is not None


def test_order_counts_and_what_stands_between_paragraphs_does_not() -> None:
    assert find_change("Take 5.\n\nTake 6.", "Note.\n\nTake 5.\n\nMore 7.\n\nTake 6.") is None
    assert find_change("Take 5.\n\nTake 6.", "Take 6.\n\nTake 5.") == "Take 6."
    assert find_change("Take 5.\n\nTake 5.", "Take 5.") == "Take 5."


@given(texts, st.data())
def test_a_lost_letter_is_found(text: str, data: st.DataObject) -> None:
    assert find_change(text, text) is None
    at = data.draw(st.integers(0, len(text) - 1)) if text else 0
    rest = text[:at] + text[at + 1 :]
    if text[at : at + 1].isalnum():
        assert find_change(f"a {text} b", f"a {rest} b") is not None


def test_where_sentences_and_stored_text_differ_the_stored_text_is_shown() -> None:
    stored = "Do not take more than 5 mg. [1]"
    answer = build(
        [["Take more than 5 mg."]], text=stored, sources=[{"title": "T", "url": "https://example.org/a"}]
    )
    (one,) = slack.draw_answer(answer, "a-1")
    assert one.post()["blocks"][0]["text"]["type"] == "plain_text"
    for shown in (slack.shown_text([one]), telegram.shown_text(telegram.draw_answer(answer))):
        assert shown.startswith(f"\n\n{stored}\n\nSources\n[1] T\nhttps://example.org/a\n\nConfidence: high.")
        assert "Take more" not in shown
    assert one.buttons


def test_a_warning_that_is_not_stored_does_not_replace_what_is() -> None:
    answer = build(
        [["Rest helps."]], notices=[Notice(code="urgent", text="Call now.")], text="Rest helps. [1]"
    )
    (one,) = telegram.draw_answer(answer)
    assert one.text.startswith("Call now.\n\nRest helps. [1]")
