"""Telegram's stage: private chats, in which an answer replies to its question."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from reasoning.notices import notice
from storage.history.chat import Chat, Platform
from tests.emulators.chat.ledger import Throttle
from tests.emulators.telegram.server import TelegramServer
from tests.emulators.telegram.state import Message
from tests.stages.stage import LONG, WAITING, Asked


class TelegramStage:
    platform: Platform = "telegram"

    def __init__(self, server: TelegramServer) -> None:
        self.server = server

    @property
    def settings(self) -> dict[str, str]:
        return {
            "CARECITE_TELEGRAM_TOKEN": self.server.token,
            "CARECITE_TELEGRAM_BASE_URL": self.server.base_url,
        }

    async def welcome(self, people: Iterable[int]) -> None:
        await asyncio.gather(*(self._welcome(person) for person in people))

    async def _welcome(self, person: int) -> None:
        await self.server.people.say("/start", user=person)
        (asks,) = await self._shown(person, "Do you agree?")
        await self.server.people.click(asks, "consent:yes", user=person)
        await self._shown(person, notice("chat_agreed", "en"))

    async def _shown(self, person: int, words: str) -> list[int]:
        def found() -> list[int]:
            return [one.id for one in self._ours(person) if words in one.text]

        assert await self.server.until(found, LONG)
        return found()

    async def welcome_quietly(self, chat: Chat, people: Iterable[int]) -> None:
        workspace = await chat.workspaces.install("telegram", str(self.server.state.bot.id))
        for person in people:
            await chat.people.note_consent(workspace.id, str(person), "given", "en")

    async def deliver(self, copies: int) -> None:
        await self.server.copies(copies)

    async def ask(self, person: int, text: str) -> Asked:
        return Asked(person, await self.server.people.say(text, user=person))

    async def edit(self, asked: Asked, text: str) -> None:
        await self.server.people.edit(int(asked.message), text, user=asked.person)

    async def push_broken(self, person: int) -> None:
        await self.server.people.push_broken("broken", user=person)

    async def settle(self, seconds: float = LONG) -> bool:
        return await self.server.settle(seconds)

    def answers(self, asked: Asked) -> list[str]:
        said = [one.text for one in self._replies(asked.person) if one.reply_to == asked.message]
        return [words for words in said if not words.startswith((*WAITING, notice("chat_edited", "en")))]

    def replies(self, person: int) -> list[int | str]:
        return [*dict.fromkeys(one.reply_to for one in self._replies(person) if one.reply_to is not None)]

    def arrivals(self) -> int:
        return sum(one.handed_out for one in self.server.updates.all)

    def accept_seconds(self) -> list[float]:
        return [one.confirmed_at - one.at for one in self.server.updates.all if one.confirmed_at is not None]

    def sign_seconds(self, asked: Asked) -> float | None:
        place = self.server.state.chats[asked.person]
        question = place.find(int(asked.message))
        first = next((one for one in self._replies(asked.person) if one.reply_to == asked.message), None)
        return first.at - question.at if first and question else None

    async def throttle(self, times: int, apart: int) -> None:
        for n in range(1, times + 1):
            await self.server.fail(kind="throttle", method="sendMessage", value=1, after=n * apart)

    def ignored(self) -> Sequence[Throttle]:
        return self.server.ledger.ignored

    def throttled(self) -> int:
        return len(self.server.ledger.throttles)

    def _ours(self, person: int) -> list[Message]:
        place = self.server.state.chats.get(person)
        mine = self.server.state.bot
        return [one for one in place.messages if one.sender is mine and not one.deleted] if place else []

    def _replies(self, person: int) -> list[Message]:
        return [one for one in self._ours(person) if one.reply_to is not None]
