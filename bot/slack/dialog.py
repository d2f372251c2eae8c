"""The shortcut on a message: its words in a dialog, where they can be changed, then a question of one's own.

It is answered in the person's own chat with us, since the message may be somebody else's.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from bot.intake import Said
from bot.slack.calls import FAILURES, reason_of
from bot.slack.errors import EventUnreadable
from bot.slack.texts import words_of
from reasoning.notices import notice
from storage.history.chat import Message, Place

_log = logging.getLogger(__name__)
Raw = Mapping[str, Any]
SHORTCUT = "ask_about"  # callback_id of the shortcut, as the manifest has it, and of the dialog
FIELD = "question"
_LONGEST = 3000  # characters that a field takes


async def open_dialog(client: AsyncWebClient, body: Raw, me: str, language: str) -> None:
    """Raises EventUnreadable. Where Slack does not open it, there is no dialog, and nothing is lost."""
    try:
        trigger, text = str(body["trigger_id"]), str(body["message"].get("text") or "")
    except (KeyError, TypeError, AttributeError):
        raise EventUnreadable from None
    try:
        await client.views_open(trigger_id=trigger, view=_dialog(words_of(text, me), language))
    except FAILURES as error:
        _log.info("a dialog was not opened (%s)", reason_of(error))


def read_dialog(body: Raw, workspace: int, me: str, place: Place) -> Said:
    """What was sent from the dialog, once. Raises EventUnreadable."""
    try:
        view = body["view"]
        text = str(view["state"]["values"][FIELD][FIELD]["value"] or "")
        message = Message(workspace, f"view:{view['id']}", str(body["user"]["id"]), place, words_of(text, me))
    except (KeyError, TypeError):
        raise EventUnreadable from None
    return Said(message)


def _dialog(words: str, language: str) -> dict[str, Any]:
    field: dict[str, Any] = {"type": "plain_text_input", "action_id": FIELD, "multiline": True}
    if words:
        field |= {"initial_value": words[:_LONGEST]}
    label = _plain("slack_dialog_label", language)
    return {
        "type": "modal",
        "callback_id": SHORTCUT,
        "title": _plain("slack_dialog_title", language),
        "submit": _plain("slack_dialog_submit", language),
        "close": _plain("slack_dialog_close", language),
        "blocks": [{"type": "input", "block_id": FIELD, "label": label, "element": field}],
    }


def _plain(code: str, language: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": notice(code, language), "emoji": False}
