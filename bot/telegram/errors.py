"""What can go wrong with Telegram.

TelegramFailed
├── TokenRefused
├── TokenShared
├── TelegramUnreachable  (retryable)
└── UpdateUnreadable
"""

from __future__ import annotations

from config.errors import CareciteError


class TelegramFailed(CareciteError):
    """Telegram cannot be used."""


class TokenRefused(TelegramFailed):
    """Telegram refuses the token."""

    remedy = "Check CARECITE_TELEGRAM_TOKEN; BotFather shows it."


class TokenShared(TelegramFailed):
    """Another process polls Telegram with the same token."""

    remedy = "End that one, or give each environment a bot of its own; several hosts can share a webhook."


class TelegramUnreachable(TelegramFailed):
    """Telegram cannot be reached."""

    retryable = True
    remedy = "Check the network, or CARECITE_TELEGRAM_BASE_URL."


class UpdateUnreadable(TelegramFailed):
    """An update cannot be read."""

    remedy = "It is parked, and the next ones are read: there is nothing to do."
