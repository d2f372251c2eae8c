"""What Telegram takes. Pure functions: None, or the refusal as the Bot API words it.

Sources: core.telegram.org/bots/api and /bots/faq; wording as public reports quote it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.emulators.telegram.formatting import Entity, Formatted, format_text
from tests.emulators.telegram.refusals import Refusal, Refused, utf16_length
from tests.emulators.windows import Limits

TEXT = 4_096  # UTF-16 units after the entities are parsed
CAPTION = 1_024
CALLBACK_DATA = 64  # bytes
BUTTONS = 100
CALLBACK_ANSWER = 200
COMMANDS, COMMAND_WORDS = 100, 256
OVERALL, CHAT, GROUP = (30, 1.0), (1, 1.0), (20, 60.0)  # messages and edits, seconds
_ACTIONS = ("url", "callback_data", "web_app", "login_url", "switch_inline_query", "copy_text", "pay")
_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
NOT_MODIFIED = Refusal(
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the "
    "same as a current content and reply markup of the message"
)

__all__ = ["Entity", "Formatted", "Refusal", "Refused", "format_text", "utf16_length"]


def check_text(
    text: str,
    entities: Sequence[Entity] | None = None,
    parse_mode: str | None = None,
    *,
    limit: int = TEXT,
    edit: bool = False,
) -> Refusal | None:
    """The text of sendMessage or, with `edit`, of editMessageText."""
    try:
        kept = format_text(text, entities, parse_mode)
    except Refused as refused:
        return refused.refusal
    if not kept.text:
        return Refusal("Bad Request: message text is empty")
    if utf16_length(kept.text) > limit:
        return Refusal("Bad Request: MESSAGE_TOO_LONG" if edit else "Bad Request: message is too long")
    return None


def check_caption(
    text: str, entities: Sequence[Entity] | None = None, parse_mode: str | None = None
) -> Refusal | None:
    """A caption, which may be empty."""
    if not text:
        return None
    refusal = check_text(text, entities, parse_mode, limit=CAPTION)
    long = refusal and "too long" in refusal.description
    return Refusal("Bad Request: message caption is too long") if long else refusal


def check_keyboard(markup: Mapping[str, Any] | None) -> Refusal | None:
    """An inline keyboard; reply keyboards are taken as they are."""
    rows = (markup or {}).get("inline_keyboard", [])
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return Refusal("Bad Request: object expected as reply markup")
    buttons = [button for row in rows for button in row]
    if len(buttons) > BUTTONS:
        return Refusal("Bad Request: REPLY_MARKUP_TOO_LONG")
    for button in buttons:
        if not str(button.get("text") or "").strip():
            return Refusal("Bad Request: can't parse inline keyboard button: Text buttons are unallowed")
        if sum(name in button for name in _ACTIONS) != 1:
            return Refusal("Bad Request: can't parse inline keyboard button: Text buttons are unallowed")
        data = button.get("callback_data")
        if data is not None and not 1 <= len(data.encode()) <= CALLBACK_DATA:
            return Refusal("Bad Request: BUTTON_DATA_INVALID")
    return None


def check_modified(old: tuple[object, ...], new: tuple[object, ...]) -> Refusal | None:
    """Text, entities and keyboard before and after an edit."""
    return NOT_MODIFIED if old == new else None


def check_commands(commands: Sequence[Mapping[str, Any]]) -> Refusal | None:
    """setMyCommands."""
    if len(commands) > COMMANDS:
        return Refusal("Bad Request: BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not _COMMAND.fullmatch(str(command.get("command", "")).removeprefix("/")):
            return Refusal("Bad Request: BOT_COMMAND_INVALID")
        if not 1 <= utf16_length(str(command.get("description", ""))) <= COMMAND_WORDS:
            return Refusal("Bad Request: BOT_COMMAND_DESCRIPTION_INVALID")
    return None


def check_secret(secret: str | None) -> Refusal | None:
    """setWebhook's secret_token."""
    if not secret or _SECRET.fullmatch(secret):
        return None
    return Refusal("Bad Request: secret token contains unallowed characters")


def limits_of(chat: int, *, group: bool, scale: float = 1.0) -> Limits:
    """What a message or edit is counted against; `scale` shortens all windows for tests, 0 switches off."""
    if not scale:
        return {}
    most = {"overall": OVERALL, f"chat {chat}": CHAT} | ({f"group {chat}": GROUP} if group else {})
    return {counted: (limit, window * scale) for counted, (limit, window) in most.items()}
