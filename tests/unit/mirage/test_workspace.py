"""What is joined from tasks side by side does not depend on which was quicker (methods.md 2.7)."""

from __future__ import annotations

import asyncio

from reasoning.methods.mirage.workspace import Chain, Workspace
from reasoning.trace import Trace


async def test_events_stand_by_chain_whoever_came_first():
    one, other = Workspace(), Workspace()
    for chain, what in (("q1", "search"), ("q2", "search"), ("q1", "finish")):
        one.add(chain, what)
    for chain, what in (("q2", "search"), ("q1", "search"), ("q1", "finish")):
        other.add(chain, what)
    assert one.events == other.events
    assert [(event.chain, event.seq) for event in one.events] == [("q1", 0), ("q1", 1), ("q2", 0)]


async def test_who_needs_chains_waits_for_the_last_of_them():
    board = Workspace()
    waiting = asyncio.create_task(board.wait_for(["q1", "q2"]))
    await board.end(Chain("q2", "?", status="failed"))
    await asyncio.sleep(0)
    assert not waiting.done()
    await board.end(Chain("q1", "?", status="completed"))
    assert [chain.id for chain in await waiting] == ["q1", "q2"]


async def test_branches_of_a_trace_are_joined_under_the_open_span_in_the_order_of_joining():
    async def work(branch: Trace, wait: asyncio.Event | None, done: asyncio.Event) -> None:
        with branch.span("chain"):
            if wait:
                await wait.wait()
            with branch.span("search"):
                done.set()

    shapes = []
    for first_waits in (True, False):
        trace, ready = Trace(), asyncio.Event()
        with trace.span("method"):
            branches = [trace.branch(), trace.branch()]
            waits = (ready, None) if first_waits else (None, ready)
            dones = (asyncio.Event(), ready) if first_waits else (ready, asyncio.Event())
            await asyncio.gather(*(work(*each) for each in zip(branches, waits, dones, strict=True)))
            for branch in branches:
                trace.join(branch)
            with trace.span("after"):
                pass
        shapes.append([(span.span_id, span.parent_id, span.stage) for span in trace.spans])
    assert shapes[0] == shapes[1]
    assert shapes[0] == [
        (0, None, "method"), (1, 0, "chain"), (2, 1, "search"), (3, 0, "chain"), (4, 3, "search"),
        (5, 0, "after"),
    ]  # fmt: skip
