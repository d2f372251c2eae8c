"""Somebody's own chat with us, and words that only they see."""

from __future__ import annotations

import logging

from slack_sdk.web.async_client import AsyncWebClient

from bot.render.slack.blocks import escape
from bot.slack.calls import FAILURES, reason_of
from storage.history.chat import Place

_log = logging.getLogger(__name__)
_KEPT = 10_000  # rooms that are remembered


class Rooms:
    """Of one workspace."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._rooms: dict[str, str] = {}

    async def of(self, person: str) -> Place | None:
        """Opened where there is none yet; None where Slack does not let us."""
        room = self._rooms.get(person)
        if room is None:
            try:
                opened = await self._client.conversations_open(users=person)
                room = str(opened["channel"]["id"])
            except FAILURES as error:
                _log.warning("a direct chat was not opened (%s)", reason_of(error))
                return None
            if len(self._rooms) >= _KEPT:
                self._rooms.clear()
            self._rooms[person] = room
        return Place(room, None)

    async def whisper(self, place: Place, person: str, words: str) -> None:
        """Lost where it fails."""
        try:
            await self._client.chat_postEphemeral(
                channel=place.chat, user=person, thread_ts=place.thread, text=escape(words), parse="none"
            )
        except FAILURES as error:
            _log.info("a word was not said (%s)", reason_of(error))
