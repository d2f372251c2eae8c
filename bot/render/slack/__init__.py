"""An answer as Slack takes it: parts of blocks, with the same words as plain text for notifications."""

from bot.render.slack.messages import SlackPart, draw_answer, draw_reply, shown_text

__all__ = ["SlackPart", "draw_answer", "draw_reply", "shown_text"]
