"""A wrong answer in a chat, as a worker gives it, and what the emulator shows then."""

from __future__ import annotations

from dataclasses import replace

from bot.render.look import parts_of
from bot.render.looks import LOOKS
from storage.history.chat import Chat
from tests.emulators.telegram.server import TelegramServer
from tests.emulators.telegram.state import Message
from tests.integration.chat.conftest import run_of
from tests.integration.storage.documents import query
from tests.unit.rendering.answers import sized

RUN = "11111111-2222-3333-4444-555555555555"
WRONG = "Socks cure gout. " * 400  # two messages, the first one full


async def answer_wrong(chat: Chat, url: str, text: str = WRONG) -> None:
    """As a worker does, with an answer that may be rated."""
    ((question,),) = query(url, "SELECT min(id) FROM inbox WHERE state = 'received'")
    claim = await chat.questions.claim(question)
    assert claim
    made = sized(text).model_copy(update={"run_id": RUN})
    kept = made.model_dump(mode="json", exclude={"trace"})
    await chat.questions.keep(claim, replace(run_of(claim, RUN), answer=kept))
    look = LOOKS[await chat.workspaces.platform(claim.workspace)]
    await chat.questions.finish(claim, "answered", parts_of("answer", look.answer(made), "placeholder"))


def posts_behind(api: TelegramServer, asked: int) -> list[Message]:
    return [one for one in api.state.chats[-100].messages if one.sender is api.state.bot and one.id > asked]
