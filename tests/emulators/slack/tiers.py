"""How often a method may be called. Pure, but for the numbers of one workspace in `Pace`.

A message a second and channel, and tiers a minute and method (docs.slack.dev, "Rate limits"). Slack lets
bursts pass that it does not describe; here none pass.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field

from tests.emulators.windows import forget, seconds_until_free

SPECIAL = ("chat.postMessage",)  # the methods that the limit a channel counts
POSTS = 1
TIER_OF = {
    "apps.connections.open": 1,
    "chat.startStream": 2,
    "chat.stopStream": 2,
    "conversations.info": 3,
    "conversations.list": 2,
    "conversations.open": 3,
    "conversations.replies": 3,
    "chat.update": 3,
    "chat.delete": 3,
    "reactions.add": 3,
    "reactions.remove": 2,
    "users.info": 4,
    "users.list": 2,
    "views.open": 4,
    "views.publish": 4,
    "views.update": 4,
    "views.push": 4,
    "chat.appendStream": 4,
    "chat.postEphemeral": 4,
    "files.getUploadURLExternal": 4,
    "files.completeUploadExternal": 4,
    "oauth.v2.access": 4,
}
A_MINUTE = {1: 1, 2: 20, 3: 50, 4: 100}


def wait_of_post(times: list[float], now: float, window: float = 1.0) -> float:
    """Seconds until a channel takes the next message."""
    return seconds_until_free(times, now, POSTS, window)


def wait_of_method(method: str, times: list[float], now: float, window: float = 60.0) -> float:
    """Seconds until a method of a tier is free; 0.0 for one without."""
    tier = TIER_OF.get(method)
    return 0.0 if tier is None else seconds_until_free(times, now, A_MINUTE[tier], window)


@dataclass(slots=True)
class Pace:
    """What was taken. A window of 0 switches its limit off; tests may shorten a minute.

    Socket Mode opens up to ten connections at its start, so apps.connections.open has a window of its own.
    """

    post_window: float = 1.0
    tier_window: float = 60.0
    connection_window: float = 0.0
    _taken: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def take(self, method: str, channel: str | None, now: float) -> int:
        """0, and it is counted; or the whole seconds of Retry-After."""
        limits: list[tuple[str, float, float]] = []  # key, window, seconds to wait
        tier = self.connection_window if method == "apps.connections.open" else self.tier_window
        if tier:
            limits.append((method, tier, wait_of_method(method, self._taken[method], now, tier)))
        if method in SPECIAL and channel and self.post_window:
            wait = wait_of_post(self._taken[channel], now, self.post_window)
            limits.append((channel, self.post_window, wait))
        longest = max((wait for _, _, wait in limits), default=0.0)
        if longest > 0:
            return max(1, math.ceil(longest))
        for key, window, _ in limits:
            self._taken[key] = [*forget(self._taken[key], now, window), now]
        return 0
