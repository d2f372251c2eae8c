"""What can go wrong with Slack.

SlackFailed
├── BotTokenRefused
├── AppTokenRefused
├── SlackUnreachable  (retryable)
└── EventUnreadable
"""

from __future__ import annotations

from config.errors import CareciteError


class SlackFailed(CareciteError):
    """Slack cannot be used."""


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
