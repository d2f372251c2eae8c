"""An answer as Telegram takes it: plain text with entities, which cannot fail to parse."""

from bot.render.telegram.entities import Entity
from bot.render.telegram.messages import TelegramPart, draw_answer, draw_reply, shown_text

__all__ = ["Entity", "TelegramPart", "draw_answer", "draw_reply", "shown_text"]
