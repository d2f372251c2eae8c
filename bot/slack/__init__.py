"""Slack: events by Socket Mode or signed HTTP in, messages out.

sockets | requests ── slack-bolt ── body ─> receiving.Receiver ── reading ─> bot.intake
bot.sender ── Delivery ─> door.SlackDoor
surface.open_slack puts them together
"""

from bot.slack.surface import SlackSurface, open_slack

__all__ = ["SlackSurface", "open_slack"]
