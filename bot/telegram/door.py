"""How a part goes out to Telegram, and what its refusals mean."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

from telegram import Bot
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from bot.sender import LONGEST_WAIT, Later, Refused, wait_after
from bot.telegram.signs import Signs
from bot.telegram.waits import seconds_of
from storage.history.chat import Delivery, Pace, Place, Platform, Post

_log = logging.getLogger(__name__)
# 1 message a second in a chat, 20 a minute in a group, 30 a second in all (core.telegram.org/bots/faq); edits
# count. A little more, since Telegram's clock starts when a message arrives there.
PACE = Pace(private=1.05, shared=3.1, overall=0.04)
_SAME, _GONE, _LOST = "message is not modified", ("message to edit not found", "can't be edited"), "not found"


class TelegramDoor:
    """Of one bot: another one has chats of the same numbers."""

    platform: Platform = "telegram"
    pace: Pace = PACE

    def __init__(self, bot: Bot, workspace: int, signs: Signs) -> None:
        self._bot = bot
        self._signs = signs
        self.workspace: int | None = workspace

    async def send(self, delivery: Delivery) -> str | None:
        """A group that moved is followed. Without an answer it is sent again: Telegram has no way to ask
        whether a message arrived, so a post may stand there twice, an edit may not."""
        try:
            try:
                with self._signs.holding(delivery.place):
                    return await self._send(delivery)
            except ChatMigrated as moved:
                place = replace(delivery.place, chat=str(moved.new_chat_id))
                return await self._send(replace(delivery, place=place, reply_to=None))
        except RetryAfter as error:
            self._signs.rest(seconds_of(error))
            raise Later(seconds_of(error), "flood") from None
        except Forbidden:
            raise Refused("forbidden") from None
        except InvalidToken:
            raise Later(LONGEST_WAIT, "token", everywhere=True) from None
        except BadRequest as error:
            raise Refused(_code_of(error)) from None
        except NetworkError as error:
            raise Later(wait_after(delivery.attempt), type(error).__name__) from None

    async def _send(self, delivery: Delivery) -> str | None:
        body = dict(delivery.body)
        quotes = bool(body.pop("quotes", False))
        place = delivery.place
        if delivery.kind == "edit" and delivery.message is not None:
            try:
                await self._edit(place, delivery.message, body)
            except BadRequest as error:
                said = error.message.lower()
                if any(words in said for words in _GONE):
                    return await self._post(place, body, self._where(delivery, quotes))
                if _SAME not in said:
                    raise
            return None
        return await self._post(place, body, self._where(delivery, quotes))

    def _where(self, delivery: Delivery, quotes: bool) -> dict[str, Any]:
        place = delivery.place
        where: dict[str, Any] = {"message_thread_id": int(place.thread)} if place.thread else {}
        if quotes and delivery.reply_to is not None:
            where["reply_parameters"] = {
                "message_id": int(delivery.reply_to),
                "allow_sending_without_reply": True,
            }
        return where

    async def _edit(self, place: Place, message: str, body: dict[str, Any]) -> None:
        async def edit(body: dict[str, Any]) -> None:
            text = str(body.pop("text"))
            await self._bot.edit_message_text(text, int(place.chat), int(message), api_kwargs=body)

        await _or_plain(edit, body)

    async def _post(self, place: Place, body: dict[str, Any], where: dict[str, Any]) -> str:
        async def post(body: dict[str, Any]) -> str:
            body = body | where
            if "file" in body:
                content = str(body.pop("content")).encode()
                name = str(body.pop("file"))
                sent = await self._bot.send_document(int(place.chat), content, filename=name, api_kwargs=body)
            else:
                text = str(body.pop("text"))
                sent = await self._bot.send_message(int(place.chat), text, api_kwargs=body)
            self._signs.renew(place)
            return str(sent.message_id)

        return str(await _or_plain(post, body))

    async def take_back(self, post: Post) -> None:
        try:
            await self._bot.delete_message(int(post.place.chat), int(post.message))
        except TelegramError as error:
            _log.info("a post was not taken back (%s)", type(error).__name__)


async def _or_plain(send: Any, body: dict[str, Any]) -> Any:
    """Where Telegram refuses a message with entities, the text alone must arrive (chat.md 3, row 6)."""
    try:
        return await send(dict(body))
    except BadRequest as error:
        said = error.message.lower()
        if "entities" not in body or _SAME in said or _LOST in said or any(words in said for words in _GONE):
            raise
        return await send({name: value for name, value in body.items() if name != "entities"})


def _code_of(error: BadRequest) -> str:
    """A refusal in one of a few words: Telegram's own may quote what was sent."""
    said = error.message.lower()
    for words, code in (
        ("chat not found", "chat_gone"),
        ("thread not found", "topic_gone"),
        ("topic", "topic_closed"),
        ("rights", "no_rights"),
        ("too long", "too_long"),
        ("entities", "entities"),
    ):
        if words in said:
            return code
    return "bad_request"
