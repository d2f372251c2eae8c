"""Jobs of questions with real workers: order in a conversation, and dead workers (chat.md 3, row 16; 4)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import psycopg
import pytest
from procrastinate import App
from procrastinate.exceptions import ConnectorException

from bot.jobs import build_queue, rescue_jobs
from config import Settings
from storage.errors import ClaimLost
from storage.history.chat import Chat, Place, Workspace
from storage.history.chat.jobs import QUEUE, TASK
from tests.integration.chat.conftest import PLACEHOLDER, PLENTY, answer_parts, message, run_of
from tests.integration.chat.working import DEAD_AFTER, build_worker
from tests.integration.storage.documents import query
from tests.program import HANG, ROOT

UNFINISHED = "SELECT count(*) FROM inbox WHERE state IN ('received', 'working')"


async def ask(chat: Chat, workspace: Workspace, n: int, chats: int) -> int:
    sent = message(workspace, f"k{n}", f"{n}", place=Place(f"D{n % chats}"))
    receipt = await chat.inbox.accept(sent, PLENTY, parts=[PLACEHOLDER])
    assert receipt.question is not None
    return receipt.question


async def answer(chat: Chat, question: int) -> str:
    claim = await chat.questions.claim(question)
    if claim is None:
        return "done"
    try:
        if claim.answer is None:
            await chat.questions.keep(claim, run_of(claim, f"run-{question}"))
        await chat.questions.finish(claim, "answered", answer_parts())
    except ClaimLost:
        return "lost"
    return "answered"


@asynccontextmanager
async def working(app: App, **options: object) -> AsyncIterator[None]:
    async with app.open_async():
        worker = asyncio.create_task(app.run_worker_async(**options))
        try:
            yield
        finally:
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)


async def until_finished(url: str, rescuer: App | None = None) -> None:
    async with asyncio.timeout(HANG):
        while query(url, UNFINISHED) != [(0,)]:
            if rescuer:
                await rescue_jobs(rescuer, DEAD_AFTER)
            await asyncio.sleep(0.05)


@contextmanager
def victim(url: str, home: Path, moment: str) -> Iterator[subprocess.Popen[str]]:
    """A worker process that has come to the moment and waits there."""
    command = [sys.executable, "-m", "tests.integration.chat.working", url, str(home), moment]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout
        try:
            assert process.stdout.readline() == f"{moment}\n"
            yield process
        finally:
            process.kill()


async def test_order_in_a_conversation_and_none_between(chat: Chat, slack: Workspace, url: str) -> None:
    """Two workers, two jobs each. The first question of each of four conversations waits for the other three,
    so they run at once; in a conversation no question begins before the one before it has ended."""
    together = asyncio.Barrier(4)
    trail: list[tuple[str, int]] = []
    workers = [build_worker(url), build_worker(url)]
    for app in workers:

        @app.task(name=TASK, queue=QUEUE)
        async def work(question: int) -> None:
            trail.append(("begins", question))
            if question <= 4:
                await together.wait()
            await asyncio.sleep(0.01 * (question % 3))
            assert await answer(chat, question) == "answered"
            trail.append(("ends", question))

    questions = [await ask(chat, slack, n, chats=4) for n in range(20)]
    assert questions == list(range(1, 21))
    async with working(workers[0], concurrency=2), working(workers[1], concurrency=2):
        await until_finished(url)
    for place in range(4):
        own = [(what, question) for what, question in trail if (question - 1) % 4 == place]
        assert own == [(what, n) for n in range(place + 1, 21, 4) for what in ("begins", "ends")]
    assert query(url, "SELECT count(*) FROM runs") == [(20,)]


async def test_order_of_messages_that_come_at_once(chat: Chat, slack: Workspace, url: str) -> None:
    """A job is never seen before one with a smaller number: a worker would take the later question first."""
    seen = []

    async def watch() -> None:
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
            while not seen or len(seen[-1]) < 60:
                rows = await connection.execute("SELECT id FROM procrastinate_jobs ORDER BY id")
                seen.append([number for (number,) in await rows.fetchall()])

    async with asyncio.timeout(HANG):
        await asyncio.gather(watch(), *(ask(chat, slack, n, chats=1) for n in range(60)))
    assert all(ids == list(range(1, len(ids) + 1)) for ids in seen)
    assert query(url, "SELECT count(DISTINCT lock) FROM procrastinate_jobs") == [(1,)]


@pytest.mark.parametrize("moment", ["claimed", "kept"])
async def test_a_worker_killed_amid_a_question(
    chat: Chat, slack: Workspace, url: str, settings: Settings, moment: str
) -> None:
    """Another one takes the job up and does not pay for a stored answer again; the next question waits."""
    first, second = [await ask(chat, slack, n, chats=1) for n in range(2)]
    with victim(url, settings.home, moment) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert query(url, "SELECT status::text FROM procrastinate_jobs ORDER BY id") == [("doing",), ("todo",)]

    ends: list[tuple[int, str]] = []
    rescuer = build_worker(url)

    @rescuer.task(name=TASK, queue=QUEUE)
    async def work(question: int) -> None:
        ends.append((question, await answer(chat, question)))

    async with working(rescuer):
        await until_finished(url, rescuer)
    assert ends == [(first, "answered"), (second, "answered")]
    owner = "victim" if moment == "kept" else "run"
    assert query(url, "SELECT run_id, attempt FROM inbox ORDER BY id") == [
        (f"{owner}-{first}", 2),
        (f"run-{second}", 1),
    ]
    assert query(url, "SELECT count(*) FROM runs") == [(2,)]
    assert query(url, "SELECT inbox_id, count(*) FROM outbox GROUP BY 1 ORDER BY 1") == [(1, 3), (2, 3)]


async def test_a_worker_that_only_slept(chat: Chat, slack: Workspace, url: str, settings: Settings) -> None:
    """Taken for dead while it was stopped; it wakes up when another one has answered, and adds nothing."""
    question = await ask(chat, slack, 0, chats=1)
    rescuer = build_worker(url)

    @rescuer.task(name=TASK, queue=QUEUE)
    async def work(question: int) -> None:
        assert await answer(chat, question) == "answered"

    with victim(url, settings.home, "claimed") as process:
        process.send_signal(signal.SIGSTOP)
        async with working(rescuer):
            await until_finished(url, rescuer)
        process.send_signal(signal.SIGCONT)
        assert process.stdin
        assert process.stdout
        process.stdin.write("\n")
        process.stdin.flush()
        assert await asyncio.to_thread(process.stdout.readline) == "lost\n"
    assert query(url, "SELECT run_id FROM runs") == [(f"run-{question}",)]
    assert query(url, "SELECT count(*) FROM outbox") == [(3,)]


async def test_two_rescuers(chat: Chat, slack: Workspace, url: str, settings: Settings) -> None:
    """They see the same dead job; one puts it back, and the other one does not fall over it."""
    await ask(chat, slack, 0, chats=1)
    with victim(url, settings.home, "claimed"):
        pass
    query(url, "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 hour'")
    async with build_worker(url).open_async() as one, build_worker(url).open_async() as other:
        (stalled,) = await one.job_manager.get_stalled_jobs(seconds_since_heartbeat=DEAD_AFTER)
        await asyncio.gather(*(rescue_jobs(app, DEAD_AFTER) for app in (one, other, one, other)))
        with pytest.raises(ConnectorException):
            await other.job_manager.retry_job(stalled)
    assert query(url, "SELECT status::text, attempts FROM procrastinate_jobs") == [("todo", 1)]


async def test_old_jobs_go(chat: Chat, slack: Workspace, url: str, settings: Settings) -> None:
    for n in range(3):
        await ask(chat, slack, n, chats=3)
    query(url, "UPDATE procrastinate_jobs SET status = 'failed' WHERE id < 3")
    query(url, "UPDATE procrastinate_events SET at = now() - interval '80 hours' WHERE job_id = 1")
    async with build_queue(url, settings).open_async() as queue:
        await queue.tasks["tidy"](timestamp=0)
    assert query(url, "SELECT id FROM procrastinate_jobs ORDER BY id") == [(2,), (3,)]
