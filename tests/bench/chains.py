"""Four chains side by side, against the order of MIRAGE's released code, one after another (measuring.md P9).

A scripted model takes 200 ms a call, and each chain five calls: four searches of the starter graph, then it
finishes. Both orders run the same chains; calls and tokens must be equal.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from bot.app import open_retrieval, open_workshop
from config import Settings
from reasoning.encoders import AsyncEncoder
from reasoning.evidence import Question, Tools
from reasoning.linking import GraphLinker
from reasoning.llm import Budget, Gateway, Limits
from reasoning.methods.mirage.coordinator import run_chains
from reasoning.methods.mirage.decomposing import Part
from reasoning.methods.mirage.looking import Looking
from reasoning.methods.mirage.presets import PRODUCT
from reasoning.retrieval.graph_search import CorpusGraph
from reasoning.trace import Trace
from tests.bench.report import Aim, Row
from tests.emulators.model import Chat, ModelServer, Reply

SECONDS = 0.2  # a call
SEARCHES = {
    "q1": ("fever", "flu", "pneumonia", "cough"),
    "q2": ("gout", "joint pain", "arthritis", "kidney failure"),
    "q3": ("high blood pressure", "stroke", "diabetes", "heart failure"),
    "q4": ("asthma", "cough", "anemia", "tiredness"),
}
_FACT = re.compile(r"^\[(\d+)\] ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of one run of chains; `slowest` is the longest of them."""

    wall: float
    slowest: float
    calls: int
    tokens: int


def reply(request: dict[str, Any], _: int) -> Reply:
    """The next search of the chain, or its end."""
    text = request["messages"][-1]["content"]
    names = next(names for part, names in SEARCHES.items() if f"Sub-question: {part}" in text)
    done = text.count("\nSearch ")
    turn: dict[str, Any] = {"reasoning": "", "entity1": "", "entity2": "", "answer": "", "facts": []}
    if done < len(names):
        turn |= {"do": "search", "entity1": names[done]}
    else:
        turn |= {"do": "finish", "answer": "These are the facts.", "facts": [int(_FACT.findall(text)[0])]}
    return Chat(json.dumps(turn), before=SECONDS)


async def measure_chains(settings: Settings, repeats: int) -> list[Row]:
    """Side by side over the slowest chain where it runs alone, and one after another over the same."""
    parts = [Part(name, f"{name}: what is known?", names[:1]) for name, names in SEARCHES.items()]
    together: list[Measured] = []
    alone: list[list[Measured]] = []
    async with open_workshop(settings) as workshop, open_retrieval(workshop) as retrieval:
        encoder = AsyncEncoder(workshop.encoder)
        with ModelServer(reply) as server:
            gateway = Gateway(server.endpoint(timeout=20.0, deadline=60.0, max_calls=100))
            graph = CorpusGraph(workshop.graph, workshop.corpus, encoder)
            tools = Tools(
                retrieval, (), None, gateway, Budget(Limits(100, 1_000_000)), Trace(),
                graph=graph, linker=GraphLinker(workshop.graph, encoder),
            )  # fmt: skip
            for _ in range(repeats + 1):
                together.append(await _run(parts, tools, graph))
                alone.append([await _run([part], tools, graph) for part in parts])
            await gateway.aclose()
            most = server.most_at_once
        await encoder.close()
    return _rows(together[1:], alone[1:], most)


async def _run(parts: Sequence[Part], tools: Tools, graph: CorpusGraph) -> Measured:
    own = replace(tools, budget=Budget(Limits(100, 1_000_000)), trace=Trace())
    looking = Looking(Question("What is known?"), own, graph, PRODUCT, {}, ())
    began = time.perf_counter()
    chains = await run_chains(parts, looking, own)
    wall = time.perf_counter() - began
    if any(chain.reason or chain.turns != 5 for chain in chains):
        raise RuntimeError(
            f"A chain went another way: {[(one.id, one.turns, one.reason) for one in chains]}."
        )
    spans = [span.latency_ms / 1000 for span in own.trace.spans if span.stage == "chain"]
    return Measured(wall, max(spans), own.budget.spent.calls, sum(chain.tokens for chain in chains))


def _rows(together: Sequence[Measured], alone: Sequence[Sequence[Measured]], most: int) -> list[Row]:
    calls, tokens = together[0].calls, together[0].tokens
    if any(sum(one.calls for one in each) != calls for each in alone):
        raise RuntimeError("The two orders make different numbers of calls.")
    if any(sum(one.tokens for one in each) != tokens for each in alone):
        raise RuntimeError("The two orders spend different numbers of tokens.")
    slowest = median(max(one.slowest for one in each) for each in alone)
    wall = median(one.wall for one in together)
    after = median(sum(one.wall for one in each) for each in alone)
    equal = {"calls": calls, "tokens": tokens}
    slowest_words = f"of {1000 * slowest:.0f} ms alone"
    return [
        Row(
            "chains", "four side by side, wall time over the slowest chain alone", wall / slowest, "",
            Aim("<=", 1.15), f"{1000 * wall:.0f} {slowest_words}, {most} calls in flight", details=equal,
        ),
        Row(
            "chains", "the same, over the slowest of those side by side",
            median(one.wall / one.slowest for one in together), "", Aim("<=", 1.15), details=equal,
        ),
        Row(
            "chains", "one after another, wall time over the slowest chain", after / slowest, "",
            peer=f"{1000 * after:.0f} {slowest_words}", peer_name="official order", details=equal,
        ),
    ]  # fmt: skip
