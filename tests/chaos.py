"""Questions on several platforms while processes are killed: is each answered once, and in order?

`serve` takes and sends, a `worker` answers. Both are killed at seeded moments of what they do, and begin anew
while people go on asking: deliveries come twice, some questions are edited, one update is broken.
"""

from __future__ import annotations

import asyncio
import signal
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.acceptance.serving import Serving, killed_in_the_end, settings_for
from tests.program import Program
from tests.stages import Asked, Stage

QUESTIONS = [
    *tomllib.loads((Path(__file__).parent / "acceptance" / "gate_questions.toml").read_text())["answered"]
]
# What the library does not know costs the least: of four questions three are of this kind.
COUNTRIES = ("Norway", "Peru", "Kenya", "Japan", "Canada", "Egypt", "Nepal", "Chile", "Ghana", "Iceland")
PER_PERSON = 5  # questions
_DRAINED, _EACH = 300.0, 15.0  # seconds, and for each question: a limit against hanging, no more
_READY = ("carecite serves", "waits for jobs")  # what `serve` and the worker say then
_FINISHED = """
SELECT conversation_id, array_agg(id ORDER BY finished_at) FROM inbox
WHERE kind = 'question' AND job_id IS NOT NULL GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """`kills`: how often `serve` and the worker are killed, each time so many seconds (`lives`) after it was
    ready. `pause`: seconds from one question to the next, on average.
    """

    questions: int
    seed: int
    kills: tuple[int, int]
    pause: float = 0.5
    lives: tuple[float, float] = (0.0, 4.0)
    edited: float = 0.1  # share of questions


@dataclass(slots=True)
class Report:
    """What went wrong, by what it was, and the states of all questions."""

    asked: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    disordered: list[str] = field(default_factory=list)
    ignored: int = 0
    parked: int = 0
    states: dict[str, int] = field(default_factory=dict)


async def run_chaos(carecite: Program, stages: Sequence[Stage], plan: Plan, name: str) -> Report:
    """All of it, to its end: everything is received, finished and sent."""
    report, random = Report(), Random(plan.seed)
    led = {key: value for stage in stages for key, value in stage.settings.items()}
    settings = settings_for(carecite, name, CARECITE_WORKER_CONCURRENCY="0", **led)
    serve = Serving(settings)
    worker = Serving(settings | {"CARECITE_WORKER_CONCURRENCY": "4"}, ("worker",))
    people = range(21, 21 + max(1, plan.questions // PER_PERSON // len(stages)))
    async with killed_in_the_end(serve, worker):
        await asyncio.gather(*(one.start(said) for one, said in zip((serve, worker), _READY, strict=True)))
        await asyncio.gather(*(stage.welcome(people) for stage in stages))
        for stage in stages:
            await stage.deliver(2)
        killing = [
            asyncio.create_task(_kill(one, ready, kills, plan, Random(random.random())))
            for one, ready, kills in zip((serve, worker), _READY, plan.kills, strict=True)
        ]
        asked = await _ask(stages, people, plan, random)
        await asyncio.gather(*killing)
        for stage in stages:
            assert await stage.settle(_DRAINED)
        await serve.until_finished(_DRAINED + plan.questions * _EACH)
        _judge(report, stages, asked, serve)
        assert await serve.end() == 0
        assert await worker.end() == 0
    return report


async def _kill(served: Serving, ready: str, kills: int, plan: Plan, random: Random) -> None:
    """Again and again; in the end it runs."""
    for _ in range(kills):
        await asyncio.sleep(random.uniform(*plan.lives))
        await served.end(signal.SIGKILL)
        await served.start(ready)


async def _ask(
    stages: Sequence[Stage], people: range, plan: Plan, random: Random
) -> list[tuple[Stage, Asked]]:
    asked: list[tuple[Stage, Asked]] = []
    for n in range(plan.questions):
        stage = stages[n % len(stages)]
        person = people[n // len(stages) % len(people)]
        asked.append((stage, await stage.ask(person, _words(n))))
        if 0 <= n - plan.questions // 3 < len(stages):  # one on each
            await stage.push_broken(person)
        if random.random() < plan.edited:
            edited = random.choice(asked)
            await edited[0].edit(edited[1], f"{_words(random.randrange(99))} Please be brief.")
        await asyncio.sleep(random.uniform(0, 2 * plan.pause))
    return asked


def _words(n: int) -> str:
    round_, kind = divmod(n, 4)
    country = COUNTRIES[round_ % len(COUNTRIES)]
    quick = ("capital", "tallest mountain", "longest river")
    return f"What is the {quick[kind - 1]} of {country}?" if kind else QUESTIONS[round_ % len(QUESTIONS)]


def _judge(report: Report, stages: Sequence[Stage], asked: list[tuple[Stage, Asked]], serve: Serving) -> None:
    report.asked = len(asked)
    for stage, one in asked:
        answers = len(stage.answers(one))
        label = f"{stage.platform} {one.person}/{one.message}"
        if answers != 1:
            (report.doubled if answers else report.lost).append(label)
    for stage in stages:
        for person in {one.person for place, one in asked if place is stage}:
            wanted = [one.message for place, one in asked if place is stage and one.person == person]
            if [message for message in stage.replies(person) if message in wanted] != wanted:
                report.disordered.append(f"{stage.platform} {person}: replies")
    for conversation, finished in serve.query(_FINISHED):
        if finished != sorted(finished):
            report.disordered.append(f"conversation {conversation}: {finished}")
    report.ignored = sum(len(stage.ignored()) for stage in stages)
    ((report.parked,),) = serve.query("SELECT count(*) FROM inbox WHERE kind = 'parked'")
    report.states = dict(
        serve.query("SELECT state, count(*) FROM inbox WHERE kind = 'question' GROUP BY state ORDER BY state")
    )
