"""The one place that decides what an incoming message becomes."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from bot.intake.access import Access
from bot.intake.clicks import take_click
from bot.intake.commands import run_command
from bot.intake.desk import Desk
from bot.intake.incoming import Clicked, Commanded, Edited, Incoming, Joined, Reaction, Said
from bot.render.look import Choice, Look, parts_of
from config import Settings
from reasoning.notices import notice
from storage.history.chat import Budget, Chat, Platform

NOTHING = Reaction()


class Intake:
    """For one workspace of a platform. Whatever it returns from is committed: only then the platform is told
    "received". Budgets and the country of crisis lines are those of the settings.

    Raises StorageError, of which a retryable one means: take the same again later.
    """

    def __init__(
        self,
        platform: Platform,
        chat: Chat,
        look: Look,
        settings: Settings,
        *,
        asks_consent: bool,
        access: Access,
        whispers: bool = False,
    ) -> None:
        limits = settings.chat
        budget = Budget(limits.person_daily, limits.workspace_daily, limits.conversation_minutely)
        self._desk = Desk(platform, chat, look, budget, asks_consent, access, settings.country, whispers)

    async def take(self, incoming: Incoming) -> Reaction:
        match incoming:
            case Said():
                await self._said(incoming)
            case Commanded():
                await self._commanded(incoming)
            case Clicked():
                return await take_click(self._desk, incoming)
            case Edited():
                await self._edited(incoming)
            case Joined():
                await self._joined(incoming)
            case _:
                assert_never(incoming)
        return NOTHING

    async def _said(self, said: Said) -> None:
        message, desk = said.message, self._desk
        person = await desk.find(message)
        if await desk.help_at_once(message, person, said.offset):
            return
        if said.obstacle == "forwarded" or (said.obstacle == "media" and not message.text.strip()):
            words = notice(f"chat_{said.obstacle}", desk.language(message))
            await desk.say(message, words, said.offset)
        else:
            await desk.ask(message, person, said.offset, unread=said.obstacle == "media")

    async def _commanded(self, commanded: Commanded) -> None:
        person = await self._desk.find(commanded.message)
        if not await self._desk.help_at_once(commanded.message, person, commanded.offset):
            await run_command(self._desk, commanded, person)

    async def _edited(self, edited: Edited) -> None:
        """Danger is answered at once, as a message of its own; before the answer the new words take the place
        of the old ones, after it a button asks them anew."""
        message, desk = edited.message, self._desk
        person = await desk.find(message)
        if await desk.help_at_once(replace(message, message=None), person, edited.offset):
            return
        language = desk.language(message)
        choices = [Choice("again", notice("chat_answer_edited", language))]
        bodies = desk.look.reply(notice("chat_edited", language), choices=choices)
        parts = parts_of("edited", bodies)
        outcome = await desk.chat.inbox.edit(message, parts=parts, offset=edited.offset)
        if outcome == "unchanged" and edited.unheard is not None:
            await desk.ask(edited.unheard, person, edited.offset)

    async def _joined(self, joined: Joined) -> None:
        desk, language = self._desk, self._desk.language(joined.message)
        words = desk.word("chat_joined", language)
        if not joined.hears_all:
            words = f"{words} {notice('chat_joined_privately', language)}"
        await desk.say(joined.message, words, joined.offset)
