"""How often a method may be called; pure.

A message a second and channel, and tiers a minute and method (docs.slack.dev, "Rate limits"). Slack lets
bursts pass that it does not describe; here none pass.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.emulators.windows import Limits

POSTS = {"chat.postMessage"}  # what the limit a channel counts
TIER_OF = {
    "apps.connections.open": 1,
    "chat.startStream": 2,
    "chat.stopStream": 2,
    "conversations.list": 2,
    "reactions.remove": 2,
    "users.list": 2,
    "agents.sessions.rename": 3,
    "agents.sessions.setStatus": 3,
    "chat.delete": 3,
    "chat.update": 3,
    "conversations.history": 3,
    "conversations.info": 3,
    "conversations.open": 3,
    "conversations.replies": 3,
    "reactions.add": 3,
    "team.info": 3,
    "chat.appendStream": 4,
    "chat.postEphemeral": 4,
    "files.completeUploadExternal": 4,
    "files.delete": 3,
    "files.getUploadURLExternal": 4,
    "oauth.v2.access": 4,
    "users.info": 4,
    "views.open": 4,
    "views.publish": 4,
    "views.push": 4,
    "views.update": 4,
}
A_MINUTE = {1: 1, 2: 20, 3: 50, 4: 100}


@dataclass(frozen=True, slots=True)
class Windows:
    """Seconds of each limit; 0 switches one off, and a test may shorten a minute.

    Socket Mode opens up to ten connections at once, so that apps.connections.open has its own, off here.
    """

    post: float = 1.0
    tier: float = 60.0
    connection: float = 0.0


def ordered(method: str, channel: object) -> str:
    """Where a 429 that a test orders counts: of posts a channel, of others the method."""
    return f"ordered {method} {channel}" if method in POSTS else f"ordered {method}"


def limits_of(method: str, channel: str | None, windows: Windows) -> Limits:
    """What a call is counted against; a workspace has counters of its own."""
    limits = {}
    if method in POSTS and channel and windows.post:
        limits[f"{method} {channel}"] = 1, windows.post
    window = windows.connection if method == "apps.connections.open" else windows.tier
    if method in TIER_OF and window:
        limits[method] = A_MINUTE[TIER_OF[method]], window
    return limits
