"""From the chains' answers to the claims that are kept (methods.md 2.6, steps 1 to 5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reasoning.evidence import Question, Tools
from reasoning.linking.types import Link
from reasoning.llm import StepResult
from reasoning.methods.mirage.claims import Backing, GraphClaim, fold_term, merge, normalise, rank
from reasoning.methods.mirage.conflicts import Resolution, resolve
from reasoning.methods.mirage.extracting import (
    EXTRACT,
    ExtractInputs,
    SaidClaim,
    SaidClaims,
    claims_from_facts,
    find_fault,
)
from reasoning.methods.mirage.lexicon import asks_one
from reasoning.methods.mirage.looking import distinct
from reasoning.methods.mirage.workspace import Chain
from storage.graph import FactPath, GraphFact

COMPARED = 60  # claims whose likeness to the question is asked for, the best supported; our choice


@dataclass(frozen=True, slots=True)
class Synthesis:
    """What was decided. `facts` are all that were found, by id; `touched` leads from an entity to those of
    the question that it is or touches; `unsupported` are claims (in words) without facts that say them."""

    resolution: Resolution
    facts: Mapping[int, GraphFact]
    paths: tuple[FactPath, ...]
    touched: Mapping[int, frozenset[int]]
    unsupported: tuple[tuple[str, str], ...] = ()
    by: str = "rule"


async def synthesise(
    question: Question, links: Sequence[Link], chains: Sequence[Chain], tools: Tools
) -> Synthesis:
    """The claims of all completed chains, compared and resolved."""
    done = tuple(chain for chain in chains if chain.status == "completed")
    facts = distinct(fact for chain in done for fact in chain.facts)
    by_id = {fact.id: fact for fact in facts}
    touched = find_touched(facts, links)
    with tools.trace.span("synthesis", chains=[chain.id for chain in done]) as span:
        said = await _extract(question, done, by_id, tools)
        canonical = _canonical(facts, links)
        claims, unsupported = list[GraphClaim](), list[tuple[str, str]]()
        for one in said.value.claims:
            cited = [said.inputs.facts[n - 1] for n in one.facts]
            if fault := find_fault(one, cited, canonical):
                unsupported.append((f"{one.subject}: {one.value}", fault))
                continue
            claims.append(_weigh(one, cited, done[one.chain - 1], canonical, touched))
        claims = await _compare(question, merge(claims), tools)
        resolution = resolve(claims, asks_one=asks_one(question.text))
        span.note(
            by=said.by,
            reason=said.reason,
            kept=[claim.words for claim in resolution.kept[:COMPARED]],
            rejected=[(lost.claim.words, lost.reason) for lost in resolution.rejected],
            uncertain=[(one.words, other.words, kind) for one, other, kind in resolution.uncertain],
            unsupported=unsupported,
        )
    paths = tuple(path for chain in done for path in chain.paths)
    return Synthesis(resolution, by_id, paths, touched, tuple(unsupported), said.by)


def find_touched(facts: Sequence[GraphFact], links: Sequence[Link]) -> dict[int, frozenset[int]]:
    """For each end of the facts, the entities of the question (by their first id) that it is or touches."""
    first = {each: link.ids[0] for link in links for each in link.ids}
    touched: defaultdict[int, set[int]] = defaultdict(set)
    for fact in facts:
        for end, other in ((fact.head.id, fact.tail.id), (fact.tail.id, fact.head.id)):
            touched[end] |= {first[each] for each in (end, other) if each in first}
    return {end: frozenset(members) for end, members in touched.items()}


async def _extract(
    question: Question, done: tuple[Chain, ...], by_id: Mapping[int, GraphFact], tools: Tools
) -> StepResult[ExtractInputs, SaidClaims]:
    """A model is asked where a model answered in a chain; what rules found needs none to be read."""
    cited = tuple(by_id[each] for each in dict.fromkeys(each for chain in done for each in chain.cited))
    inputs = ExtractInputs(question.text, done, cited)
    if any(chain.answer for chain in done):
        return await tools.llm.run(EXTRACT, inputs, tools.budget, tools.trace)
    return StepResult(claims_from_facts(inputs), inputs, "rule")


def _canonical(facts: Sequence[GraphFact], links: Sequence[Link]) -> dict[str, str]:
    """Folded name -> that of its entity: names of facts, aliases, and the words of the question."""
    ends = [end for fact in facts for end in (fact.head, fact.tail)]
    names = {fold_term(alias): end.name for end in ends for alias in (*end.aliases, end.name)}
    return names | {fold_term(link.text): link.entity.name for link in links if link.entity}


def _weigh(
    said: SaidClaim,
    cited: Sequence[GraphFact],
    chain: Chain,
    canonical: Mapping[str, str],
    touched: Mapping[int, frozenset[int]],
) -> GraphClaim:
    """The claim in comparable terms with what stands behind it."""
    claim = normalise(
        said.type, said.subject, said.value, said.unit, said.polarity, [fact.id for fact in cited], canonical
    )
    ends = {end.id for fact in cited for end in (fact.head, fact.tail)}
    asked = {end for end in ends if end in touched.get(end, frozenset())}
    near = max((touched.get(end, frozenset()) for end in sorted(ends - asked)), key=len, default=frozenset())
    return replace(
        claim,
        backing=Backing(
            frozenset({chain.id}), frozenset(fact.relation for fact in cited), near | frozenset(asked)
        ),
    )


async def _compare(question: Question, claims: Sequence[GraphClaim], tools: Tools) -> list[GraphClaim]:
    """With their likeness to the question; of the best supported ones, and none where the encoder failed."""
    ordered = rank(claims)
    first = ordered[:COMPARED]
    texts = [f"{claim.subject} {claim.value}" for claim in first]
    vectors = await tools.retrieval.encode([question.text, *texts]) if first else None
    if vectors is None:
        return ordered
    likeness = vectors[1:] @ vectors[0]
    compared = [
        replace(claim, backing=replace(claim.backing, likeness=float(value)))
        for claim, value in zip(first, likeness, strict=True)
    ]
    return [*compared, *ordered[COMPARED:]]
