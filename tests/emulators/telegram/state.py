"""What a Telegram with one bot holds: people, chats, messages, updates, commands. Plain data."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(slots=True)
class User:
    id: int
    first_name: str
    language: str = "en"
    username: str | None = None
    bot: bool = False

    def shown(self) -> Json:
        names = {"id": self.id, "is_bot": self.bot, "first_name": self.first_name}
        more = {"username": self.username} if self.username else {}
        return names | more | ({} if self.bot else {"language_code": self.language})


@dataclass(slots=True)
class Version:
    """What a message was before an edit."""

    text: str
    entities: list[Json]
    markup: Json | None
    at: float


@dataclass(slots=True)
class Message:
    """`at` is on the emulator's clock, `date` in seconds of the epoch; `more` is shown as it is."""

    id: int
    sender: User
    text: str
    date: int
    at: float
    entities: list[Json] = field(default_factory=list)
    dropped: list[Json] = field(default_factory=list)  # entities beyond the hundredth
    markup: Json | None = None
    reply_to: int | None = None
    topic: int | None = None
    edits: list[Version] = field(default_factory=list)
    deleted: bool = False
    file: str | None = None
    preview: bool = True  # the first link is unfolded
    more: Json = field(default_factory=dict)

    @property
    def links(self) -> list[str]:
        """Addresses that a reader can open: of text links and buttons, and bare ones."""
        marked = [entity["url"] for entity in self.entities if entity["type"] == "text_link"]
        rows = (self.markup or {}).get("inline_keyboard", [])
        buttons = [button["url"] for row in rows for button in row if "url" in button]
        return [*dict.fromkeys([*marked, *re.findall(r"https?://\S+", self.text), *buttons])]


@dataclass(slots=True)
class Draft:
    """What was shown while an answer was being made."""

    id: int
    text: str
    at: float


@dataclass(slots=True)
class Chat:
    """`kind` is private, group, supergroup or channel. The bot is in it unless `barred` says why not."""

    id: int
    kind: str
    title: str
    messages: list[Message] = field(default_factory=list)
    topics: dict[int, str] = field(default_factory=dict)
    barred: str | None = None
    migrated_to: int | None = None
    actions: list[tuple[str, float]] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    next_id: int = 1

    @property
    def private(self) -> bool:
        return self.kind == "private"

    @property
    def group(self) -> bool:
        return self.kind in ("group", "supergroup")

    def find(self, message_id: object) -> Message | None:
        return next(
            (one for one in self.messages if str(one.id) == str(message_id) and not one.deleted), None
        )

    def shown(self) -> Json:
        named = {"first_name": self.title} if self.private else {"title": self.title}
        forum = {"is_forum": True} if self.topics else {}
        return {"id": self.id, "type": self.kind} | named | forum


@dataclass(slots=True)
class Query:
    """A click; `answers` are what answerCallbackQuery said."""

    id: str
    user: int
    data: str
    answers: list[Json] = field(default_factory=list)


@dataclass(slots=True)
class File:
    id: str
    name: str
    content: bytes
    size: int


@dataclass(slots=True)
class State:
    bot: User
    reads_all: bool = False  # privacy mode is off
    users: dict[int, User] = field(default_factory=dict)
    chats: dict[int, Chat] = field(default_factory=dict)
    queries: dict[str, Query] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    commands: dict[str, list[Json]] = field(default_factory=dict)  # by scope and language
    texts: dict[str, Json] = field(default_factory=dict)  # descriptions, the menu button

    def shown(self, chat: Chat, message: Message, *, inner: bool = False) -> Json:
        """A message as the API and updates show it."""
        seen: Json = {"message_id": message.id, "date": message.date, "chat": chat.shown()}
        if chat.kind == "channel":
            seen["sender_chat"] = chat.shown()
        else:
            seen["from"] = message.sender.shown()
        has_media = message.file is not None or {"photo", "voice", "document"} & message.more.keys()
        text, marks = ("caption", "caption_entities") if has_media else ("text", "entities")
        if message.text:
            seen[text] = message.text
        if message.entities:
            seen[marks] = message.entities
        if message.markup and "inline_keyboard" in message.markup:
            seen["reply_markup"] = message.markup
        if message.topic is not None:
            seen |= {"message_thread_id": message.topic, "is_topic_message": True}
        if message.edits:
            seen["edit_date"] = int(message.date)
        if message.file is not None:
            seen["document"] = self.document(self.files[message.file])
        replied = chat.find(message.reply_to) if message.reply_to and not inner else None
        if replied is not None:
            seen["reply_to_message"] = self.shown(chat, replied, inner=True)
        return seen | message.more

    def document(self, file: File) -> Json:
        return {
            "file_id": file.id,
            "file_unique_id": f"u{file.id}",
            "file_name": file.name,
            "file_size": file.size,
        }
