"""Chains side by side, and what waits for them (methods.md 2.7)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from reasoning.evidence import Tools
from reasoning.methods.mirage.chains import run_chain
from reasoning.methods.mirage.decomposing import Part
from reasoning.methods.mirage.looking import Looking
from reasoning.methods.mirage.workspace import Chain, Workspace
from storage.errors import StorageError


async def run_chains(parts: Sequence[Part], looking: Looking, tools: Tools) -> list[Chain]:
    """All chains at their end, by id; one that failed says why and costs the others nothing.

    At most N_q run at once. Each writes a trace of its own; they are joined by id, so that the trace does not
    depend on which was quicker.
    """
    board, slots = Workspace(), asyncio.Semaphore(looking.preset.parts)
    seconds = max(0.1, looking.preset.chain_share * tools.budget.seconds_left)
    own = {part.id: replace(tools, trace=tools.trace.branch()) for part in parts}

    async def run_one(part: Part) -> None:
        async with slots:
            with own[part.id].trace.span("chain", id=part.id, entities=list(part.entities)) as span:
                chain = await _guard(part, looking, own[part.id], board, seconds)
                span.note(status=chain.status, turns=chain.turns, tokens=chain.tokens, reason=chain.reason)
        await board.end(chain)

    async with asyncio.TaskGroup() as group:
        for part in parts:
            group.create_task(run_one(part))
        chains = await board.wait_for([part.id for part in parts])
    for part in parts:
        tools.trace.join(own[part.id].trace)
    with tools.trace.span("workspace") as span:
        span.note(events=[[event.chain, event.seq, event.what, event.detail] for event in board.events])
    return chains


async def _guard(part: Part, looking: Looking, tools: Tools, board: Workspace, seconds: float) -> Chain:
    failed = Chain(part.id, part.text, status="failed", by="rule")
    try:
        async with asyncio.timeout(seconds):
            return await run_chain(part, looking, tools, board)
    except TimeoutError:
        return replace(failed, reason="its time was up")
    except StorageError as error:
        return replace(failed, reason=type(error).__name__)
