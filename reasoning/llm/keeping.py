"""Replies kept with the history, so that the same request is not paid for twice (replay)."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

_PATIENCE = 2.0  # seconds; a slow cache must not cost the answer


@dataclass(frozen=True, slots=True)
class KeptReply:
    """`content` is the accepted JSON object as text, its thinking set aside; `usage` what the call cost in
    tokens: prompt_tokens and completion_tokens."""

    content: str
    finish_reason: str
    usage: Mapping[str, int]


class ReplyCache(Protocol):
    """Where replies of earlier questions are found. Keys are 64 hexadecimal digits; whatever it raises counts
    as "not found". What this question used is in its budget, and kept with its run."""

    async def find(self, key: str) -> KeptReply | None: ...


_ASKED = ("model", "messages", "response_format", "temperature")


def reply_key(request: Mapping[str, Any], base_url: str, prompt: str) -> str:
    """SHA-256 over server, model, messages, format, sampling, and the prompt's name with its version.

    How a reply travels and how long it may get is left out: a whole one is the same either way.
    """
    asked = {name: request.get(name) for name in _ASKED}
    asked |= {name: request[name] for name in ("prompt", "stop") if name in request}  # token mode
    words = json.dumps([base_url, prompt, asked], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(words.encode()).hexdigest()


async def find_kept(cache: ReplyCache, key: str) -> KeptReply | str | None:
    """The kept reply, or None, or the name of what went wrong."""
    try:
        async with asyncio.timeout(_PATIENCE):
            return await cache.find(key)
    except Exception as error:
        return type(error).__name__
