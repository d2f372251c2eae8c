"""Every sentence against the evidence it cites (architecture 2.6; case F27): supported, or not said."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reasoning.evidence import Claim, Evidence
from reasoning.llm import Budget, LanguageModel
from reasoning.trace import Trace
from reasoning.types import Rejected
from reasoning.verify.checks import first_objection
from reasoning.verify.entailment import ENTAILMENT, CitedSentence, EntailmentInputs
from reasoning.verify.ground import Cited, Likeness, cite, ground

_SAYS = {"contradicted": "its source says otherwise", "not_stated": "its source does not say it"}


@dataclass(frozen=True, slots=True)
class Supported:
    """Claims that stand, their quotes as stored, and those that do not, with reasons a reviewer can read."""

    claims: Sequence[Claim]
    rejected: Sequence[Rejected]


def verify_claims(
    claims: Sequence[Claim],
    evidence: Sequence[Evidence],
    *,
    language: str = "en",
    likeness: Likeness | None = None,
) -> Supported:
    """Keep the claims that their quotes bear out, by rules alone.

    `language` is that of the sentences; `likeness` the encoder's cosine of (sentence, source sentence) pairs,
    see `reasoning.verify.likeness`. A sentence in a language without a lexicon is held to its ids, quotes and
    numbers only.
    """
    held = resolve_all(claims, evidence)
    known = {item.eid: item for item in evidence}
    kept: list[Claim] = []
    rejected = list(held.rejected)
    for claim in held.claims:
        cited = [found for eid, quote in claim.support if (found := cite(known[eid], quote))]
        reason = first_objection(ground(claim, cited, evidence, language, likeness or {}))
        if reason:
            rejected.append(Rejected(claim=claim.text, reason=reason))
        else:
            kept.append(claim)
    return Supported(kept, rejected)


def resolve_all(claims: Sequence[Claim], evidence: Sequence[Evidence]) -> Supported:
    """Keep the claims whose every quote is a span of citable evidence of this answer, as it is stored."""
    known = {item.eid: item for item in evidence}
    kept: list[Claim] = []
    rejected: list[Rejected] = []
    for claim in claims:
        cited = resolve(claim, known)
        if isinstance(cited, str):
            rejected.append(Rejected(claim=claim.text, reason=cited))
        else:
            kept.append(replace(claim, support=tuple((one.item.eid, one.span) for one in cited)))
    return Supported(kept, rejected)


async def verify(
    claims: Sequence[Claim],
    evidence: Sequence[Evidence],
    llm: LanguageModel,
    budget: Budget,
    trace: Trace,
    *,
    language: str = "en",
    likeness: Likeness | None = None,
) -> Supported:
    """The rules first; then one call of a model, where there is one, over all that they kept.

    Quotes that stand for themselves are not asked about. What the model finds contradicted or not stated is
    removed; without a model, or where it fails, the rules' verdict stands.
    """
    # a long answer takes the rules more than the 50 ms for which the event loop may be held up
    supported = await asyncio.to_thread(verify_claims, claims, evidence, language=language, likeness=likeness)
    if not llm.available:
        return supported
    judged = await judge(supported.claims, evidence, llm, budget, trace, language=language)
    return Supported(judged.claims, [*supported.rejected, *judged.rejected])


async def judge(
    claims: Sequence[Claim],
    evidence: Sequence[Evidence],
    llm: LanguageModel,
    budget: Budget,
    trace: Trace,
    *,
    language: str = "en",
) -> Supported:
    """The entailment step alone, over claims whose quotes hold; others are kept as they are."""
    asked: dict[int, CitedSentence] = {}
    known = {item.eid: item for item in evidence}
    for at, claim in enumerate(claims):
        cited = resolve(claim, known)
        if isinstance(cited, str) or ground(claim, cited, evidence, language, {}).verbatim:
            continue
        sources = dict.fromkeys((one.heading, " ".join(one.sentences)) for one in cited)
        asked[at] = CitedSentence(len(asked) + 1, claim.text, tuple(sources))
    if not asked:
        return Supported(claims, [])
    result = await llm.run(ENTAILMENT, EntailmentInputs(tuple(asked.values())), budget, trace)
    verdicts = {one.n: one.verdict for one in result.value.verdicts}
    kept, rejected = [], []
    for at, claim in enumerate(claims):
        verdict = verdicts.get(asked[at].n, "supported") if at in asked else "supported"
        if verdict == "supported":
            kept.append(claim)
        else:
            rejected.append(Rejected(claim=claim.text, reason=_SAYS[verdict], by=result.by))
    return Supported(kept, rejected)


def resolve(claim: Claim, known: Mapping[str, Evidence]) -> list[Cited] | str:
    """The quotes as stored, or why one of them is no quote of this answer's evidence."""
    if not claim.support:
        return "cites nothing"
    cited = []
    for eid, quote in claim.support:
        if eid not in known:
            return "cites a source that was not retrieved"
        if not known[eid].source.article.standing.citable:
            return "rests on a retracted record"
        found = cite(known[eid], quote)
        if found is None:
            return "the quote is not in the source"
        cited.append(found)
    return cited
