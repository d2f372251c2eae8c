"""A worker process that can be killed at a chosen moment: a program run by `test_working.py`.

    python -m tests.integration.chat.working URL HOME MOMENT

It prints the moment when it has come, `claimed` or `kept` (the answer is stored), and waits for its end. Told
to go on, it goes on as if nothing had been, and prints how that went.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from procrastinate import App, PsycopgConnector

from config import Settings
from storage.database import create_engine
from storage.errors import ClaimLost
from storage.history.chat import Chat, open_chat
from storage.history.chat.jobs import QUEUE, TASK
from tests.integration.chat.conftest import answer_parts, run_of

HEARTBEAT, DEAD_AFTER = 0.2, 1.5


def build_worker(url: str) -> App:
    return App(
        connector=PsycopgConnector(conninfo=url, min_size=1, max_size=4),
        worker_defaults={
            "queues": [QUEUE],
            "update_heartbeat_interval": HEARTBEAT,
            "stalled_worker_timeout": DEAD_AFTER,
            "delete_jobs": "successful",
            "install_signal_handlers": False,
        },
    )


async def main(url: str, home: str, moment: str) -> None:
    engine = create_engine(url)
    chat = await open_chat(engine, Settings(home=Path(home)))
    app = build_worker(url)

    async def stop_at(now: str) -> None:
        if now == moment:
            print(moment, flush=True)  # noqa: T201
            await asyncio.to_thread(sys.stdin.readline)

    @app.task(name=TASK, queue=QUEUE)
    async def answer(question: int) -> None:
        print(await _answer(chat, question, stop_at), flush=True)  # noqa: T201

    async with app.open_async():
        await app.run_worker_async()


async def _answer(chat: Chat, question: int, stop_at) -> str:  # type: ignore[no-untyped-def]
    claim = await chat.questions.claim(question)
    if claim is None:
        return "done"
    await stop_at("claimed")
    try:
        if claim.answer is None:
            await chat.questions.keep(claim, run_of(claim, f"victim-{question}"))
        await stop_at("kept")
        await chat.questions.finish(claim, "answered", answer_parts())
    except ClaimLost:
        return "lost"
    return "answered"


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
