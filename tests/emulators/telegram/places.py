"""Chats and who is in them: joining, leaving, blocking, migrating; and updates as they are."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from tests.emulators.telegram.refusals import utf16_length
from tests.emulators.telegram.state import Chat, Json, Message, User

if TYPE_CHECKING:
    from tests.emulators.telegram.server import TelegramServer

_MARKS = {
    "bot_command": re.compile(r"(?<![\w/])/[A-Za-z0-9_]{1,64}(?:@\w{5,32})?"),
    "mention": re.compile(r"(?<![\w/])@\w{5,32}"),
    "hashtag": re.compile(r"(?<!\w)#\w+"),
    "url": re.compile(r"https?://\S+"),
}


def entities_of(text: str) -> list[Json]:
    """What Telegram sees in a text by itself."""
    found = [
        {
            "type": kind,
            "offset": utf16_length(text[: match.start()]),
            "length": utf16_length(match.group()),
        }
        for kind, pattern in _MARKS.items()
        for match in pattern.finditer(text)
    ]
    return sorted(found, key=lambda entity: int(entity["offset"]))


class Places:
    def __init__(self, server: TelegramServer) -> None:
        self._server = server
        self._state = server.state

    def _user(self, user: int) -> User:
        if user not in self._state.users:
            self._state.users[user] = User(user, f"person {user}")
        return self._state.users[user]

    def _chat(self, chat: int | None, user: int) -> Chat:
        """A group by its id, or the private chat with a person, made when they first write."""
        if chat is None or chat == user:
            self._user(user)
            return self._state.chats.setdefault(user, Chat(user, "private", f"person {user}"))
        if chat not in self._state.chats:
            raise LookupError(f"no chat {chat}")
        return self._state.chats[chat]

    def _message(self, chat: Chat, message_id: int) -> Message:
        message = chat.find(message_id)
        if message is None:
            raise LookupError(f"no message {message_id} in {chat.id}")
        return message

    def _even_deleted(self, chat: Chat, message_id: int) -> Message:
        """What a button of a message that is gone belongs to."""
        for message in chat.messages:
            if message.id == message_id:
                return message
        raise LookupError(f"no message {message_id} in {chat.id}")

    def _put(self, chat: Chat, sender: User, text: str, **more: Any) -> Message:
        message = Message(chat.next_id, sender, text, int(time.time()), time.monotonic())
        message.entities = entities_of(text)
        for name, value in more.items():
            setattr(message, name, value)
        chat.next_id += 1
        chat.messages.append(message)
        return message

    def _tell(self, kind: str, chat: Chat, message: Message) -> None:
        """The update, unless privacy mode or a block keeps it from the bot."""
        if chat.barred or (chat.group and not self._hears(chat, message)):
            return
        if chat.kind == "channel":
            kind = kind.replace("message", "channel_post")
        self._server.updates.add(kind, self._state.shown(chat, message), chat.id)

    def _hears(self, chat: Chat, message: Message) -> bool:
        if self._state.reads_all or not (message.text or message.file):
            return True
        replied = chat.find(message.reply_to) if message.reply_to else None
        if replied is not None and replied.sender is self._state.bot:
            return True
        command, _, addressed = (
            message.text.split(maxsplit=1)[0].partition("@") if message.text else ("", "", "")
        )
        mine = addressed.lower() in ("", str(self._state.bot.username).lower())
        return command.startswith("/") and mine

    async def add_user(self, user: int, *, language: str = "en", username: str | None = None) -> None:
        """Who has not written yet."""
        self._state.users[user] = User(user, f"person {user}", language, username)

    async def add_group(
        self, chat: int, *, kind: str = "supergroup", topics: dict[str, str] | None = None, user: int = 11
    ) -> None:
        """A group or channel that the bot joins; `topics` by id make it a forum."""
        place = Chat(
            chat, kind, f"group {chat}", topics={int(key): name for key, name in (topics or {}).items()}
        )
        self._state.chats[chat] = place
        self._membership(place, user, "left", "member")

    def _membership(self, chat: Chat, user: int, before: str, after: str) -> None:
        bot = self._state.bot.shown()

        def member(status: str) -> Json:
            return {"user": bot, "status": status} | ({"until_date": 0} if status == "kicked" else {})

        told = {"chat": chat.shown(), "from": self._user(user).shown(), "date": int(time.time())}
        told |= {"old_chat_member": member(before), "new_chat_member": member(after)}
        self._server.updates.add("my_chat_member", told, chat.id)

    async def block(self, *, user: int = 11) -> None:
        place = self._chat(None, user)
        place.barred = "bot was blocked by the user"
        self._membership(place, user, "member", "kicked")

    async def unblock(self, *, user: int = 11) -> None:
        place = self._chat(None, user)
        place.barred = None
        self._membership(place, user, "kicked", "member")

    async def remove_bot(self, chat: int, *, user: int = 11) -> None:
        """The bot is thrown out of a group."""
        place = self._chat(chat, user)
        place.barred = f"bot was kicked from the {place.kind} chat"
        self._membership(place, user, "member", "kicked")

    async def migrate(self, chat: int, new: int, *, user: int = 11) -> None:
        """A group becomes a supergroup with another id; both are told of it."""
        old = self._chat(chat, user)
        place = Chat(new, "supergroup", old.title)
        self._state.chats[new] = place
        self._tell("message", old, self._put(old, self._user(user), "", more={"migrate_to_chat_id": new}))
        old.migrated_to = new
        self._tell(
            "message", place, self._put(place, self._user(user), "", more={"migrate_from_chat_id": chat})
        )

    async def push(self, update: Json) -> int:
        """Any update as it is; the id it has."""
        return self._server.updates.push(update)

    async def push_broken(self, text: str, *, user: int = 11) -> int:
        """A message without its date, which no library can parse."""
        place = self._chat(None, user)
        shown = self._state.shown(place, self._put(place, self._user(user), text))
        shown.pop("date")
        return self._server.updates.push({"message": shown}, place.id)

    async def push_unknown(self) -> int:
        """A kind of update that no library knows yet."""
        return self._server.updates.push({"telepathy": {"from": self._user(11).shown()}})

    async def redeliver(
        self, message_id: int, *, user: int = 11, chat: int | None = None, times: int = 1
    ) -> int:
        """The updates of a message again, with the same ids."""
        place = self._chat(chat, user)
        known = [one for one in self._server.updates.all if _is_about(one.payload, place.id, message_id)]
        for update in known:
            self._server.updates.repeat(update, times)
        return len(known)


def _is_about(payload: Json, chat: int, message_id: int) -> bool:
    told = payload.get("message") or payload.get("edited_message") or payload.get("channel_post") or {}
    return bool(told.get("message_id") == message_id and told["chat"]["id"] == chat)
