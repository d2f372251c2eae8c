"""Telegram: updates by long polls or webhook in, messages out.

polling | webhook ── raw update ─> receiving.Receiver ── reading.read_update ─> bot.intake
bot.sender ── Delivery ─> door.TelegramDoor
signs: that a question is being worked on
surface.open_telegram puts them together
"""

from bot.telegram.surface import TelegramSurface, open_telegram

__all__ = ["TelegramSurface", "open_telegram"]
