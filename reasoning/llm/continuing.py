"""Token mode: a text that the server continues up to a stop string (methods.md 2.3; `/completions`)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from reasoning.llm.errors import BrokenReply, NoAnswer
from reasoning.llm.failures import explain_body, explain_failure
from reasoning.llm.transport import RawReply, own_headers, usage_of, whole_body, without_key

if TYPE_CHECKING:
    from openai import AsyncOpenAI


async def send_text(
    client: AsyncOpenAI,
    request: dict[str, Any],
    sent: Collection[str],
    read: Callable[[str], dict[str, object]],
    *,
    seconds: float,
) -> RawReply:
    """Send it and read the reply to its end; its content is the JSON that `read` makes of what was written.

    Raises NoAnswer in one of its kinds, and nothing else.
    """
    create = client.completions.with_streaming_response.create
    try:
        async with asyncio.timeout(seconds), create(**request, extra_headers=own_headers(client)) as response:
            kind = response.headers.get("content-type", "").lower()
            return _read_body(await whole_body(response), kind, sent, read)
    except NoAnswer as error:
        raise without_key(client.api_key, error) from None
    except Exception as error:
        raise without_key(client.api_key, explain_failure(error, sent)) from None


def _read_body(
    text: str, kind: str, sent: Collection[str], read: Callable[[str], dict[str, object]]
) -> RawReply:
    try:
        body = json.loads(text)
        choice = body["choices"][0]
        written, finish = choice["text"], choice.get("finish_reason")
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
        raise explain_body(text, kind, sent) from None
    if not isinstance(written, str) or not isinstance(finish, str):
        raise BrokenReply("It does not say whether it is finished.")
    content = json.dumps(read(written), ensure_ascii=False) if written.strip() else ""
    prompt, reply = usage_of(body.get("usage")) or (None, None)
    return RawReply(content, "", finish, "", prompt, reply)
