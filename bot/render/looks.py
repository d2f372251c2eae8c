"""The look of each platform."""

from __future__ import annotations

from bot.render.look import Look
from bot.render.slack.look import SlackLook
from bot.render.telegram.look import TelegramLook
from storage.history.chat import Platform

LOOKS: dict[Platform, Look] = {"slack": SlackLook(), "telegram": TelegramLook()}
