"""The workspace that the modules of one question share: they only add to it (methods.md 2.7)."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal

from reasoning.methods.mirage.looking import Block
from storage.graph import FactPath, GraphFact

Status = Literal["pending", "retrieving", "completed", "failed"]


@dataclass(frozen=True, slots=True)
class Chain:
    """One chain as it stands; `facts` in the order in which they were found, `cited` those of its answer."""

    id: str
    part: str
    status: Status = "pending"
    turns: int = 0
    blocks: tuple[Block, ...] = ()
    facts: tuple[GraphFact, ...] = ()
    cited: tuple[int, ...] = ()
    answer: str = ""
    tokens: int = 0
    by: Literal["model", "rule"] = "model"
    reason: str | None = None  # why it failed, or why it was ended

    @property
    def terminal(self) -> bool:
        return self.status in ("completed", "failed")

    @property
    def paths(self) -> tuple[FactPath, ...]:
        return tuple(path for block in self.blocks for path in block.paths)


@dataclass(frozen=True, slots=True)
class Event:
    """What happened in one chain, in its own order."""

    chain: str
    seq: int
    what: str
    detail: dict[str, Any]


@dataclass(slots=True)
class Workspace:
    """Append-only; who needs a chain's end waits for it."""

    _events: list[Event] = field(default_factory=list)
    _ended: dict[str, Chain] = field(default_factory=dict)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    def add(self, chain: str, what: str, **detail: Any) -> None:
        seq = sum(event.chain == chain for event in self._events)
        self._events.append(Event(chain, seq, what, detail))

    async def end(self, chain: Chain) -> None:
        """A chain that is completed or failed, once."""
        self.add(chain.id, chain.status, reason=chain.reason)
        async with self._changed:
            self._ended[chain.id] = chain
            self._changed.notify_all()

    async def wait_for(self, ids: Collection[str]) -> list[Chain]:
        """These chains when the last of them has ended, by id."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._ended.keys() >= set(ids))
        return [self._ended[each] for each in sorted(ids)]

    @property
    def events(self) -> list[Event]:
        """By chain, and within one as they came: the same for the same work, whoever was quicker."""
        by_chain: defaultdict[str, list[Event]] = defaultdict(list)
        for event in self._events:
            by_chain[event.chain].append(event)
        return [event for chain in sorted(by_chain) for event in by_chain[chain]]
