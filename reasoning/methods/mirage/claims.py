"""Claims: what chains say, in terms that can be compared (methods.md 2.6, steps 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from reasoning.methods.mirage.doses import Dose, read_dose
from reasoning.routing.words import split_words
from storage.facts import ClaimType, Polarity


@dataclass(frozen=True, slots=True)
class Backing:
    """What stands behind a claim: chains that cite it, relations of its facts, entities of the question that
    its paths touch, and the encoder's likeness to the question."""

    chains: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset()
    touched: frozenset[int] = frozenset()
    likeness: float = 0.0

    @property
    def order(self) -> tuple[int, int, int, float]:
        """Compared from the left, more is better (step 4); a likeness counts in hundredths."""
        return len(self.chains), len(self.relations), len(self.touched), round(self.likeness, 2)

    def __or__(self, other: Backing) -> Backing:
        return Backing(
            self.chains | other.chains,
            self.relations | other.relations,
            self.touched | other.touched,
            max(self.likeness, other.likeness),
        )


@dataclass(frozen=True, slots=True)
class GraphClaim:
    """One claim. `facts` are ids of the facts it rests on; `subject` and `value` are shown as they are.

    `keys` are both in the form in which they are compared; of a dose the second is empty and `dose` says it.
    """

    type: ClaimType
    subject: str
    value: str
    polarity: Polarity
    facts: tuple[int, ...]
    keys: tuple[str, str]
    dose: Dose | None = None
    backing: Backing = Backing()

    @property
    def said(self) -> tuple[object, ...]:
        """What two claims that say the same have in common."""
        return self.type, self.keys, self.dose, self.polarity

    @property
    def words(self) -> str:
        """For a trace and for the reason of a rejection."""
        mark = {"affirmed": "", "denied": " not", "contraindicated": " contraindicated"}[self.polarity]
        return f"{self.subject}:{mark} {self.value}"


@lru_cache(maxsize=16_384)
def fold_term(term: str) -> str:
    """A name without case, plural, accent and punctuation."""
    return " ".join(word.key for word in split_words(term)) or term.casefold()


def normalise(
    type: ClaimType,
    subject: str,
    value: str,
    unit: str | None,
    polarity: Polarity,
    facts: Sequence[int],
    canonical: Mapping[str, str],
) -> GraphClaim:
    """The claim in comparable terms. `canonical` leads from a folded name to that of its entity; a dose that
    cannot be read is compared by its words."""

    def key(term: str) -> str:
        folded = fold_term(term)
        return fold_term(canonical.get(folded, folded))

    value = f"{value} {unit}" if unit and unit.casefold() not in value.casefold() else value
    dose = read_dose(value) if type == "dose" else None
    keys = key(subject), "" if dose else key(value)
    return GraphClaim(type, subject, value, polarity, tuple(dict.fromkeys(facts)), keys, dose)


def merge(claims: Iterable[GraphClaim]) -> list[GraphClaim]:
    """Equal claims as one, in the order of their first; facts and backing add up."""
    merged: dict[tuple[object, ...], GraphClaim] = {}
    for claim in claims:
        first = merged.get(claim.said)
        if first is None:
            merged[claim.said] = claim
            continue
        facts = tuple(dict.fromkeys((*first.facts, *claim.facts)))
        merged[claim.said] = replace(first, facts=facts, backing=first.backing | claim.backing)
    return list(merged.values())


def rank(claims: Iterable[GraphClaim], weight: Callable[[GraphClaim], int] = lambda _: 0) -> list[GraphClaim]:
    """Best first: by `weight`, then backing; ties by their terms, so that the order is always the same."""

    def place(claim: GraphClaim) -> tuple[object, ...]:
        return (
            -weight(claim),
            *(-part for part in claim.backing.order),
            claim.type,
            claim.keys,
            claim.value,
            claim.polarity,
        )

    return sorted(claims, key=place)
