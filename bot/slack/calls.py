"""Calls of Slack's Web API, and what their failures mean."""

from __future__ import annotations

from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

# A reply that refuses (SlackApiError); of aiohttp and of the library, that none came which can be read.
FAILURES = (SlackClientError, aiohttp.ClientError, TimeoutError, ValueError)
TOKEN_CODES = frozenset(
    {
        *("not_authed", "invalid_auth", "account_inactive", "token_revoked", "token_expired"),
        *(
            "not_allowed_token_type",
            "missing_scope",
            "no_permission",
            "ekm_access_denied",
            "org_login_required",
        ),
    }
)
TRANSIENT_CODES = frozenset(
    {"internal_error", "fatal_error", "service_unavailable", "request_timeout", "accesslimited"}
)
_SECONDS = 15  # of one call


def make_client(base_url: str, token: str | None, session: aiohttp.ClientSession) -> AsyncWebClient:
    """Without retries of its own: the library would post again what Slack has posted already."""
    return AsyncWebClient(token, base_url=base_url, session=session, timeout=_SECONDS, retry_handlers=[])


def code_of(error: SlackApiError) -> str:
    """Slack's code; of a reply without one, `http_` and its status."""
    data = getattr(error.response, "data", None)
    code = data.get("error") if isinstance(data, dict) else None
    return str(code) if code else f"http_{status_of(error)}"


def reason_of(error: BaseException) -> str:
    """Of any of FAILURES, for logs: the code of a reply, else the type; never words."""
    return code_of(error) if isinstance(error, SlackApiError) else type(error).__name__


def status_of(error: SlackApiError) -> int:
    """Of the library's own response or, where it is no JSON, of aiohttp's."""
    response: Any = error.response
    return int(response.status_code if hasattr(response, "status_code") else response.status)


def wait_of(error: SlackApiError) -> float | None:
    """Seconds to wait, where Slack says so (429)."""
    if status_of(error) != 429 and code_of(error) not in ("ratelimited", "rate_limited"):
        return None
    headers = getattr(error.response, "headers", {})
    try:
        return float(headers.get("Retry-After", 1))
    except ValueError:
        return 1.0
