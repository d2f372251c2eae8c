"""An update as Telegram sends it becomes something that somebody did, or nothing for us.

Of a group only what is said to us is read: a command (unless it names another bot), a reply to a message of
ours, a mention of us in any case. Other bots, our own echoes, channel posts and service messages are passed
over. Telegram says nothing about deleted messages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from telegram import Bot, CallbackQuery, ChatMemberUpdated, Message, MessageEntity, Update, User

from bot.intake import Clicked, Commanded, Edited, Incoming, Joined, Said
from bot.telegram.errors import UpdateUnreadable
from storage.history.chat import Message as Sent
from storage.history.chat import Place

KINDS = (  # all that is asked for; another kind that comes all the same is parked
    *("message", "edited_message", "channel_post", "edited_channel_post"),
    *("callback_query", "my_chat_member"),
)
_COMMAND = re.compile(r"/(\w{1,32})(?:@(\w+))?(?:\s+|$)")
_ABSENT = ("left", "kicked")


@dataclass(frozen=True, slots=True)
class Reader:
    """`me` is our bot, `workspace` its row in the store."""

    bot: Bot
    me: User
    workspace: int

    def read_update(self, raw: Mapping[str, Any]) -> Incoming | None:
        """None where it is nothing for us. Raises UpdateUnreadable, and tells nothing of what is in it."""
        try:
            update = Update.de_json(dict(raw), self.bot)
            if not any(name in raw for name in KINDS):
                raise UpdateUnreadable
            offset = update.update_id + 1
            if update.callback_query:
                return self._read_click(update.callback_query, update.update_id, offset)
            if update.my_chat_member:
                return self._read_membership(update.my_chat_member, update.update_id, offset)
            if update.edited_message:
                sent = self._read_sent(update.edited_message, update.update_id)
                return Edited(sent, offset) if sent else None
            return self._read_message(update.message, update.update_id, offset) if update.message else None
        except UpdateUnreadable:
            raise
        except Exception:
            raise UpdateUnreadable from None

    def _read_message(self, message: Message, update: int, offset: int) -> Incoming | None:
        sent = self._read_sent(message, update)
        if sent is None:
            return None
        written = message.text or message.caption or ""
        media = message.effective_attachment is not None
        if not written and not media:
            return None  # somebody joined, a title changed, a group moved
        command = _COMMAND.match(written)
        if command and not message.forward_origin:
            name, whom = command[1].lower(), command[2]
            if whom and whom.lower() != (self.me.username or "").lower():
                return None
            return Commanded(sent, name, self._read_about(message.reply_to_message), offset)
        if sent.place.shared and not self._is_for_us(message):
            return None
        obstacle = "forwarded" if message.forward_origin else "media" if media else None
        return Said(sent, obstacle, offset)  # type: ignore[arg-type]  # mypy widens the conditional to str

    def _read_click(self, query: CallbackQuery, update: int, offset: int) -> Incoming | None:
        if query.message is None or query.data is None or query.from_user.is_bot:
            return None
        shown = query.message if isinstance(query.message, Message) else None
        place = Place(
            str(query.message.chat.id),
            _topic_of(shown) if shown else None,
            query.message.chat.type != "private",
        )
        sent = self._sent(update, query.from_user, place, "", None)
        return Clicked(sent, query.data, self._read_about(shown and shown.reply_to_message), offset)

    def _read_membership(self, changed: ChatMemberUpdated, update: int, offset: int) -> Incoming | None:
        """We say how to ask where we come into a group; leaving needs no word."""
        came = changed.old_chat_member.status in _ABSENT and changed.new_chat_member.status not in _ABSENT
        if not came or changed.chat.type not in ("group", "supergroup"):
            return None
        place = Place(str(changed.chat.id), None, True)
        sent = self._sent(update, changed.from_user, place, "", None)
        return Joined(sent, bool(self.me.can_read_all_group_messages), offset)

    def _read_sent(self, message: Message, update: int) -> Sent | None:
        """None for bots (we are one) and for posts of channels and groups, which are nobody's."""
        if message.from_user is None or message.from_user.is_bot or message.is_automatic_forward:
            return None
        place = Place(str(message.chat.id), _topic_of(message), message.chat.type != "private")
        text = self._words_of(message)
        return self._sent(update, message.from_user, place, text, str(message.message_id))

    def _read_about(self, message: Message | None) -> Sent | None:
        """The message that a command or our post replies to; somebody else's keeps its own sender."""
        sent = self._read_sent(message, 0) if message else None
        return replace(sent, key="") if sent else None

    def _sent(self, update: int, user: User, place: Place, text: str, message: str | None) -> Sent:
        language = (user.language_code or "").partition("-")[0].lower() or None
        return Sent(self.workspace, str(update), str(user.id), place, text, message, language)

    def _words_of(self, message: Message) -> str:
        """Without a leading command and without mentions of us."""
        text = message.text or message.caption or ""
        if not message.forward_origin:
            text = _COMMAND.sub("", text, count=1) if _COMMAND.match(text) else text
        if self.me.username:
            text = re.sub(rf"(?<!\w)@{re.escape(self.me.username)}\b", " ", text, flags=re.IGNORECASE)
        return text.strip()

    def _is_for_us(self, message: Message) -> bool:
        replied = message.reply_to_message
        if replied is not None and replied.from_user is not None and replied.from_user.id == self.me.id:
            return True
        mentions = {**message.parse_entities([MessageEntity.MENTION, MessageEntity.TEXT_MENTION])}
        mentions |= message.parse_caption_entities([MessageEntity.MENTION, MessageEntity.TEXT_MENTION])
        ours = f"@{self.me.username}".lower()
        return any(
            words.lower() == ours or (entity.user is not None and entity.user.id == self.me.id)
            for entity, words in mentions.items()
        )


def _topic_of(message: Message) -> str | None:
    """Replies in groups without topics have a thread id as well, which nobody can post to."""
    return str(message.message_thread_id) if message.is_topic_message else None
