"""One request of Slack, however it came: read, taken in, and only then acknowledged."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

from slack_bolt.response import BoltResponse

from bot.intake import Clicked, Edited, Intake, Joined, Said
from bot.metrics import accepting
from bot.slack.accounts import Account
from bot.slack.dialog import FIELD, SHORTCUT, open_dialog, read_dialog
from bot.slack.door import delete_post
from bot.slack.errors import EventUnreadable
from bot.slack.greeting import Greeting
from bot.slack.interactions import read_click, read_command, whisper_of
from bot.slack.languages import Languages
from bot.slack.reading import Deleted, Heard, Opened, Reader, Uninstalled
from bot.slack.rooms import Rooms
from reasoning.notices import notice
from storage.errors import StorageError
from storage.history.chat import Chat, Message, Post

_log = logging.getLogger(__name__)
Raw = Mapping[str, Any]


class Receiver:
    """For one workspace. Logs hold the ids of events, and nothing that is in them."""

    def __init__(self, account: Account, chat: Chat, intake: Intake) -> None:
        self._account = account
        self._chat = chat
        self._intake = intake
        self._rooms = Rooms(account.client)
        self._languages = Languages(account.client, chat, account.workspace)
        self._greeting = Greeting(account.client, self._languages)
        self._reader = Reader(chat, account)
        self._beside: set[asyncio.Task[Any]] = set()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def receive(self, body: Raw) -> BoltResponse:
        """What acknowledges it; a status of 503 where the database cannot be reached: it has to come again.

        What cannot be read, or what we stumble over, is parked. What comes of one chat is taken in the order
        in which it came: the library starts all at once.
        """
        place = _place_of(body)
        turn = self._turns.setdefault(place, asyncio.Lock())
        try:
            with accepting("slack"):
                async with turn:
                    return await self._take(body)
        except StorageError as error:
            if not error.retryable:
                return await self._park(body, type(error).__name__)
            _log.warning("a request comes again (%s)", type(error).__name__)
            return BoltResponse(status=503)
        except EventUnreadable:
            return await self._park(body, "unreadable")
        except Exception as error:
            return await self._park(body, type(error).__name__)

    async def close(self) -> None:
        """What runs beside the requests is finished."""
        await asyncio.gather(*self._beside, return_exceptions=True)

    async def _take(self, body: Raw) -> BoltResponse:
        if "command" in body:
            return await self._command(body)
        match body.get("type"):
            case "event_callback":
                event = body.get("event")
                if not isinstance(event, Mapping):
                    raise EventUnreadable
                await self._hear(await self._reader.read_event(event))
            case "block_actions":
                clicked = await read_click(body, self._chat, self._account.workspace)
                if clicked is not None:
                    await self._click(clicked, whisper_of(body))
            case "message_action" if body.get("callback_id") == SHORTCUT:
                language = await self._languages.of(_person_of(body)) or ""
                self._start(open_dialog(self._account.client, body, self._account.user, language))
            case "view_submission":
                return await self._submit(body)
        return BoltResponse(status=200)

    async def _hear(self, heard: Heard | None) -> None:
        match heard:
            case None:
                return
            case Deleted():
                await self._forget(heard.message)
            case Opened():
                self._start(self._greeting.greet(heard))
            case Uninstalled():
                await self._chat.erasure.of_workspace(self._account.workspace)
            case Said() | Edited() | Joined():
                await self._intake.take(replace(heard, message=await self._with_language(heard.message)))

    async def _forget(self, message: Message) -> None:
        """Its key stays taken, should the message itself come only now."""
        erased = await self._chat.erasure.of_message(message.workspace, message.place, message.message or "")
        await self._chat.inbox.hold(message, None)
        self._take_back(erased.posts)

    async def _click(self, clicked: Clicked, whisper: str | None) -> None:
        message = await self._with_language(clicked.message)
        reaction = await self._intake.take(replace(clicked, message=message))
        word, choices = reaction.word, reaction.choices
        if word and whisper:
            self._start(self._rooms.whisper_instead(whisper, word))
        elif word:
            self._start(self._rooms.whisper(message.place, message.sender, word, choices))
        self._take_back(reaction.posts)

    async def _command(self, body: Raw) -> BoltResponse:
        """Answered in the person's own chat with us; elsewhere a word says so, which only they see."""
        person = str(body.get("user_id") or "")
        place = await self._rooms.of(person) if person else None
        if place is None:
            return _word(notice("slack_no_room", ""))
        commanded = read_command(body, self._account.workspace, self._account.user, place)
        message = await self._with_language(commanded.message)
        await self._intake.take(replace(commanded, message=message))
        here = body.get("channel_id") == place.chat
        return BoltResponse(status=200) if here else _word(notice("slack_privately", message.language or ""))

    async def _submit(self, body: Raw) -> BoltResponse:
        """The dialog closes, or says why it does not."""
        person = _person_of(body)
        place = await self._rooms.of(person)
        if place is None:
            words = notice("slack_no_room", await self._languages.of(person) or "")
            return BoltResponse(status=200, body={"response_action": "errors", "errors": {FIELD: words}})
        said = read_dialog(body, self._account.workspace, self._account.user, place)
        await self._intake.take(replace(said, message=await self._with_language(said.message)))
        return BoltResponse(status=200)

    async def _with_language(self, message: Message) -> Message:
        """For what we say of ourselves. Where there are words Slack is not asked: they tell, and somebody in
        danger does not wait for it."""
        tells = any(character.isalpha() for character in message.text)
        ask = self._languages.kept if tells else self._languages.of
        return replace(message, language=await ask(message.sender))

    async def _park(self, body: Raw, reason: str) -> BoltResponse:
        key = body.get("event_id") or body.get("trigger_id")
        _log.warning("%s is parked (%s)", body.get("event_id") or "an interaction", reason)
        try:
            if key:
                await self._chat.inbox.park(self._account.workspace, f"parked:{key}", reason)
        except StorageError as error:
            _log.warning("a request comes again (%s)", type(error).__name__)
            return BoltResponse(status=503)
        return _word(notice("chat_apology", "")) if "command" in body else BoltResponse(status=200)

    def _take_back(self, posts: tuple[Post, ...]) -> None:
        for post in posts:
            self._start(delete_post(self._account.client, post))

    def _start(self, work: Coroutine[Any, Any, Any]) -> None:
        """Beside the next requests: nothing is lost where it fails."""
        self._beside.add(task := asyncio.create_task(work))
        task.add_done_callback(self._beside.discard)


def _person_of(body: Raw) -> str:
    try:
        return str(body["user"]["id"])
    except (KeyError, TypeError):
        raise EventUnreadable from None


def _word(text: str) -> BoltResponse:
    return BoltResponse(status=200, body={"response_type": "ephemeral", "text": text})


def _place_of(body: Raw) -> str:
    event = body.get("event")
    place = event.get("channel") if isinstance(event, Mapping) else body.get("channel")
    if isinstance(place, Mapping):
        place = place.get("id")
    return place if isinstance(place, str) else str(body.get("user_id") or "")
