"""Very many messages at once, each delivered three times: is each taken once, and answered once and in order?

`carecite serve` takes and sends, as it is, in a process of its own. What answers is not what is measured: in
the place of a worker's assistant, a short text is kept and sent off by the worker's own steps.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from procrastinate import App, PsycopgConnector

from bot.intake.desk import PLACEHOLDER
from bot.render.look import parts_of
from bot.serving import LOOKS
from config import Settings
from storage.database import create_engine
from storage.history import Run
from storage.history.chat import QUEUE, TASK, Chat, Claim, open_chat
from tests.acceptance.serving import Serving, killed_in_the_end, settings_for
from tests.integration.emulators.test_telegram_webhook import free_port
from tests.program import Program
from tests.stages import Asked, Stage

WARM_UP = 20  # messages, after which all is loaded
_DRAINED = 300.0  # seconds, and a second a message: a limit against hanging, no more
ANSWER = "Answer to message"
_FINISHED = """
SELECT conversation_id, array_agg(id ORDER BY finished_at) FROM inbox WHERE kind = 'question' GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """Each message of the burst is delivered `copies` times, and answers meet 429s. `steady` messages follow,
    once each and `rate` a second, for the times that a person feels.
    """

    messages: int
    conversations: int
    copies: int = 3
    refused: int = 10  # posts of each platform that are to wait
    steady: int = 50
    rate: float = 5.0


@dataclass(slots=True)
class Report:
    """`memory`: megabytes of the process before the burst, after it, and in the end. Times in seconds."""

    asked: int = 0
    lost: int = 0
    doubled: int = 0
    disordered: list[str] = field(default_factory=list)
    ignored: int = 0
    throttled: int = 0
    taken_in: float = 0.0
    sent_off: float = 0.0
    memory: tuple[float, float, float] = (0, 0, 0)
    accepts: list[float] = field(default_factory=list)
    signs: list[float] = field(default_factory=list)
    samples: dict[str, float] = field(default_factory=dict)


async def run_burst(carecite: Program, stages: Sequence[Stage], plan: Plan, name: str) -> Report:
    """The burst and then the steady part, each to its end."""
    report, loop = Report(), asyncio.get_running_loop()
    led = {key: value for stage in stages for key, value in stage.settings.items()}
    port = free_port()
    settings = settings_for(
        carecite,
        name,
        CARECITE_WORKER_CONCURRENCY="0",
        CARECITE_CHAT_WORKSPACE_DAILY="1000000",
        CARECITE_HEALTH_PORT=str(port),
        **led,
    )
    serve = Serving(settings)
    people = range(1001, 1001 + plan.conversations // len(stages))
    async with killed_in_the_end(serve), _answering(settings) as chat:
        for stage in stages:
            await stage.welcome_quietly(chat, people)
        await serve.start("carecite serves")
        for stage in stages:
            await stage.deliver(plan.copies)
        warm = await _ask(stages, people, WARM_UP, 0.0)
        for stage in stages:
            assert await stage.settle(_DRAINED + plan.messages)
        await serve.until_finished(_DRAINED)
        before = _megabytes(serve)
        for stage in stages:
            await stage.throttle(plan.refused, plan.messages // len(stages) // (plan.refused + 1))
        began = loop.time()
        asked = await _ask(stages, people, plan.messages, 0.0)
        for stage in stages:
            assert await stage.settle(_DRAINED + plan.messages)
        report.taken_in = loop.time() - began
        await serve.until_finished(_DRAINED + plan.messages)
        report.sent_off = loop.time() - began
        after = _megabytes(serve)
        taken = [len(stage.accept_seconds()) for stage in stages]
        for stage in stages:
            await stage.deliver(1)
        felt = await _ask(stages, people, plan.steady, 1 / plan.rate)
        for stage in stages:
            assert await stage.settle(_DRAINED + plan.messages)
        await serve.until_finished(_DRAINED)
        report.memory = (before, after, _megabytes(serve))
        report.accepts = [
            time
            for stage, first in zip(stages, taken, strict=True)
            for time in stage.accept_seconds()[first:]
        ]
        report.signs = [sign for stage, one in felt if (sign := stage.sign_seconds(one)) is not None]
        _judge(report, stages, warm + asked + felt, serve)
        report.samples = await _samples(port)
        assert await serve.end() == 0
    return report


@asynccontextmanager
async def _answering(settings: dict[str, str]) -> AsyncIterator[Chat]:
    """A worker of the real queue on the real store, whose answers take no time."""
    url = settings["CARECITE_HISTORY_URL"]
    engine = create_engine(url)
    chat = await open_chat(engine, Settings(home=Path(settings["CARECITE_HOME"])))
    app = App(connector=PsycopgConnector(conninfo=url, min_size=1, max_size=4))

    @app.task(name=TASK, queue=QUEUE)
    async def answer(question: int) -> None:
        claim = await chat.questions.claim(question)
        if claim is not None:
            look = LOOKS[await chat.workspaces.platform(claim.workspace)]
            await chat.questions.keep(claim, _run(claim))
            parts = parts_of("answer", look.reply(f"{ANSWER} {claim.text}"), PLACEHOLDER)
            await chat.questions.finish(claim, "answered", parts)

    options: dict[str, Any] = {"queues": [QUEUE], "concurrency": 4, "delete_jobs": "successful"}
    async with app.open_async():
        worker = asyncio.create_task(app.run_worker_async(**options, install_signal_handlers=False))
        try:
            yield chat
        finally:
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)
            await engine.dispose()


def _run(claim: Claim) -> Run:
    return Run(
        run_id=f"burst-{claim.question}",
        person=claim.owner,
        question=claim.text,
        language="en",
        triage="none",
        method="literature",
        ran="literature",
        abstained=False,
        answer={"run_id": f"burst-{claim.question}", "answer": {"text": ANSWER}},
        trace=[],
        citations=(),
        replies={},
    )


async def _ask(
    stages: Sequence[Stage], people: range, number: int, pause: float
) -> list[tuple[Stage, Asked]]:
    """Round the conversations, each message another one."""
    asked = []
    for n in range(number):
        stage = stages[n % len(stages)]
        person = people[n // len(stages) % len(people)]
        asked.append((stage, await stage.ask(person, f"Is {n} mg of vitamin C enough for an adult?")))
        await asyncio.sleep(pause)
    return asked


def _judge(report: Report, stages: Sequence[Stage], asked: list[tuple[Stage, Asked]], serve: Serving) -> None:
    report.asked = len(asked)
    wanted: dict[tuple[int, int], list[int]] = {}
    for stage, one in asked:
        answers = stage.answers(one)
        report.lost += not answers
        report.doubled += len(answers) > 1
        wanted.setdefault((stages.index(stage), one.person), []).append(one.message)
    for (at, person), messages in wanted.items():
        if stages[at].replies(person) != messages:
            report.disordered.append(f"{stages[at].platform} {person}")
    for conversation, finished in serve.query(_FINISHED):
        if finished != sorted(finished):
            report.disordered.append(f"conversation {conversation}")
    ((kept,),) = serve.query("SELECT count(*) FROM inbox WHERE kind = 'question'")
    report.doubled += max(0, kept - len(asked))
    report.ignored = sum(len(stage.ignored()) for stage in stages)
    report.throttled = sum(stage.throttled() for stage in stages)


def _megabytes(serve: Serving) -> float:
    assert serve.process is not None
    status = Path(f"/proc/{serve.process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found.group(1)) / 1024 if found else 0.0


async def _samples(port: int) -> dict[str, float]:
    """What the process itself counted."""
    async with aiohttp.ClientSession() as client, client.get(f"http://127.0.0.1:{port}/metrics") as reply:
        lines = (await reply.text()).splitlines()
    pairs = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
    return {name: float(value) for name, value in pairs}
