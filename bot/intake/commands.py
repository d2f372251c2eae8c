"""Commands, which are the same words on every platform."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import UTC
from typing import Any

from bot.intake.clicks import SCOPES
from bot.intake.desk import Desk, consent_choices, consent_words
from bot.intake.incoming import Commanded
from bot.intake.wording import COMMANDS, word
from bot.render.look import Body, Choice
from reasoning.notices import notice
from storage.history.chat import Message, Opinion, Person, Platform, Turn

_SHOWN, _EXPORTED = 10, 1000  # questions


async def run_command(desk: Desk, commanded: Commanded, person: Person | None) -> None:
    """A command that we do not know is told so in a private chat; in a shared one it is for somebody else."""
    message, offset = commanded.message, commanded.offset
    language = desk.language(message)
    match commanded.name:
        case "ask":
            return await _ask(desk, commanded, person)
        case "start":
            return await _start(desk, message, person, offset)
        case "help":
            return await desk.say(message, help_words(language, desk.platform), offset)
        case "privacy":
            return await desk.say(message, desk.word("chat_privacy", language), offset)
        case "new":
            await desk.chat.conversations.close(message.workspace, message.place)
            return await desk.say(message, notice("chat_new", language), offset)
        case "stop":
            return await _stop(desk, message, person, offset)
        case "delete":
            choices = [
                Choice(f"delete:{scope}", notice(f"chat_delete_{scope}", language)) for scope in SCOPES
            ]
            words = notice("chat_delete", language)
            return await desk.say(message, words, offset, choices=[*choices, _keep(language)])
        case "history" | "export" if message.place.shared:
            return await desk.say(message, notice("chat_only_private", language), offset)
        case "history":
            return await _history(desk, message, person, offset)
        case "export":
            return await _export(desk, message, person, offset)
    if not message.place.shared:
        await desk.say(
            message, f"{notice('chat_unknown', language)}\n{help_words(language, desk.platform)}", offset
        )
    return None


def help_words(language: str, platform: Platform) -> str:
    commands = [f"/{name}: {notice(f'command_{name}', language)}" for name in COMMANDS[platform]]
    return "\n".join([word("chat_help", language, platform), *commands, word("scope", language, platform)])


def _keep(language: str) -> Choice:
    return Choice("keep", notice("chat_delete_no", language))


async def _ask(desk: Desk, commanded: Commanded, person: Person | None) -> None:
    """What follows the command, or else the message that it replies to."""
    message = commanded.message
    if not message.text.strip() and commanded.about is not None:
        message = replace(message, text=commanded.about.text)
        if await desk.help_at_once(message, person, commanded.offset):
            return None
    if not message.text.strip():
        words = desk.word("chat_ask", desk.language(message))
        return await desk.say(message, words, commanded.offset)
    return await desk.ask(message, person, commanded.offset)


async def _start(desk: Desk, message: Message, person: Person | None, offset: int | None) -> None:
    language = desk.language(message)
    words = desk.word("chat_start", language)
    if not desk.access.lets(message):
        return await desk.say(message, f"{words}\n\n{notice('chat_not_allowed', language)}", offset)
    if desk.agreed(person):
        return await desk.say(message, words, offset)
    return await desk.say(
        message, f"{words}\n\n{consent_words(language)}", offset, choices=consent_choices(language)
    )


async def _stop(desk: Desk, message: Message, person: Person | None, offset: int | None) -> None:
    await desk.withdraw(message, person)
    await desk.say(message, notice("chat_stopped", desk.language(message)), offset)


async def _history(desk: Desk, message: Message, person: Person | None, offset: int | None) -> None:
    language = desk.language(message)
    turns = await desk.chat.conversations.past(message.workspace, message.sender, _SHOWN)
    if not turns or person is None:
        return await desk.say(message, notice("chat_history_none", language), offset)
    lines = [f"{turn.asked_at:%Y-%m-%d %H:%M} UTC: {turn.text}" for turn in turns]
    words = "\n".join([notice("chat_history", language), *lines])
    return await desk.say(message, words, offset, personal=desk.agreed(person))


async def _export(desk: Desk, message: Message, person: Person | None, offset: int | None) -> None:
    language = desk.language(message)
    turns = await desk.chat.conversations.past(message.workspace, message.sender, _EXPORTED)
    opinions = await desk.chat.feedback.of_person(message.workspace, message.sender)
    if not (turns or opinions) or person is None:
        return await desk.say(message, notice("chat_history_none", language), offset)
    words, files = notice("chat_export", language), _files(desk, turns, opinions, language)
    return await desk.say(message, words, offset, files=files, personal=desk.agreed(person))


def _files(desk: Desk, turns: list[Turn], opinions: list[Opinion], language: str) -> list[Body]:
    """The same twice: for programs, and to be read. An opinion names its answer by the `run_id`, which may be
    of somebody else's question."""
    kept: list[dict[str, Any]] = [
        {"asked_at": turn.asked_at.isoformat(), "question": turn.text, "answer": turn.answer}
        | _correction(turn)
        for turn in reversed(turns)
    ]
    given = [{**asdict(one), "given_at": one.given_at.isoformat()} for one in opinions]
    read = [_say_turn(turn, language) for turn in reversed(turns)]
    read += [f"{one.given_at.isoformat()}\n{one.answer}: {_say_opinion(one, language)}" for one in opinions]
    whole = {"questions": kept, "feedback": given}
    return [
        desk.look.file("carecite.json", json.dumps(whole, ensure_ascii=False, indent=1)),
        desk.look.file("carecite.txt", "\n\n".join(read)),
    ]


def _correction(turn: Turn) -> dict[str, str | None]:
    if turn.withdrawn_at is None:
        return {}
    return {"withdrawn_at": turn.withdrawn_at.isoformat(), "corrected": turn.corrected}


def _say_turn(turn: Turn, language: str) -> str:
    """A wrong answer behind its warning, and what is right."""
    answer = (turn.answer or {}).get("answer", {}).get("text", "")
    if turn.withdrawn_at is not None:
        mark = notice("correction_mark", language, date=turn.withdrawn_at.astimezone(UTC).date())
        answer = "\n\n".join(filter(None, [mark, answer, turn.corrected]))
    return f"{turn.asked_at.isoformat()}\n{turn.text}\n\n{answer}"


def _say_opinion(opinion: Opinion, language: str) -> str:
    code = opinion.reason or ("good" if opinion.helpful else "bad")
    return notice(f"feedback_{code}", language)
