"""Telegram's look: bodies are arguments of sendMessage and editMessageText, but for the chat.

`quotes` says that the message is a reply to the one it answers; a body with `file` is a document.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.look import Body, Choice
from bot.render.telegram.messages import TelegramPart, draw_answer, draw_reply, draw_withdrawn
from reasoning.types import Answer, Level


class TelegramLook:
    def reply(self, text: str, level: Level = "none", choices: Sequence[Choice] = ()) -> list[Body]:
        bodies = _bodies(draw_reply(text, level))
        if choices:
            rows = [[{"text": choice.label, "callback_data": choice.data}] for choice in choices]
            bodies[-1] |= {"reply_markup": {"inline_keyboard": rows}}
        return bodies

    def answer(self, answer: Answer) -> list[Body]:
        return _bodies(draw_answer(answer, answer.run_id))

    def withdraw(self, answer: Answer, mark: str) -> list[Body]:
        return [part.send() for part in draw_withdrawn(answer, mark)]

    def file(self, name: str, content: str) -> Body:
        return {"file": name, "content": content}


def _bodies(parts: Sequence[TelegramPart]) -> list[Body]:
    return [part.send() | ({} if at else {"quotes": True}) for at, part in enumerate(parts)]
