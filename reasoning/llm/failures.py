"""What a failed call means: a status, a broken connection or an error object, told in our own errors."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from reasoning.llm.errors import (
    BrokenReply,
    FormatRefused,
    NoAnswer,
    OptionRefused,
    Overloaded,
    PromptTooLong,
    Refused,
    Unreachable,
    tidy_words,
)

_TRANSIENT = {408, 409, 425, 429, 500, 502, 503, 504, 507, 508, 509, 520, 521, 522, 523, 524, 529}
_MAY_BE_FORMAT = {400, 404, 415, 422, 500, 501}
_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|maximum context|exceeds? .{0,40}context|exceed_context"
    r"|prompt is too long|too many tokens|payload too large|request too large",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"(?:context (?:length|size|window)|n_ctx)\W{0,3}(?:of|is|tokens|:|=|\s)*\W{0,3}(\d{3,8})", re.IGNORECASE
)
_OPTIONS = (  # the option that a refusal is about, and how it is told; in this order
    ("stream_options", re.compile(r"stream_options|include_usage", re.IGNORECASE)),
    ("max_tokens", re.compile(r"max_completion_tokens|max_tokens", re.IGNORECASE)),
    ("temperature", re.compile(r"temperature", re.IGNORECASE)),
    ("system", re.compile(r"system role|role.{0,12}system|roles must alternate", re.IGNORECASE)),
    ("stream", re.compile(r"\bstream(?:ing)?\b", re.IGNORECASE)),
)
_OF_FORMAT = re.compile(
    r"response_?format|json_?schema|json_object|json mode|structured output|guided|grammar|schema"
    r"|the word .?json|^\W*(?:unsupported|not supported|not implemented)\W*(?:\([\w, ]*\)\W*)?$",
    re.IGNORECASE,
)
_OF_SCHEMA = re.compile(
    r"grammar|keyword|invalid schema|schema (?:is )?(?:invalid|too)|additionalproperties|anyof|\brequired\b"
    r"|description|not permitted|\$ref",
    re.IGNORECASE,
)


def explain_failure(error: Exception, sent: Collection[str]) -> NoAnswer:
    """Our error for one of the client's; `sent` are the options of the request, "format" among them."""
    import openai

    if isinstance(error, NoAnswer):
        return error
    if isinstance(error, openai.APIStatusError):
        wait = read_retry_after(error.response.headers)
        return explain_status(error.status_code, error.body, sent, wait)
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return Unreachable("No reply in time.")
    if isinstance(error, openai.APIConnectionError):
        return _explain_connection(error)
    if isinstance(error, openai.APIError):  # an error object inside of a stream
        return explain_status(_status_in(error.body), error.body or error.message, sent, None)
    return BrokenReply(f"It cannot be read ({type(error).__name__}).")


def explain_status(given: int | None, body: object, sent: Collection[str], wait: float | None) -> NoAnswer:
    """Our error for a status, None where an error object names none, and the server's words."""
    words = words_of(body)
    detail = tidy_words(words)
    status = given or 500
    told = detail if given is None else f"Status {status}: {detail}" if detail else f"Status {status}."
    if status == 413 or (400 <= status < 500 and _TOO_LONG.search(words)):
        found = _CONTEXT.search(words)
        return PromptTooLong(told, context=int(found[1]) if found else None)
    if status in _MAY_BE_FORMAT and "format" in sent and _OF_FORMAT.search(words):
        return FormatRefused(told, of_schema=bool(_OF_SCHEMA.search(words)))
    if status in (400, 422):
        for option, pattern in _OPTIONS:
            if option in sent and pattern.search(words):
                return OptionRefused(option, told)
    if status in _TRANSIENT and "insufficient_quota" not in words:
        return Overloaded(told, wait=wait)
    return Refused(told)


def explain_body(text: str, kind: str, sent: Collection[str]) -> NoAnswer:
    """Our error for a body with status 200 that is no answer (case F26)."""
    if "html" in kind or text.lstrip()[:1] == "<":
        return BrokenReply(f"A web page came back: {tidy_words(text)}", retryable=False)
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return BrokenReply(f"No JSON came back: {tidy_words(text)}" if text.strip() else "It is empty.")
    if isinstance(body, Mapping) and body.get("error"):
        return explain_status(_status_in(body["error"]), body, sent, None)
    return BrokenReply("It holds no message.")


def words_of(body: object) -> str:
    """The server's words in a body of any shape."""
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        if isinstance(inner, Mapping):
            said = inner.get("message") or inner.get("detail") or inner.get("error")
            parts = (said, inner.get("type"), inner.get("code"), inner.get("param"), inner.get("n_ctx"))
            if not isinstance(said, str):
                return json.dumps(inner, default=str)[:20_000]
            named = [f"{each}" for each in parts[1:4] if isinstance(each, str) and each not in said]
            context = f" n_ctx: {parts[4]}" if isinstance(parts[4], int) else ""
            return said + (f" ({', '.join(named)})" if named else "") + context
        return str(inner)
    return body if isinstance(body, str) else "" if body is None else json.dumps(body, default=str)[:20_000]


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from a number of seconds or a date (RFC 9110 10.2.3); None where not given."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    given = headers.get("retry-after")
    seconds = _number(given)
    if seconds is not None or given is None:
        return seconds
    try:
        moment = parsedate_to_datetime(given)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None else None
    except ValueError:
        return None
    return max(0.0, value) if value is not None and math.isfinite(value) else None


def _status_in(body: Any) -> int | None:
    """The status that an error object names as its code."""
    code = body.get("code") if isinstance(body, Mapping) else None
    return code if isinstance(code, int) and 400 <= code < 600 else None


def _explain_connection(error: Exception) -> NoAnswer:
    """The kind of failure only: the text may hold the address, and that a password."""
    cause = type(error.__cause__ or error.__context__ or error).__name__
    if cause == "TooManyRedirects":
        return Refused("It redirects in a ring.")
    return Unreachable(f"No connection ({cause}).")
