"""Claims that cannot both hold, and which of them is kept (methods.md 2.6, steps 3 to 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reasoning.methods.mirage.claims import GraphClaim, merge, rank

Kind = Literal["polarity", "exclusive", "dose", "contraindicated"]
WORDS: dict[Kind, str] = {
    "polarity": "another claim says the opposite",
    "exclusive": "one diagnosis was asked for, and another one",
    "dose": "another dose, which does not meet it,",
    "contraindicated": "recommended by one claim and contraindicated by another, which",
}


@dataclass(frozen=True, slots=True)
class Loser:
    """A claim that is not said, the conflict, and the claim that won."""

    claim: GraphClaim
    kind: Kind
    winner: GraphClaim

    @property
    def reason(self) -> str:
        return f"{WORDS[self.kind]} is better supported ({self.winner.words})"


@dataclass(frozen=True, slots=True)
class Resolution:
    """`kept` best first; `uncertain` are pairs of them that disagree with equal support."""

    kept: tuple[GraphClaim, ...]
    rejected: tuple[Loser, ...] = ()
    uncertain: tuple[tuple[GraphClaim, GraphClaim, Kind], ...] = ()


def find_conflict(one: GraphClaim, other: GraphClaim, *, asks_one: bool) -> Kind | None:
    """How two claims disagree, or None. `asks_one` is whether the question asks for one diagnosis: then two
    diagnoses exclude each other, whatever complaint each explains."""
    if one.type != other.type:
        return None
    signs = {one.polarity, other.polarity}
    if asks_one and one.type == "diagnosis" and signs == {"affirmed"} and one.keys[1] != other.keys[1]:
        return "exclusive"
    if one.keys[0] != other.keys[0]:
        return None
    if one.dose and other.dose:
        return "dose" if signs == {"affirmed"} and one.dose.is_apart(other.dose) else None
    if one.keys[1] != other.keys[1] or "affirmed" not in signs:
        return None
    if "contraindicated" in signs:
        return "contraindicated"
    return "polarity" if "denied" in signs else None


def resolve(claims: Sequence[GraphClaim], *, asks_one: bool = False) -> Resolution:
    """The better supported claim of each conflict; where support is equal in all parts, both.

    Equal claims are merged first. A claim that lost cannot beat another one.
    """
    kept: list[GraphClaim] = []
    rejected: list[Loser] = []
    uncertain: list[tuple[GraphClaim, GraphClaim, Kind]] = []
    for claim in rank(merge(claims)):
        against = [(won, kind) for won in kept if (kind := find_conflict(won, claim, asks_one=asks_one))]
        beaten = [(won, kind) for won, kind in against if won.backing.order > claim.backing.order]
        if beaten:
            rejected.append(Loser(claim, beaten[0][1], beaten[0][0]))
            continue
        uncertain += [(won, claim, kind) for won, kind in against]
        kept.append(claim)
    return Resolution(tuple(kept), tuple(rejected), tuple(uncertain))
