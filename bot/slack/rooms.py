"""Somebody's own chat with us, and words that only they see."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot.render.look import Choice
from bot.render.slack.blocks import escape
from bot.render.slack.look import SlackLook
from bot.render.slack.messages import EDIT
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

    async def whisper(self, place: Place, person: str, words: str, choices: Sequence[Choice] = ()) -> None:
        """Lost where it fails, and when they load Slack anew."""
        (body,) = SlackLook().reply(words, choices=choices)
        seen = {"text": body["text"], "blocks": body["blocks"], **EDIT}
        try:
            await self._client.chat_postEphemeral(
                channel=place.chat, user=person, thread_ts=place.thread, **seen
            )
        except FAILURES as error:
            _log.info("a word was not said (%s)", reason_of(error))

    async def whisper_instead(self, address: str, words: str) -> None:
        """In the place of the whisper whose button was clicked; Slack gives the address with the click."""
        client = AsyncWebhookClient(address, session=self._client.session, retry_handlers=[])
        try:
            await client.send(text=escape(words), replace_original=True)
        except FAILURES as error:
            _log.info("a word was not said (%s)", reason_of(error))
