"""What a server's refusal means, told from its status and words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.llm.errors import (
    FormatRefused,
    NoAnswer,
    OptionRefused,
    Overloaded,
    PromptTooLong,
    Refused,
    tidy_words,
)
from reasoning.llm.failures import explain_body, explain_status, read_retry_after

SENT = {"format", "stream", "stream_options", "max_tokens", "temperature", "system"}

REFUSALS = [
    (400, "this response_format type is not offered here", FormatRefused),
    (400, "unsupported", FormatRefused),
    (400, "failed to parse grammar", FormatRefused),
    (500, "Failed to initialize samplers: failed to parse grammar", FormatRefused),
    (422, "guided decoding is disabled", FormatRefused),
    (400, "Unknown field: stream_options", OptionRefused),
    (400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.", OptionRefused),
    (400, "temperature: only 1 is allowed", OptionRefused),
    (400, "Conversation roles must alternate user/assistant", OptionRefused),
    (400, "'max_tokens' is too large: 900. This model's maximum context length is 512 tokens", PromptTooLong),
    (400, "the request exceeds the available context size (4096 tokens)", PromptTooLong),
    (413, "", PromptTooLong),
    (400, "model not found", Refused),
    (404, "The model `x` does not exist", Refused),
    (401, "bad key", Refused),
    (429, "slow down", Overloaded),
    (503, "loading", Overloaded),
]


@pytest.mark.parametrize(("status", "words", "kind"), REFUSALS)
def test_refusals(status: int, words: str, kind: type[NoAnswer]) -> None:
    error = explain_status(status, {"error": {"message": words, "type": "invalid_request_error"}}, SENT, None)
    assert type(error) is kind
    assert f"Status {status}" in str(error)


def test_what_was_not_sent_cannot_be_refused() -> None:
    for words in ("response_format?", "temperature?", "stream_options?"):
        assert type(explain_status(400, {"error": words}, set(), None)) is Refused


@pytest.mark.parametrize(
    ("words", "context"),
    [
        ("maximum context length is 4096 tokens. However, you requested 9000", 4096),
        ("exceeds the available context size (8192 tokens), try increasing it", 8192),
        ("the prompt is too long for this context", None),
    ],
)
def test_the_context_that_a_server_names(words: str, context: int | None) -> None:
    error = explain_status(400, {"error": {"message": words}}, SENT, None)
    assert isinstance(error, PromptTooLong)
    assert error.context == context


def test_words_are_tidied() -> None:
    assert tidy_words("<style>p{}</style><b>Gateway\n sign-in</b>") == "Gateway sign-in"
    assert "abcd1234" not in tidy_words("key sk-abcd1234 and Bearer abcd1234")
    assert len(tidy_words("x" * 5000)) == 200


def test_retry_after() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    past = format_datetime(datetime.now(UTC) - timedelta(seconds=30), usegmt=True)
    assert 25 < (read_retry_after({"retry-after": soon}) or 0) <= 30
    assert read_retry_after({"retry-after": past}) == 0
    assert read_retry_after({"retry-after": "2.5"}) == 2.5
    assert read_retry_after({"retry-after": "-3"}) == 0
    for nothing in ({}, {"retry-after": "soon"}, {"retry-after": "inf"}, {"retry-after": "nan"}):
        assert read_retry_after(nothing) is None


@given(st.text(max_size=200), st.sampled_from(["application/json", "text/html", ""]))
def test_no_body_is_too_odd(text: str, kind: str) -> None:
    assert isinstance(explain_body(text, kind, SENT), NoAnswer)
