"""What can go wrong with Slack.

SlackFailed
├── WayInMissing
├── BotTokenRefused
├── AppTokenRefused
├── SlackUnreachable  (retryable)
└── EventUnreadable
"""

from __future__ import annotations

from config.errors import BAD_USAGE, CareciteError


class SlackFailed(CareciteError):
    """Slack cannot be used."""


class WayInMissing(SlackFailed):
    """There is no way by which Slack could reach carecite."""

    exit_code = BAD_USAGE
    remedy = (
        "Set CARECITE_SLACK_APP_TOKEN (Socket Mode) or CARECITE_SLACK_SIGNING_SECRET (HTTP events); for "
        "several workspaces CARECITE_SLACK_CLIENT_SECRET, _SIGNING_SECRET and _WORKSPACES, and no app token."
    )


class BotTokenRefused(SlackFailed):
    """Slack refuses the bot token."""

    remedy = "Check CARECITE_SLACK_BOT_TOKEN (xoxb-…); the app's page OAuth & Permissions shows it."


class AppTokenRefused(SlackFailed):
    """Slack refuses the app token."""

    remedy = (
        "Check CARECITE_SLACK_APP_TOKEN (xapp-…, scope connections:write) and that Socket Mode is on; "
        "the app's page Basic Information shows it."
    )


class SlackUnreachable(SlackFailed):
    """Slack cannot be reached."""

    retryable = True
    remedy = "Check the network, or CARECITE_SLACK_BASE_URL."


class EventUnreadable(SlackFailed):
    """An event cannot be read."""

    remedy = "It is parked, and the next ones are read: there is nothing to do."
