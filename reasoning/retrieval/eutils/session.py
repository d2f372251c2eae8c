"""What one question, or one ingest, has of E-utilities: its time, its requests, the replies it used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from reasoning.retrieval.eutils.allowance import Allowance
from reasoning.retrieval.eutils.keeping import KeptSearch
from reasoning.retrieval.eutils.transport import Outcome, Transport


@dataclass(slots=True)
class Session:
    """`calls` counts requests by endpoint, tries included; `kept` is to be stored with the run."""

    transport: Transport
    allowance: Allowance
    calls: Counter[str] = field(default_factory=Counter)
    kept: dict[str, KeptSearch] = field(default_factory=dict)

    async def ask(self, endpoint: str, params: Mapping[str, str], roots: Collection[str]) -> Outcome:
        outcome = await self.transport.ask(endpoint, params, roots, self.allowance)
        self.calls[endpoint] += outcome.calls
        return outcome
