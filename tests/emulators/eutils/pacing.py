"""NCBI's rate limit: so many requests a second for a key, or for an address without one."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from dataclasses import dataclass, field
from threading import Lock

from tests.emulators.eutils.replies import Reply, as_json


@dataclass(slots=True)
class RateLimit:
    """Requests in any window of a second. `retry_after` None leaves that header out, as NCBI may."""

    without_key: int = 3
    with_key: int = 10
    retry_after: int | None = 2
    window: float = 1.0
    refused: int = 0
    _seen: defaultdict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))
    _lock: Lock = field(default_factory=Lock)

    def check(self, address: str, key: str | None) -> tuple[dict[str, str], Reply | None]:
        """Headers of every reply, and the refusal if there were too many. Refused ones count too."""
        limit = self.with_key if key else self.without_key
        with self._lock:
            now = time.monotonic()
            seen = self._seen[key or address]
            while seen and seen[0] <= now - self.window:
                seen.popleft()
            seen.append(now)
            count = len(seen)
            self.refused += count > limit
        headers = {"X-RateLimit-Limit": str(limit), "X-RateLimit-Remaining": str(max(0, limit - count))}
        if count <= limit:
            return headers, None
        if self.retry_after is not None:
            headers["Retry-After"] = str(self.retry_after)
        return headers, over_limit(key or address, count, limit, headers)


def over_limit(who: str, count: int, limit: int, headers: dict[str, str]) -> Reply:
    """The refusal, which names the key or the address."""
    told = {"error": "API rate limit exceeded", "api-key": who, "count": str(count), "limit": str(limit)}
    reply = as_json(told, 429)
    return Reply(reply.body, 429, "application/json", headers)
