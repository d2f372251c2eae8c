"""What the chains claim, each claim with the facts it rests on (methods.md 2.6, step 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from reasoning.llm import Closed, Step
from reasoning.methods.mirage.claims import fold_term
from reasoning.methods.mirage.turns import say_fact
from reasoning.methods.mirage.workspace import Chain
from storage.facts import ClaimType, Polarity, relations
from storage.graph import GraphFact


class SaidClaim(Closed):
    chain: int = Field(description="number of the chain that says it")
    type: ClaimType
    subject: str = Field(description="what it is about: for a diagnosis the symptom, for a dose the drug")
    value: str = Field(description="the disease, test, treatment, amount or advice")
    unit: str = Field(description="of a dose, else empty")
    polarity: Polarity
    facts: list[int] = Field(description="numbers of the facts that say it")


class SaidClaims(Closed):
    claims: list[SaidClaim]


@dataclass(frozen=True, slots=True)
class ExtractInputs:
    """Completed chains, and the facts that their answers cite, numbered from 1."""

    question: str
    chains: tuple[Chain, ...]
    facts: tuple[GraphFact, ...]

    @property
    def told(self) -> list[tuple[int, str, str, str]]:
        """Number, sub-question, answer and fact lines of each chain, for the prompt."""
        return [
            (n, chain.part, chain.answer, "\n".join(self._lines(chain)))
            for n, chain in enumerate(self.chains, start=1)
        ]

    def _lines(self, chain: Chain) -> list[str]:
        cited = set(chain.cited)
        return [f"[{n}] {say_fact(fact)}" for n, fact in enumerate(self.facts, start=1) if fact.id in cited]


def claims_from_facts(inputs: ExtractInputs) -> SaidClaims:
    """The rule: each cited fact is one claim, as the lexicon reads its relation; others say none."""
    claims = []
    for place, chain in enumerate(inputs.chains, start=1):
        cited = set(chain.cited)
        for n, fact in enumerate(inputs.facts, start=1):
            known = relations().get(fact.relation) if fact.id in cited else None
            if known is None:
                continue
            ends = (fact.head.name, fact.tail.name)
            subject, value = ends if known.of == "head" else ends[::-1]
            claims.append(
                SaidClaim(
                    chain=place, type=known.claim, subject=subject, value=value, unit="",
                    polarity=known.polarity, facts=[n],
                )
            )  # fmt: skip
    return SaidClaims(claims=claims)


def find_nonsense(inputs: ExtractInputs, reply: SaidClaims) -> str | None:
    """Why a reply cannot be used, in words that help a second try."""
    for claim in reply.claims:
        if not 1 <= claim.chain <= len(inputs.chains):
            return f"there is no chain {claim.chain}"
        if unknown := [n for n in claim.facts if not 1 <= n <= len(inputs.facts)]:
            return f"there is no fact {unknown[0]}"
    return None if any(claim.facts for claim in reply.claims) else "give for each claim its facts"


EXTRACT = Step("claims", "claims.v1", SaidClaims, claims_from_facts, find_nonsense)


def find_fault(claim: SaidClaim, facts: Sequence[GraphFact], canonical: Mapping[str, str]) -> str | None:
    """Why a claim does not rest on the facts that it cites, or None.

    Its ends are named by them (an amount need only be written there), and where one fact joins both ends,
    type and polarity are those of its relation.
    """
    if not facts:
        return "it cites no fact"
    subject, value = _same(claim.subject, canonical), _same(claim.value, canonical)
    names = {_same(end.name, canonical) for fact in facts for end in (fact.head, fact.tail)}
    if subject not in names:
        return f"its facts do not name {claim.subject}"
    if claim.type == "dose":
        written = " ".join(say_fact(fact) for fact in facts).casefold()
        return None if claim.value.casefold() in written else "its facts name no such amount"
    if value not in names:
        return f"its facts do not name {claim.value}"
    for fact in facts:
        known = relations().get(fact.relation)
        joined = {_same(fact.head.name, canonical), _same(fact.tail.name, canonical)}
        if (
            known
            and joined == {subject, value}
            and (known.claim, known.polarity)
            != (
                claim.type,
                claim.polarity,
            )
        ):
            return "its facts say otherwise"
    return None


def _same(name: str, canonical: Mapping[str, str]) -> str:
    folded = fold_term(name)
    return fold_term(canonical.get(folded, folded))
