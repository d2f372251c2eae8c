"""What carecite says of itself on one platform: on Slack to staff, on Telegram to everybody."""

from __future__ import annotations

from reasoning.notices import notice
from storage.history.chat import Platform

COMMANDS: dict[Platform, tuple[str, ...]] = {
    "slack": ("ask", "new", "history", "export", "delete", "privacy", "help"),
    "telegram": ("ask", "new", "history", "export", "delete", "stop", "privacy", "help", "start"),
}
_ON_SLACK = {  # other words for the same
    "chat_ask": "slack_ask",
    "chat_deleted_person": "slack_deleted_person",
    "chat_help": "slack_help",
    "chat_joined": "slack_joined",
    "chat_privacy": "slack_privacy",
    "chat_start": "slack_start",
    "scope": "slack_scope",
}


def word(code: str, language: str, platform: Platform) -> str:
    """The notice of that code, in the words of the platform. Raises KeyError."""
    return notice(_ON_SLACK.get(code, code) if platform == "slack" else code, language)
