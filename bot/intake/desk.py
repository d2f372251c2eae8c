"""Where intake, commands and clicks meet the store: who has agreed, in which language, how one replies."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.intake.access import Access
from bot.intake.wording import word
from bot.keeping import as_run
from bot.render.look import Body, Choice, Look, parts_of
from reasoning.assistant import reply_at_once
from reasoning.errors import EmptyQuestion, QuestionTooLong
from reasoning.language import detect_language
from reasoning.notices import LANGUAGES, notice
from reasoning.safety.triage import triage
from reasoning.understanding import LONGEST_QUESTION, check_question
from storage.history.chat import Budget, Chat, Message, Part, Person, Platform

PLACEHOLDER = "placeholder"  # the part in whose place the answer comes
_ENDS = 4000  # characters of a message that is too long, at both ends, in which danger is looked for


@dataclass(frozen=True, slots=True)
class Desk:
    """`asks_consent`: nothing of a person is kept before they agree (Telegram). `country`: whose crisis lines
    a reply to somebody in danger names, as the operator chose. `whispers`: in a shared place one person alone
    can be shown something (Slack)."""

    platform: Platform
    chat: Chat
    look: Look
    budget: Budget
    asks_consent: bool
    access: Access
    country: str | None
    whispers: bool

    async def find(self, message: Message) -> Person | None:
        return await self.chat.people.find(message.workspace, message.sender)

    def agreed(self, person: Person | None) -> bool:
        return not self.asks_consent or (person is not None and person.consent == "given")

    async def withdraw(self, message: Message, person: Person | None) -> None:
        """Of somebody who never agreed nothing is kept by it."""
        if person is not None and person.consent == "given":
            await self.chat.people.note_consent(message.workspace, message.sender, "withdrawn")

    def language(self, message: Message) -> str:
        """Of notices that answer no question: the one that the platform names."""
        return message.language if message.language in LANGUAGES else LANGUAGES[0]

    def word(self, code: str, language: str) -> str:
        """A notice that platforms word in their own way."""
        return word(code, language, self.platform)

    async def help_at_once(self, message: Message, person: Person | None, offset: int | None) -> bool:
        """The fixed reply to somebody in danger, whatever else the message is. Whether it was one."""
        text = message.text
        if len(text) > LONGEST_QUESTION:
            text = f"{text[:_ENDS]}\n{text[-_ENDS:]}"
        try:
            answered = await asyncio.to_thread(reply_at_once, text, country=self.country)
        except EmptyQuestion:
            return False
        if answered is None:
            return False
        level = answered.answer.triage.level
        parts = parts_of("reply", self.look.answer(answered.answer))
        if self.agreed(person):
            await self.chat.inbox.answer_at_once(message, as_run(answered), parts, offset=offset)
        else:
            await self.chat.inbox.hold(message, level, parts=parts, offset=offset)
        return True

    async def ask(
        self, message: Message, person: Person | None, offset: int | None, *, unread: bool = False
    ) -> None:
        """A question: to the queue, or held with the question for consent. `unread`: there was something
        beside it that is not read."""
        if not self.access.lets(message):
            return await self.say(message, notice("chat_not_allowed", self.language(message)), offset)
        letters = any(character.isalpha() for character in message.text)
        follows = not letters and await self.chat.conversations.knows(message.workspace, message.place)
        try:
            check_question(message.text, follows=follows)
        except EmptyQuestion:
            return await self.say(message, notice("empty_question", self.language(message)), offset)
        except QuestionTooLong:
            values = {"length": f"{len(message.text):,}", "limit": f"{LONGEST_QUESTION:,}"}
            words = notice("question_too_long", self.language(message), **values)
            return await self.say(message, words, offset)
        language = await asyncio.to_thread(detect_language, message.text)
        if not self.agreed(person):
            level = (await asyncio.to_thread(triage, message.text, language)).level.value
            bodies = self.look.reply(consent_words(language), choices=consent_choices(language))
            parts = parts_of("consent", bodies)
            await self.chat.inbox.hold(message, level, parts=parts, offset=offset)
            return None
        (body,) = self.look.reply(notice("chat_placeholder", language))
        beside = parts_of("beside", self.look.reply(notice("chat_media_beside", language))) if unread else []
        refusal = parts_of("refusal", self.look.reply(notice("chat_budget", language)))
        pause = parts_of("refusal", self.look.reply(notice("chat_too_many", language)))
        await self.chat.inbox.accept(
            replace(message, language=message.language or language),
            self.budget,
            parts=[Part(PLACEHOLDER, body)],
            refusal=refusal,
            pause=pause,
            beside=beside,
            offset=offset,
        )
        return None

    async def say(
        self,
        message: Message,
        words: str,
        offset: int | None,
        *,
        choices: Sequence[Choice] = (),
        files: Sequence[Body] = (),
        personal: bool = False,
    ) -> None:
        """A word to a person, of whom nothing is kept by it. `personal`: it repeats what they said, so that
        `/delete` finds the posts; only for somebody who agreed."""
        parts = [*parts_of("words", self.look.reply(words, choices=choices)), *_files(files)]
        if personal:
            await self.chat.inbox.note(message, parts=parts, offset=offset)
        else:
            await self.chat.inbox.hold(message, None, parts=parts, offset=offset)


def consent_words(language: str) -> str:
    return notice("chat_consent", language)


def consent_choices(language: str) -> list[Choice]:
    return [
        Choice("consent:yes", notice("chat_agree", language)),
        Choice("consent:no", notice("chat_decline", language)),
    ]


def _files(bodies: Sequence[Body]) -> list[Part]:
    return [Part(f"file {n}", body, "file") for n, body in enumerate(bodies, start=1)]
