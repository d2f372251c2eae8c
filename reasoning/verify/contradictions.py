"""Sources that disagree: said, not averaged (methods.md 2.6 step 3).

Two statements of different articles contradict each other when they speak of the same and one denies it,
turns the direction round, or gives a range that does not meet the other's. They are compared by their quotes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from reasoning.evidence import Claim, Evidence
from reasoning.verify.direction import clashes
from reasoning.verify.ground import Cited, language_of
from reasoning.verify.population import groups_in
from reasoning.verify.quantities import Quantity, quantities_in
from reasoning.verify.statement import negations_in, poles_in
from reasoning.verify.topic import share
from reasoning.verify.verification import resolve
from reasoning.verify.words import Term, keys_in, terms_in

Kind = Literal["negation", "direction", "range"]
SAME_SUBJECT = 0.6  # of the weight of both statements (our choice)
SAME_QUANTITY = 0.75
FAR_APART = 1.5  # times: single figures of two studies are never quite the same


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two claims of different articles that cannot both hold; the first stands first in the answer."""

    first: Claim
    second: Claim
    kind: Kind
    quotes: tuple[str, str]


def find_contradictions(claims: Sequence[Claim], evidence: Sequence[Evidence]) -> list[Contradiction]:
    """Every pair of claims that disagree. An open contradiction lowers the confidence of the answer to low.

    Two populations may each have their truth: statements about different groups do not contradict each other.
    """
    known = {item.eid: item for item in evidence}
    found = []
    for first, second in combinations(claims, 2):
        mine, theirs = resolve(first, known), resolve(second, known)
        if isinstance(mine, str) or isinstance(theirs, str):
            continue
        if {c.item.key for c in mine} & {c.item.key for c in theirs}:
            continue
        hit = _compare(mine, theirs)
        if hit:
            found.append(Contradiction(first, second, *hit))
    return found


def _compare(mine: Sequence[Cited], theirs: Sequence[Cited]) -> tuple[Kind, tuple[str, str]] | None:
    for one in mine:
        for other in theirs:
            for a in one.sentences:
                for b in other.sentences:
                    kind = contradict(a, b, one.language, other.language)
                    if kind:
                        return kind, (a, b)
    return None


def contradict(a: str, b: str, language_a: str = "en", language_b: str = "en") -> Kind | None:
    """How two statements disagree, or None; only statements in one language can be compared."""
    language = language_of(a, language_a)
    if language != language_of(b, language_b) or groups_in(a, language) ^ groups_in(b, language):
        return None
    alike = min(_likeness(a, b, language), _likeness(b, a, language))
    if alike < SAME_SUBJECT:
        return None
    if _denied(a, b, language) != _denied(b, a, language):
        return "negation"
    poles = poles_in(b, language)
    if any(clashes(pole, poles, aligned=True) for pole in poles_in(a, language)):
        return "direction"
    return "range" if alike >= SAME_QUANTITY and _apart(a, b, language) else None


def _likeness(a: str, b: str, language: str) -> float:
    """Share of what `a` is about that `b` names; words that say how much or whether weigh nothing here."""
    turning = {pole.start for pole in poles_in(a, language)}
    terms = [term for term in terms_in(a, language) if term.start not in turning]
    keys = keys_in(b, language)
    return share(terms, keys, keys) if len(terms) > 1 else 0.0


def _denied(a: str, b: str, language: str) -> bool:
    """Whether `a` denies something that `b` speaks of."""
    keys = keys_in(b, language)
    return any(_speaks_of(negation.scope[:3], keys) for negation in negations_in(a, language))


def _speaks_of(scope: tuple[Term, ...], keys: frozenset[str]) -> bool:
    return any(term.covered_by(keys) for term in scope)


def _apart(a: str, b: str, language: str) -> bool:
    """Whether the only quantities of one kind do not meet."""
    mine, theirs = _single_kinds(a, language), _single_kinds(b, language)
    for kind in mine.keys() & theirs.keys():
        (low, high), (other_low, other_high) = mine[kind].ends, theirs[kind].ends
        if high < other_low or other_high < low:
            gap = max(low, other_low) / max(min(high, other_high), 1e-12)
            if low != high or other_low != other_high or gap >= FAR_APART:
                return True
    return False


def _single_kinds(text: str, language: str) -> dict[str, Quantity]:
    """The quantity of each kind that occurs once; counts without a unit say too little to be compared."""
    found: dict[str, list[Quantity]] = {}
    for q in quantities_in(text, language):
        if q.kind and not q.kind.startswith("label:"):
            found.setdefault(q.kind, []).append(q)
    return {kind: members[0] for kind, members in found.items() if len(members) == 1}
