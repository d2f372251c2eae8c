"""Slack: events by Socket Mode or signed HTTP in, messages out.

sockets | requests ── slack-bolt ─> receiving.Receiver ── reading | interactions | dialog ─> bot.intake
bot.sender ── Delivery ─> door.SlackDoor
signs: that a question is being worked on
accounts: who we are in each workspace      installing: pages where one allows the app
surface.open_slack puts them together
"""

from bot.slack.surface import SlackSurface, open_slack

__all__ = ["SlackSurface", "open_slack"]
