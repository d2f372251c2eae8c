"""Diseases ranked by what of the question they explain: the graph's answer to "what could it be"."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reasoning.linking.types import Link
from reasoning.methods.mirage.looking import Looking
from reasoning.methods.mirage.synthesis import Synthesis
from storage.graph import Entity, Weight

MOST = 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """A disease with the question's entities that it is or touches; `named`: the question speaks of it.

    `signs` is how like the question its own signs are, `rarity` adds up how little each of the entities tells
    apart otherwise, `likeness` is that of its best claim.
    """

    entity: Entity
    touched: frozenset[int]
    named: bool
    signs: float
    rarity: float
    likeness: float

    @property
    def order(self) -> tuple[float, bool, float, float, float, str]:
        return (
            -len(self.touched),
            not self.named,
            -round(self.signs, 4),
            -round(self.rarity, 6),
            -round(self.likeness, 2),
            self.entity.name,
        )


async def find_candidates(synthesis: Synthesis, links: Sequence[Link], looking: Looking) -> list[Candidate]:
    """Ranked by `rank_candidates`, weighed by the graph. Raises StorageError."""
    ends = {end.id for fact in synthesis.facts.values() for end in (fact.head, fact.tail)}
    weights = await looking.graph.weigh(ends, question=looking.question.text) if ends else {}
    return rank_candidates(synthesis, links, weights)


def rank_candidates(
    synthesis: Synthesis, links: Sequence[Link], weights: Mapping[int, Weight], kind: str = "disease"
) -> list[Candidate]:
    """Entities of this kind, best first: those that touch more of the question, then what it names itself,
    then whose signs are more like it, then what touches rarer things, then by likeness and name.

    What lost to an opposite claim is none. What only lost to another diagnosis still is: this list is of
    possibilities.
    """
    lost = {
        lost.claim.keys[1]
        for lost in synthesis.resolution.rejected
        if lost.claim.type == "diagnosis" and lost.kind != "exclusive"
    }
    lost -= {claim.keys[1] for claim in synthesis.resolution.kept if claim.type == "diagnosis"}
    likeness: dict[str, float] = {}
    for claim in synthesis.resolution.kept:
        for name in (claim.subject, claim.value):
            likeness[name] = max(likeness.get(name, 0.0), claim.backing.likeness)
    named = {link.entity.id: link.entity for link in links if link.entity}
    ends = {end.id: end for fact in synthesis.facts.values() for end in (fact.head, fact.tail)}
    twins = {each: link.ids[0] for link in links for each in link.ids}
    found: dict[int, Candidate] = {}
    for end in (named | ends).values():
        touched = synthesis.touched.get(end.id, frozenset())
        if end.id in twins:
            touched |= {twins[end.id]}
        if kind not in end.kinds or not touched or end.name in lost:
            continue
        rarity = sum(1 / math.log(2 + named[each].degree) for each in touched)
        signs = weights.get(end.id, Weight()).signs or 0.0
        known = likeness.get(end.name, 0.0)
        candidate = Candidate(end, touched, end.id in twins, signs, rarity, known)
        found.setdefault(twins.get(end.id, end.id), candidate)
    return sorted(found.values(), key=lambda one: one.order)[:MOST]
