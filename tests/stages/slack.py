"""Slack's stage: direct chats, in which answers stand in the order of the questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from reasoning.notices import notice
from storage.history.chat import Chat, Platform
from tests.emulators.chat.ledger import Throttle
from tests.emulators.slack.deliveries import Redelivery
from tests.emulators.slack.server import SlackServer
from tests.emulators.slack.state import Message
from tests.stages.stage import LONG, WAITING, Asked


def redelivered(copies: int = 1) -> Redelivery:
    """Slack sends an event three times more within minutes; here it is within seconds, and more often, since
    processes begin anew."""
    return Redelivery(ack_within=5.0, waits=(0.2,) * 40, copies=copies)


class SlackStage:
    platform: Platform = "slack"

    def __init__(self, server: SlackServer) -> None:
        self.server = server
        self._asked: dict[int, list[Asked]] = defaultdict(list)

    @property
    def settings(self) -> dict[str, str]:
        return {
            "CARECITE_SLACK_BOT_TOKEN": self.server.bot_token,
            "CARECITE_SLACK_APP_TOKEN": self.server.app_token,
            "CARECITE_SLACK_BASE_URL": self.server.base_url,
        }

    async def welcome(self, people: Iterable[int]) -> None:
        """Nobody is asked for consent here."""
        for person in people:
            await self.server.people.add_person(f"U{person}")

    async def welcome_quietly(self, chat: Chat, people: Iterable[int]) -> None:
        await self.welcome(people)

    async def deliver(self, copies: int) -> None:
        self.server.deliveries.redelivery = redelivered(copies)

    async def ask(self, person: int, text: str) -> Asked:
        asked = Asked(person, await self.server.people.say("dm", text, user=f"U{person}"))
        self._asked[person].append(asked)
        return asked

    async def edit(self, asked: Asked, text: str) -> None:
        await self.server.people.edit(self._channel(asked.person), str(asked.message), text)

    async def push_broken(self, person: int) -> None:
        await self.server.people.push({"type": "message", "channel": "C1", "user": f"U{person}"})

    async def settle(self, seconds: float = LONG) -> bool:
        return await self.server.settle(seconds)

    def answers(self, asked: Asked) -> list[str]:
        """By its place, since nothing says which question a message answers; too much is the last one's."""
        mine = self._asked[asked.person]
        at = mine.index(asked)
        said = [one.text for one in self._said(asked.person)]
        return said[at:] if asked is mine[-1] else said[at : at + 1]

    def replies(self, person: int) -> list[int | str]:
        return [one.message for one, _ in zip(self._asked[person], self._said(person), strict=False)]

    def arrivals(self) -> int:
        """Slack tells the app of its own posts and of edits as well."""
        told = ((one.payload.get("event", {}), len(one.attempts)) for one in self.server.deliveries.all)
        return sum(
            times
            for event, times in told
            if event.get("type") == "message" and not event.keys() & {"subtype", "bot_id"}
        )

    def accept_seconds(self) -> list[float]:
        return [
            attempt.acked_at - attempt.at
            for delivery in self.server.deliveries.all
            for attempt in delivery.attempts
            if attempt.acked_at is not None
        ]

    def sign_seconds(self, asked: Asked) -> float | None:
        """The first post after the question, which may be an earlier one's answer: only where one waits."""
        place = self.server.workspace.channels[self._channel(asked.person)]
        question = next(one for one in place.messages if one.ts == asked.message)
        later = [one.at for one in self._ours(asked.person) if one.at >= question.at]
        return min(later) - question.at if later else None

    async def throttle(self, times: int, apart: int) -> None:
        for n in range(1, times + 1):
            await self.server.fail(kind="throttle", method="chat.postMessage", value=1, after=n * apart)

    def ignored(self) -> Sequence[Throttle]:
        return self.server.ledger.ignored

    def throttled(self) -> int:
        return len(self.server.ledger.throttles)

    def _channel(self, person: int) -> str:
        return f"D{person}"

    def _ours(self, person: int) -> list[Message]:
        place = self.server.workspace.channels.get(self._channel(person))
        mine = self.server.workspace.bot_id
        return [one for one in place.messages if one.bot_id == mine and not one.deleted] if place else []

    def _said(self, person: int) -> list[Message]:
        waits = (*WAITING, notice("chat_edited", "en"))
        return [one for one in self._ours(person) if not (one.ephemeral_to or one.text.startswith(waits))]
