"""What can a model's server do? One small real step tells, for `carecite doctor`."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, Field

from config.settings import ModelEndpoint
from reasoning.llm.budget import Budget, Limits
from reasoning.llm.gateway import Gateway
from reasoning.llm.servers import LADDER, known_server
from reasoning.llm.step import Step
from reasoning.trace import Trace

_WORD = "ready"
_CALLS = 10  # the whole ladder, and some options refused
_FORMATS = {
    "json_schema": "JSON by schema",
    "reduced": "JSON by a reduced schema",
    "json_object": "JSON without a schema",
    "plain": "JSON in plain text",
}


class Word(BaseModel):
    """The reply to the probe."""

    word: str = Field(description="the word that was asked for")


@dataclass(frozen=True, slots=True)
class Wanted:
    word: str = _WORD


def _check(wanted: Wanted, reply: Word) -> str | None:
    return None if wanted.word in reply.word.lower() else f'"{wanted.word}" was asked for.'


PROBE: Step[Wanted, Word] = Step("probe", "probe.v1", Word, lambda wanted: Word(word=wanted.word), _check)


async def probe_model(endpoint: ModelEndpoint) -> str:
    """What works there, in words. Raises NoAnswer, with the remedy."""
    gateway = Gateway(endpoint)
    budget = Budget(Limits(calls=_CALLS, tokens=20_000, seconds=endpoint.deadline))
    try:
        await gateway.ask(PROBE, Wanted(), budget, Trace())
    finally:
        await gateway.aclose()
    server = known_server(endpoint.base_url or "", endpoint.model or "")
    found = [_FORMATS[LADDER[server.rung]], "streamed" if server.streams else "not streamed"]
    return ", ".join(found + (["thinks first"] if server.thinks else []))
