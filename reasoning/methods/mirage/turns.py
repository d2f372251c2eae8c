"""The repeated step of a chain: search the graph once more, or finish (methods.md 2.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from pydantic import Field

from reasoning.llm import Closed, Step, TokenForm
from reasoning.llm.prompts import load_prompt, render_prompt
from reasoning.llm.tokens import rough_tokens
from reasoning.methods.mirage.looking import Block, Query
from reasoning.methods.mirage.results import strip_results
from reasoning.methods.mirage.tokens import END_QUERY, read_turn
from storage.graph import GraphFact

SHORTEST = 10  # characters of an answer (methods.md 2.3)


@dataclass(frozen=True, slots=True)
class Search:
    """Look up one entity, or how two are joined."""

    query: Query


@dataclass(frozen=True, slots=True)
class Finish:
    """The chain's answer, and the numbers of the facts it rests on."""

    answer: str
    facts: tuple[int, ...]


class Turn(Closed):
    """Flat on the wire, so that a server whose grammar knows no alternatives can still finish; `action` tells
    which of the two it is."""

    reasoning: str = Field(description="one or two sentences: what is known and what is missing")
    do: Literal["search", "finish"]
    entity1: str = Field(description="for search: a specific medical concept; else empty")
    entity2: str = Field(description="for search: a second one, to find how both are joined; else empty")
    answer: str = Field(description="for finish: one paragraph from the facts; else empty")
    facts: list[int] = Field(description="for finish: numbers of the facts it rests on; else none")

    @property
    def action(self) -> Search | Finish:
        if self.do == "finish":
            return Finish(strip_results(self.answer), tuple(dict.fromkeys(self.facts)))
        first, second = self.entity1.strip(), self.entity2.strip()
        if not second and "|" in first:  # the token form of a bridge, with one bar or two
            first, _, second = (part.strip(" |") for part in first.partition("|"))
        return Search(Query((first, second) if second else (first,)))


@dataclass(frozen=True, slots=True)
class PastTurn:
    """What was said and found before; numbers are those of the chain's facts, from 1."""

    reasoning: str
    block: Block
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnInputs:
    """One turn of one chain; `left` counts the searches that may still be made."""

    question: str
    part: str
    language: str
    entities: tuple[str, ...]
    past: tuple[PastTurn, ...]
    facts: tuple[GraphFact, ...]
    left: int

    @property
    def blocks(self) -> list[tuple[str, str, str]]:
        """Reasoning, query with its note, and the fact lines of each turn, for the prompt."""
        return [
            (past.reasoning, f"{past.block.query.text}: {past.block.note or 'found'}", self._lines(past))
            for past in self.past
        ]

    def _lines(self, past: PastTurn) -> str:
        return "\n".join(f"[{n}] {say_fact(self.facts[n - 1])}" for n in past.numbers)


def say_fact(fact: GraphFact) -> str:
    """A fact in words; as an arrow where its relation has none."""
    return fact.read_from(fact.head.id).say()


def plan(entities: Sequence[str]) -> list[Query]:
    """The rule's queries: each entity by itself, then each pair."""
    return [Query((name,)) for name in entities] + [Query(pair) for pair in combinations(entities, 2)]


def take_turn(inputs: TurnInputs) -> Turn:
    """The rule: the next query of the plan while searches are left, then all facts as they were found."""
    asked = {past.block.query.key for past in inputs.past}
    queries = [query for query in plan(inputs.entities) if query.key not in asked]
    if queries and inputs.left > 0:
        first, second = (*queries[0].names, "")[:2]
        return Turn(reasoning="", do="search", entity1=first, entity2=second, answer="", facts=[])
    numbers = list(range(1, len(inputs.facts) + 1))
    return Turn(reasoning="", do="finish", entity1="", entity2="", answer="", facts=numbers)


def find_nonsense(inputs: TurnInputs, turn: Turn) -> str | None:
    """Why a turn cannot be used, in words that help a second try."""
    action = turn.action
    if isinstance(action, Search):
        return None if all(action.query.names) else "name a concept in entity1 to search, or finish"
    if unknown := [n for n in action.facts if not 1 <= n <= len(inputs.facts)]:
        return f"there is no fact {unknown[0]}"
    if inputs.facts and len(action.answer) < SHORTEST:
        return "give the answer in one paragraph"
    if inputs.facts and not action.facts:
        return "give in facts the numbers of the facts that the answer rests on"
    return None


def drop_reasoning(inputs: TurnInputs) -> TurnInputs | None:
    """Without the oldest reasoning; without the oldest refused block where none is left. Facts stay."""
    for at, past in enumerate(inputs.past):
        if past.reasoning:
            return replace(
                inputs, past=(*inputs.past[:at], replace(past, reasoning=""), *inputs.past[at + 1 :])
            )
    for at, past in enumerate(inputs.past):
        if not past.numbers:
            return replace(inputs, past=inputs.past[:at] + inputs.past[at + 1 :])
    return None


TURN = Step(
    name="chain",
    prompt="chain.v1",
    reply=Turn,
    rule=take_turn,
    check=find_nonsense,
    fewer=drop_reasoning,
    tokens=TokenForm("chain_tokens.v1", (END_QUERY,), read_turn),
)


def fit_turn(inputs: TurnInputs, most: int) -> TurnInputs:
    """The inputs within `most` tokens of prompt, as far as dropping reasoning can get there."""
    prompt = load_prompt(TURN.prompt)
    while True:
        rendered = render_prompt(prompt, inputs)
        smaller = drop_reasoning(inputs) if rough_tokens(rendered.system, rendered.user) > most else None
        if smaller is None:
            return inputs
        inputs = smaller
