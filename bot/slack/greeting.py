"""What somebody finds where they open us: prompts to begin with, and the home tab."""

from __future__ import annotations

import logging
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from bot.intake.commands import help_words
from bot.intake.wording import word
from bot.render.slack.look import SlackLook
from bot.slack.calls import FAILURES, reason_of
from bot.slack.languages import Languages
from bot.slack.reading import Opened
from reasoning.notices import notice

_log = logging.getLogger(__name__)
PROMPTS = ("slack_prompt_effects", "slack_prompt_treatment", "slack_prompt_causes")


class Greeting:
    """For one workspace."""

    def __init__(self, client: AsyncWebClient, languages: Languages) -> None:
        self._client = client
        self._languages = languages
        self._look = SlackLook()

    async def greet(self, opened: Opened) -> None:
        """Nothing is lost where it fails: it comes with the next opening."""
        language = await self._languages.of(opened.person) or ""
        try:
            if opened.tab == "home":
                await self._client.views_publish(user_id=opened.person, view=self._home(language))
            elif opened.tab == "messages":
                await self._suggest(opened, language)
        except FAILURES as error:
            _log.info("somebody was not greeted (%s)", reason_of(error))

    async def _suggest(self, opened: Opened, language: str) -> None:
        """In a talk of the newer kind a thread must not be named: Slack then shows nothing (chat.md 1)."""
        prompts = [{"title": said, "message": said} for said in (notice(code, language) for code in PROMPTS)]
        thread: dict[str, Any] = {"thread_ts": opened.thread} if opened.thread else {}
        title = notice("slack_prompts", language)
        await self._client.api_call(
            "assistant.threads.setSuggestedPrompts",
            json={"channel_id": opened.channel, "title": title, "prompts": prompts, **thread},
        )

    def _home(self, language: str) -> dict[str, Any]:
        words = (word("chat_start", language, "slack"), help_words(language, "slack"))
        privacy = word("chat_privacy", language, "slack")
        blocks = [
            block for text in (*words, privacy) for body in self._look.reply(text) for block in body["blocks"]
        ]
        return {"type": "home", "blocks": blocks}
