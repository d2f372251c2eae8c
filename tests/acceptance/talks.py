"""Talks on both platforms, several at once: everybody says a word of their own, which nobody else may get."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from tests.emulators.slack.server import SlackServer
from tests.emulators.telegram.server import TelegramServer
from tests.stages.stage import LONG

_SUBJECTS = itertools.cycle(("gout", "asthma"))
_WORDS = (f"quokka{one}{two}" for one, two in itertools.product("bcdfghjklm", repeat=2))


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody on a platform: of Slack also the workspace."""

    person: str
    team: str = ""


@dataclass(slots=True)
class Talk:
    """`place` is a channel or chat, None a direct one; `thread` the topic, or on Slack its first message.
    Who asks first names the subject. `words` are what each tells of themselves, when they first speak."""

    seats: tuple[Seat, ...]
    place: str | None = None
    thread: str | None = None
    subject: str = field(default_factory=lambda: next(_SUBJECTS))
    words: dict[Seat, str] = field(default_factory=dict)

    def turns(self) -> Iterator[tuple[Seat, str]]:
        """Each with what they say."""
        for n, seat in enumerate(self.seats):
            own = ""
            if seat not in self.words:
                self.words[seat] = next(_WORDS)
                own = f"My dog is called {self.words[seat]}. "
            asked = (f"What are the symptoms of {self.subject}?", "How is it treated?", "Can it come back?")
            yield seat, own + asked[n]


class Side(Protocol):
    """One platform."""

    seats: tuple[Seat, ...]

    async def say(self, talk: Talk, seat: Seat, text: str) -> None: ...

    async def command(self, seat: Seat, name: str) -> None:
        """In their direct chat."""
        ...

    async def press(self, seat: Seat, below: str, button: str) -> None:
        """A button in their direct chat, once it is there."""
        ...

    def shown(self, talk: Talk) -> str:
        """All that we have ever shown there, whatever became of it."""
        ...

    def left(self, seat: Seat) -> str:
        """What still stands in their direct chat."""
        ...


@dataclass(slots=True)
class SlackSide:
    server: SlackServer
    seats: tuple[Seat, ...]
    asked: list[str] = field(default_factory=list)  # ids of messages

    async def say(self, talk: Talk, seat: Seat, text: str) -> None:
        channel, first = talk.place or "dm", talk.place is not None and talk.thread is None
        where = {"user": seat.person, "team": seat.team}
        ts = await self.server.people.say(channel, text, mention=first, thread_ts=talk.thread, **where)
        talk.thread = ts if first else talk.thread
        self.asked.append(ts)
        assert await self.server.settle(LONG)

    async def command(self, seat: Seat, name: str) -> None:
        await self.server.people.slash("dm", name, user=seat.person, team=seat.team)

    async def press(self, seat: Seat, below: str, button: str) -> None:
        channel = self._direct(seat)
        workspace = self.server.workspaces[seat.team]

        def found() -> list[str]:
            messages = workspace.channels[channel].messages
            ours = [one for one in messages if one.bot_id == workspace.bot_id and not one.deleted]
            return [one.ts for one in ours if below in one.text]

        assert await self.server.until(found, LONG)
        await self.server.people.click(channel, found()[-1], button, user=seat.person, team=seat.team)

    def shown(self, talk: Talk) -> str:
        (team,) = {seat.team for seat in talk.seats}
        return self._all(team, talk.place or self._direct(talk.seats[0]), talk.thread, gone=True)

    def left(self, seat: Seat) -> str:
        return self._all(seat.team, self._direct(seat), None, gone=False)

    def _direct(self, seat: Seat) -> str:
        return self.server.workspaces[seat.team].direct(seat.person).id

    def _all(self, team: str, channel: str, thread: str | None, *, gone: bool) -> str:
        workspace = self.server.workspaces[team]
        ours = [one for one in workspace.channels[channel].messages if one.bot_id == workspace.bot_id]
        there = [one for one in ours if one.thread_ts == thread and (gone or not one.deleted)]
        texts = [f"{one.text} {one.blocks} {one.edits if gone else ''}" for one in there]
        files = [file for file in workspace.files.values() if file.channel == channel]
        return "\n".join([*texts, *(file.content.decode() for file in files if gone or not file.deleted)])


@dataclass(slots=True)
class TelegramSide:
    server: TelegramServer
    seats: tuple[Seat, ...]

    async def say(self, talk: Talk, seat: Seat, text: str) -> None:
        where = {} if talk.place is None else {"chat": int(talk.place), "topic": int(talk.thread or 0)}
        await self.server.people.say(f"/ask {text}", user=int(seat.person), **where)
        assert await self.server.settle(LONG)

    async def agree(self, seat: Seat) -> None:
        await self.command(seat, "/start")
        await self.press(seat, "Do you agree?", "consent:yes")

    async def command(self, seat: Seat, name: str) -> None:
        await self.server.people.say(name, user=int(seat.person))

    async def press(self, seat: Seat, below: str, button: str) -> None:
        def found() -> list[int]:
            place = self.server.state.chats[int(seat.person)]
            ours = [one for one in place.messages if one.sender is self.server.state.bot and not one.deleted]
            return [one.id for one in ours if below in one.text]

        assert await self.server.until(found, LONG)
        await self.server.people.click(found()[-1], button, user=int(seat.person))

    def shown(self, talk: Talk) -> str:
        chat = int(talk.place or talk.seats[0].person)
        return self._all(chat, int(talk.thread) if talk.thread else None, gone=True)

    def left(self, seat: Seat) -> str:
        return self._all(int(seat.person), None, gone=False)

    def _all(self, chat: int, topic: int | None, *, gone: bool) -> str:
        state = self.server.state
        ours = [one for one in state.chats[chat].messages if one.sender is state.bot]
        there = [one for one in ours if one.topic == topic and (gone or not one.deleted)]
        texts = [f"{one.text} {one.edits if gone else ''}" for one in there]
        return "\n".join([*texts, *(state.files[one.file].content.decode() for one in there if one.file)])
