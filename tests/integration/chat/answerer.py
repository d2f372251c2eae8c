"""What a worker does, without an assistant; and what is then kept and sent. The same for both platforms."""

from __future__ import annotations

from bot.render.look import parts_of
from bot.render.looks import LOOKS
from storage.history.chat import Chat
from tests.emulators.slack.server import SlackServer
from tests.emulators.telegram.server import TelegramServer
from tests.integration.chat.conftest import run_of
from tests.integration.storage.documents import query
from tests.unit.rendering.answers import sized

LONG = 30.0  # seconds: a limit against hanging, no more


async def answer(chat: Chat, url: str, text: str = "Socks are warm.", run: str | None = None) -> int:
    """The oldest open question; its id. With the id of a run it is an answer that may be rated."""
    ((question,),) = query(url, "SELECT min(id) FROM inbox WHERE state = 'received'")
    claim = await chat.questions.claim(question)
    assert claim is not None
    look = LOOKS[await chat.workspaces.platform(claim.workspace)]
    await chat.questions.keep(claim, run_of(claim, run or f"run-{question}"))
    bodies = look.answer(sized(text).model_copy(update={"run_id": run})) if run else look.reply(text)
    await chat.questions.finish(claim, "answered", parts_of("answer", bodies, "placeholder"))
    return int(question)


def questions(url: str) -> list[str]:
    return [text for (text,) in query(url, "SELECT text FROM inbox WHERE kind = 'question' ORDER BY id")]


async def settled(server: SlackServer | TelegramServer, url: str) -> None:
    """All deliveries are confirmed, and everything was sent."""
    assert await server.settle(LONG)
    unsent = "SELECT count(*) FROM outbox WHERE state IN ('pending', 'sending')"
    assert await server.until(lambda: query(url, unsent) == [(0,)], LONG)
