"""What can go wrong with Telegram.

TelegramFailed
├── TokenRefused
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


class TelegramUnreachable(TelegramFailed):
    """Telegram cannot be reached."""

    retryable = True
    remedy = "Check the network, or CARECITE_TELEGRAM_BASE_URL."


class UpdateUnreadable(TelegramFailed):
    """An update cannot be read."""

    remedy = "It is parked, and the next ones are read: there is nothing to do."
