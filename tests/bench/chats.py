"""The chats under load and under kills: a burst of messages, and questions while processes are killed.

Both start `carecite` as processes of their own, on a fresh home with the emulators of the platforms. What a
platform sees is measured: the time until a delivery is confirmed, and until a first reply stands there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from random import SystemRandom

from storage.postgres import ensure_server
from tests import burst, chaos
from tests.bench.report import Aim, Row
from tests.bench.timing import Taken, percentile
from tests.emulators.eutils.corpus import Corpus
from tests.emulators.eutils.server import EutilsServer
from tests.integration.embedded import new_home
from tests.program import Program
from tests.stages import open_stages

_NONE = Aim("<=", 0)
MESSAGES, CONVERSATIONS = 2000, 500
QUESTIONS, KILLS = 200, (25, 10)


@contextlib.contextmanager
def _program() -> Iterator[Program]:
    """carecite with a home of its own, in which nothing was asked yet."""
    with new_home() as home, ensure_server(home, linger=0.2) as address, EutilsServer(Corpus([])) as pubmed:
        program = Program(home, address, pubmed.base_url)
        program.first = program.run("ask", "What is gout?")
        yield program


async def measure_burst() -> list[Row]:
    with _program() as program:
        async with open_stages() as stages:
            plan = burst.Plan(MESSAGES, CONVERSATIONS)
            report = await burst.run_burst(program, stages, plan, "bench_burst")
    warm, after, end = report.memory
    accepted, signs = report.accepts, report.signs
    p99, p95 = 1000 * percentile(accepted, 0.99), 1000 * percentile(signs, 0.95)
    return [
        Row("burst", f"lost, of {report.asked}", report.lost, "", _NONE),
        Row("burst", "doubled", report.doubled, "", _NONE),
        Row("burst", "conversations out of order", len(report.disordered), "", _NONE),
        Row("burst", f"429s ignored, of {report.throttled}", report.ignored, "", _NONE),
        Row("burst", "messages taken in a second", plan.messages * plan.copies / report.taken_in, ""),
        Row("burst", "seconds until all is sent", report.sent_off, ""),
        Row("burst", "memory after the burst by before", after / warm, "", Aim("<=", 1.1)),
        Row("burst", "memory in the end by before", end / warm, "", Aim("<=", 1.1)),
        Row("steady", "accept p99", p99, "ms", Aim("<=", 300), _taken(accepted)),
        Row("steady", "first sign p95", p95, "ms", Aim("<=", 1000), _taken(signs)),
    ]


async def measure_chaos() -> list[Row]:
    seed = SystemRandom().randrange(10**6)
    with _program() as program:
        async with open_stages() as stages:
            plan = chaos.Plan(QUESTIONS, seed, KILLS)
            report = await chaos.run_chaos(program, stages, plan, "bench_chaos")
    of = f"of {report.asked}, {sum(KILLS)} kills, seed {seed}"
    return [
        Row("chaos", f"lost, {of}", len(report.lost), "", _NONE),
        Row("chaos", "answered twice", len(report.doubled), "", _NONE),
        Row("chaos", "conversations out of order", len(report.disordered), "", _NONE),
        Row("chaos", "429s ignored", report.ignored, "", _NONE),
        Row("chaos", "apologised", report.states.get("apologised", 0), ""),
    ]


def _taken(seconds: list[float]) -> Taken:
    """Processor time is another process's, and not told here."""
    return Taken(1000 * percentile(seconds, 0.5), 1000 * percentile(seconds, 0.95), 0.0)
