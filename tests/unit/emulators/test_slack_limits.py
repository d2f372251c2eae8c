"""Slack's limits as pure functions: one below, at and above each."""

from __future__ import annotations

from typing import Any

import pytest

from tests.emulators.slack import limits
from tests.emulators.slack.tiers import Windows, limits_of
from tests.emulators.windows import Pace


def section(length: int, letter: str = "a") -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": letter * length}}


def markdown(length: int) -> dict[str, Any]:
    return {"type": "markdown", "text": "a" * length}


def button(**more: Any) -> dict[str, Any]:
    return {"type": "button", "text": {"type": "plain_text", "text": "Why?"}, "action_id": "why"} | more


FEEDBACK = {
    "type": "context_actions",
    "elements": [
        {
            "type": "feedback_buttons",
            "action_id": "feedback",
            "positive_button": {"text": {"type": "plain_text", "text": "Good"}, "value": "1"},
            "negative_button": {"text": {"type": "plain_text", "text": "Bad"}, "value": "0"},
        }
    ],
}


def error(blocks: list[Any]) -> str | None:
    refusal = limits.check_blocks(blocks)
    return refusal and refusal.error


@pytest.mark.parametrize(
    "blocks",
    [
        [section(2_999)],
        [section(3_000)],
        [section(1_500, "😀")],
        [{"type": "divider"}] * 50,
        [markdown(12_000)],
        [markdown(6_000), markdown(6_000)],
        [FEEDBACK],
        [{"type": "actions", "elements": [button(action_id=str(at)) for at in range(25)]}],
        [{"type": "header", "text": {"type": "plain_text", "text": "h" * 150}}],
    ],
)
def test_what_is_taken(blocks: list[Any]) -> None:
    assert error(blocks) is None


@pytest.mark.parametrize(
    "blocks",
    [
        [section(0)],
        [section(3_001)],
        [section(1_501, "😀")],
        [{"type": "divider"}] * 51,
        [markdown(12_001)],
        [markdown(6_000), markdown(6_001)],
        [{"type": "marquee"}],
        ["text"],
        [{"type": "section"}],
        [{"type": "header", "text": {"type": "mrkdwn", "text": "h"}}],
        [{"type": "header", "text": {"type": "plain_text", "text": "h" * 151}}],
        [{"type": "actions", "elements": [button(), button()]}],
        [{"type": "actions", "elements": [button(value="v" * 2_001)]}],
        [{"type": "context_actions", "elements": [button()]}],
        [section(1) | {"block_id": "b"}, section(1) | {"block_id": "b"}],
        [{"type": "table", "rows": [[{}]]}] * 2,
    ],
)
def test_what_is_refused(blocks: list[Any]) -> None:
    assert error(blocks) == "invalid_blocks"


def test_the_whole_message_has_a_limit_of_its_own() -> None:
    blocks = [section(2_600)] * 5
    assert limits.size_of(blocks) > limits.MESSAGE - 200
    assert error(blocks) is None
    assert error([*blocks, section(200)]) == "msg_blocks_too_long"


def test_refusals_point_at_the_fault() -> None:
    refusal = limits.check_blocks([section(1), section(3_001)])
    assert refusal
    assert refusal.messages == (
        "[ERROR] must be less than 3001 characters [json-pointer:/blocks/1/text/text]",
    )


def test_texts_of_posts_and_updates() -> None:
    assert limits.check_post("a" * 40_000) is None
    assert limits.check_post(" ") == limits.Refusal("no_text")
    assert limits.check_update("a" * 4_000) is None
    assert limits.check_update("a" * 4_001) == limits.Refusal("msg_too_long")
    assert limits.check_update("a" * 4_001, [section(1)]) == limits.Refusal("msg_too_long")
    assert limits.check_post(None, markdown_text="a" * 12_001) == limits.Refusal("msg_too_long")


def test_streams() -> None:
    assert limits.check_stream_part("a" * 12_000) is None
    assert limits.check_stream_part("a" * 12_001) == limits.Refusal("msg_too_long")
    halves = [{"type": "markdown_text", "text": "a" * 6_001}] * 2
    assert limits.check_stream_part(None, halves) == limits.Refusal("msg_too_long")
    assert limits.check_recipient(private=True, user=None, team=None) is None
    assert limits.check_recipient(private=False, user="U1", team="T1") is None
    assert limits.check_recipient(private=False, user=None, team="T1")
    assert not limits.has_expired(10.0, 309.9)
    assert limits.has_expired(10.0, 310.0)


def test_prompts() -> None:
    prompt = {"title": "Dose", "message": "What is the usual dose?"}
    assert limits.check_prompts([prompt] * 4) is None
    assert limits.check_prompts([prompt] * 5)
    assert limits.check_prompts([])
    assert limits.check_prompts([{"title": "Dose"}])


def test_a_message_a_second_and_channel() -> None:
    pace = Pace()

    def take(channel: str, at: float) -> tuple[str, float] | None:
        return pace.take(limits_of("chat.postMessage", channel, Windows()), at)

    assert take("C1", 10.0) is None
    assert take("C2", 10.25) is None
    assert take("C1", 10.75) == ("chat.postMessage C1", 0.25)
    assert take("C1", 11.0) is None


def test_tiers_a_minute_and_method() -> None:
    pace = Pace()

    def take(method: str, at: float) -> tuple[str, float] | None:
        return pace.take(limits_of(method, "C1", Windows()), at)

    assert {take("chat.startStream", at / 100) for at in range(20)} == {None}
    assert take("chat.startStream", 1.0) == ("chat.startStream", 59.0)
    assert take("chat.stopStream", 1.0) is None
    assert take("chat.startStream", 60.0) is None
    assert limits_of("auth.test", None, Windows()) == {}
    assert limits_of("chat.update", "C1", Windows(tier=0)) == {}
