"""Any text survives both parse modes once it is escaped, and entities lie where the text says."""

from __future__ import annotations

import html
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.emulators.slack.pings import find_links, find_pings
from tests.emulators.telegram.limits import check_text, format_text, utf16_length

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=80)
ASCII = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=60)


def escape_markdown(text: str) -> str:
    return re.sub(r"([_*\[\]()~`>#+\-=|{}.!\\])", r"\\\1", text)


@given(TEXTS)
def test_escaped_text_is_kept_in_both_modes(text: str) -> None:
    plain = format_text(text)
    assert format_text(escape_markdown(text), parse_mode="MarkdownV2") == plain
    assert format_text(html.escape(text, quote=False), parse_mode="HTML") == plain


@given(TEXTS, TEXTS)
def test_bold_lies_where_the_text_says(before: str, inside: str) -> None:
    source = f"a{escape_markdown(before)}*b{escape_markdown(inside)}c*"
    kept = format_text(source, parse_mode="MarkdownV2")
    (bold,) = kept.entities
    units = kept.text.encode("utf-16-le")[2 * bold["offset"] :][: 2 * bold["length"]].decode("utf-16-le")
    assert units == format_text(f"b{inside}c").text
    marked = format_text(f"a{html.escape(before)}<b>b{html.escape(inside)}c</b>", parse_mode="HTML")
    assert marked == kept


@given(ASCII)
def test_unescaped_text_is_taken_or_refused_but_never_an_error(text: str) -> None:
    for mode in ("MarkdownV2", "HTML"):
        refusal = check_text(text, parse_mode=mode)
        assert refusal is None or refusal.description.startswith("Bad Request: ")


@given(TEXTS, st.integers(-2, 170), st.integers(-2, 170))
def test_entities_are_taken_where_they_are_whole_characters(text: str, offset: int, length: int) -> None:
    entity = {"type": "bold", "offset": offset, "length": length}
    refusal = check_text(f"x{text}x", [entity])
    ends = {0}
    for character in f"x{text}x":
        ends.add(max(ends) + utf16_length(character))
    whole = length > 0 and {offset, offset + length} <= ends
    assert (refusal is None) == whole


def section(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text} | more}


def test_pings() -> None:
    assert find_pings("dose &lt;!channel&gt; <5 mg", [section("x"), {"type": "divider"}]) == []
    blocks = [
        section("<!here> x"),
        {"type": "markdown", "text": "ask <@U1>"},
        section("<!channel>", type="plain_text"),
    ]
    assert find_pings("<!subteam^S1|@team>", blocks) == ["<!subteam^S1|@team>", "<!here>", "<@U1>"]


def test_rich_text_pings_and_links() -> None:
    parts = [
        {"type": "text", "text": "take <!here> 75 mg"},
        {"type": "broadcast", "range": "channel"},
        {"type": "link", "url": "https://example.org/a", "text": "1"},
    ]
    blocks = [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": parts}]}]
    assert find_pings(None, blocks)[-1] == "channel"
    assert find_links(None, blocks) == ["https://example.org/a"]


def test_links() -> None:
    assert find_links("see <https://example.org/a?b=1&amp;c=2|1> and https://example.org/b") == [
        "https://example.org/a?b=1&c=2",
        "https://example.org/b",
    ]
    button = {"type": "actions", "elements": [{"type": "button", "url": "https://example.org/d"}]}
    marked = {"type": "markdown", "text": "[1](https://example.org/c_(x))"}
    assert find_links(None, [marked, button]) == ["https://example.org/c_(x)", "https://example.org/d"]
