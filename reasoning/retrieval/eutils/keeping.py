"""Search replies kept with the run they were asked for, with an age (architecture 2, where data lives)."""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from reasoning.literature import SearchReply

_PATIENCE = 2.0  # seconds; a slow cache must not cost the answer


@dataclass(frozen=True, slots=True)
class KeptSearch:
    """`reply` is plain JSON; `kept_at` is when the door gave it, not when it was used again."""

    reply: dict[str, Any] = field(repr=False)  # it holds what was asked
    kept_at: datetime


class SearchCache(Protocol):
    """Where replies of earlier questions are found. Keys are 64 hexadecimal digits; whatever it raises
    counts as "not found"."""

    async def find(self, key: str, since: datetime) -> KeptSearch | None: ...


def search_key(base_url: str, *asked: str) -> str:
    """SHA-256 over the server and all that is asked of it."""
    return hashlib.sha256(json.dumps([base_url, *asked]).encode()).hexdigest()


async def find_kept(cache: SearchCache | None, key: str, age: timedelta) -> KeptSearch | None:
    """A kept reply that is no older, None also where the cache fails."""
    if cache is None or not age:
        return None
    try:
        async with asyncio.timeout(_PATIENCE):
            return await cache.find(key, datetime.now(UTC) - age)
    except Exception:  # whatever it is, the door can be asked instead
        return None


def reply_to_json(reply: SearchReply) -> dict[str, Any]:
    """What is the same whenever it is read: neither its age nor what it cost."""
    kept: dict[str, Any] = _adapter().dump_python(reply, mode="json", exclude_defaults=True)
    for name in ("calls", "kept_since"):
        kept.pop(name, None)
    return kept


def reply_from_json(kept: dict[str, Any]) -> SearchReply:
    """Raises ValueError for what another version wrote and this one cannot read."""
    return _adapter().validate_python(kept)


@cache
def _adapter() -> TypeAdapter[SearchReply]:
    from pydantic import TypeAdapter

    from reasoning.literature import SearchReply

    return TypeAdapter(SearchReply)
