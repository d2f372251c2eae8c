"""Buttons of ours: feedback, consent, erasure, and an edited question that is asked anew."""

from __future__ import annotations

from dataclasses import replace

from bot.intake.desk import Desk
from bot.intake.incoming import Clicked, Reaction
from bot.render.feedback import REASONS, Feedback, read_feedback, write_feedback
from bot.render.look import Choice
from reasoning.notices import notice
from storage.history.chat import Scope

SCOPES: tuple[Scope, ...] = ("last", "conversation", "everything")


async def take_click(desk: Desk, clicked: Clicked) -> Reaction:
    """A click that is delivered twice does nothing the second time, or the same again."""
    language = desk.language(clicked.message)
    about = clicked.about
    feedback = read_feedback(clicked.data)
    if feedback is not None:
        return await _take_feedback(desk, clicked, feedback)
    if about is not None and about.sender != clicked.message.sender:
        return Reaction(notice("chat_not_yours", language))
    action, _, choice = clicked.data.partition(":")
    match action, choice:
        case "consent", "yes":
            return await _agree(desk, clicked)
        case "consent", "no":
            return await _decline(desk, clicked)
        case "delete", scope if scope in SCOPES:
            choices = [
                Choice(f"erase:{scope}", notice("chat_delete_yes", language)),
                Choice("keep", notice("chat_delete_no", language)),
            ]
            words = f"{notice(f'chat_delete_{scope}', language)}. {notice('chat_delete_sure', language)}"
            await desk.say(clicked.message, words, clicked.offset, choices=choices)
        case "erase", scope if scope in SCOPES:
            return await _erase(desk, clicked, scope)
        case "keep", _:
            await desk.say(clicked.message, notice("chat_kept", language), clicked.offset)
        case "again", _ if about is not None:
            return await _ask_again(desk, clicked)
        case _:
            return Reaction(notice("chat_old_button", language))
    return Reaction()


async def _take_feedback(desk: Desk, clicked: Clicked, feedback: Feedback) -> Reaction:
    """Of anybody who sees the answer and has agreed. Why it did not help is asked once, and of nobody before
    others where there is a way."""
    message, answer = clicked.message, feedback.answer_id
    language = desk.language(message)
    if not desk.agreed(await desk.find(message)):
        return Reaction(notice("feedback_not_agreed", language))
    opinions = desk.chat.feedback
    if not await opinions.give(message, answer, helpful=feedback.good, reason=feedback.reason):
        return Reaction(notice("chat_old_button", language))
    if not feedback.good and feedback.reason is None:
        choices = [
            Choice(write_feedback(answer, good=False, reason=reason), notice(f"feedback_{reason}", language))
            for reason in REASONS
        ]
        once, why = replace(message, key=f"why {answer} {message.sender}"), notice("feedback_why", language)
        if desk.whispers and message.place.shared:
            if await desk.chat.inbox.hold(once, None, offset=clicked.offset):
                return Reaction(why, tuple(choices))
        else:
            await desk.say(once, why, clicked.offset, choices=choices)
    return Reaction(notice("chat_thanks", language))


async def _agree(desk: Desk, clicked: Clicked) -> Reaction:
    """Consent is kept before the question is: taken again after a crash, both are as they were."""
    message, about = clicked.message, clicked.about
    language = desk.language(message)
    if not desk.access.lets(message):
        await desk.say(message, notice("chat_not_allowed", language), clicked.offset)
        return Reaction()
    person = await desk.chat.people.note_consent(message.workspace, message.sender, "given", message.language)
    if about is not None and any(character.isalpha() for character in about.text):
        await desk.ask(replace(about, key=message.key, language=message.language), person, clicked.offset)
    else:
        await desk.say(message, notice("chat_agreed", language), clicked.offset)
    return Reaction(notice("chat_thanks", language))


async def _decline(desk: Desk, clicked: Clicked) -> Reaction:
    message = clicked.message
    await desk.withdraw(message, await desk.find(message))
    await desk.say(message, notice("chat_declined", desk.language(message)), clicked.offset)
    return Reaction()


async def _erase(desk: Desk, clicked: Clicked, scope: Scope) -> Reaction:
    message = clicked.message
    language = desk.language(message)
    erased = await desk.chat.erasure.of_person(message.workspace, message.sender, scope, message.place)
    words = notice("chat_deleted" if erased.tombstones else "chat_deleted_nothing", language)
    if scope == "everything":
        words = f"{words} {desk.word('chat_deleted_person', language)}"
    await desk.say(message, words, clicked.offset)
    return Reaction(posts=erased.posts)


async def _ask_again(desk: Desk, clicked: Clicked) -> Reaction:
    assert clicked.about is not None
    message = replace(clicked.message, text=clicked.about.text)
    person = await desk.find(message)
    if not await desk.help_at_once(message, person, clicked.offset):
        await desk.ask(message, person, clicked.offset)
    return Reaction()
