"""Diseases ranked by what of the question they explain: the graph's answer to "what could it be"."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from reasoning.methods.mirage.synthesis import Synthesis
from storage.graph import Entity

MOST = 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """A disease with the question's entities that it touches; `rarity` adds up how little each of them tells
    apart otherwise, `likeness` is that of its best claim."""

    entity: Entity
    touched: frozenset[int]
    rarity: float
    likeness: float

    @property
    def order(self) -> tuple[float, float, float, str]:
        return -len(self.touched), -round(self.rarity, 6), -round(self.likeness, 2), self.entity.name


def rank_candidates(
    synthesis: Synthesis, degrees: Mapping[int, int], kind: str = "disease"
) -> list[Candidate]:
    """Entities of this kind that the question does not name, best first: those that touch more of it, then
    what is rarer, then what is more like it, then by name. `degrees` are those of the question's entities."""
    lost = {lost.claim.keys[1] for lost in synthesis.resolution.rejected if lost.claim.type == "diagnosis"}
    lost -= {claim.keys[1] for claim in synthesis.resolution.kept if claim.type == "diagnosis"}
    likeness: dict[str, float] = {}
    for claim in synthesis.resolution.kept:
        for name in (claim.subject, claim.value):
            likeness[name] = max(likeness.get(name, 0.0), claim.backing.likeness)
    ends = {end.id: end for fact in synthesis.facts.values() for end in (fact.head, fact.tail)}
    found = []
    for end in ends.values():
        touched = synthesis.touched.get(end.id, frozenset())
        if kind in end.kinds and touched and end.id not in touched and end.name not in lost:
            rarity = sum(1 / math.log(2 + degrees.get(each, 0)) for each in touched)
            found.append(Candidate(end, touched, rarity, likeness.get(end.name, 0.0)))
    return sorted(found, key=lambda one: one.order)[:MOST]
