"""Nothing is lost, nothing is answered twice, and order is kept, whatever is killed and however much comes.

`make bench` runs both with more: 200 questions under random kills, 2,000 messages.
"""

from __future__ import annotations

import pytest

from tests import burst, chaos
from tests.program import Program
from tests.stages import open_stages

SEED = 7


@pytest.mark.slow
async def test_forty_questions_while_processes_are_killed(carecite: Program) -> None:
    """Five kills of `serve`, three of the worker: fewer than the claims of one question may be."""
    plan = chaos.Plan(40, SEED, kills=(5, 3))
    async with open_stages() as stages:
        report = await chaos.run_chaos(carecite, stages, plan, "chaos")
    answered = report.states.pop("answered", 0) + report.states.pop("abstained", 0)
    assert report == chaos.Report(asked=40, parked=len(stages))
    assert answered == 40


@pytest.mark.slow
async def test_a_burst_with_every_message_three_times(carecite: Program) -> None:
    plan = burst.Plan(200, 50, steady=10)
    async with open_stages() as stages:
        report = await burst.run_burst(carecite, stages, plan, "burst")
    asked = 200 + 10 + burst.WARM_UP
    assert report.asked == asked
    assert (report.lost, report.doubled, report.disordered, report.ignored) == (0, 0, [], 0)
    assert report.throttled >= plan.refused * len(stages)
    for stage in stages:
        taken = f'carecite_questions_taken_total{{platform="{stage.platform}"}}'
        kept = f'carecite_accept_seconds_count{{platform="{stage.platform}"}}'
        assert report.samples[taken] == asked / len(stages)
        assert stage.arrivals() >= (3 * (asked - 10) + 10) / len(stages)
        assert report.samples[kept] == stage.arrivals()
