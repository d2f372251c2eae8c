"""In which language somebody reads what answers no words of theirs: notices, prompts, the home tab."""

from __future__ import annotations

import asyncio
import logging
import time

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.calls import FAILURES, reason_of, wait_of
from storage.history.chat import Chat

_log = logging.getLogger(__name__)
_SECONDS = 1.0  # of three, in which a request is to be acknowledged
_PAUSE = 60.0  # seconds without asking, after Slack did not tell
_KEPT = 10_000  # people that are remembered


class Languages:
    """Of the people of one workspace. What they wrote tells first, and is kept with them; of others Slack is
    asked once, and it is kept with nobody of whom nothing else is."""

    def __init__(self, client: AsyncWebClient, chat: Chat, workspace: int) -> None:
        self._client = client
        self._chat = chat
        self._workspace = workspace
        self._told: dict[str, str] = {}
        self._free = 0.0

    async def kept(self, person: str) -> str | None:
        """ISO 639-1, as it is kept. Raises StorageError."""
        found = await self._chat.people.find(self._workspace, person)
        return found.language if found else None

    async def of(self, person: str) -> str | None:
        """The same, or as Slack tells it; None where neither does. Raises StorageError."""
        found = await self._chat.people.find(self._workspace, person)
        if found is not None and found.language:
            return found.language
        if person not in self._told and time.monotonic() >= self._free:
            await self._ask(person)
        language = self._told.get(person) or None
        if found is not None and language:
            await self._chat.people.choose_language(self._workspace, person, language)
        return language

    async def _ask(self, person: str) -> None:
        try:
            async with asyncio.timeout(_SECONDS):
                reply = await self._client.users_info(user=person, include_locale=True)
        except FAILURES as error:
            _log.info("a language is not known (%s)", reason_of(error))
            wait = wait_of(error) if isinstance(error, SlackApiError) else None
            self._free = time.monotonic() + (_PAUSE if wait is None else wait)
            return
        if len(self._told) >= _KEPT:
            self._told.clear()
        self._told[person] = _language_of((reply.get("user") or {}).get("locale"))


def _language_of(locale: object) -> str:
    """`de` of `de-DE`; nothing where it is something else."""
    language = str(locale or "").partition("-")[0].lower()
    return language if len(language) == 2 and language.isalpha() else ""
