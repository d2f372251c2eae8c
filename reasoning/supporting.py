"""What of a method's findings may be said (architecture 2.6): verification, and its fallback to quotes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from reasoning.evidence import Claim, Evidence, Findings, Tools
from reasoning.quoting import quote_instead
from reasoning.retrieval.reading import is_review
from reasoning.safety.injection import is_foreign_link, without_foreign_links
from reasoning.types import Rejected
from reasoning.verify import Supported, find_contradictions, resolve_all, verify
from reasoning.verify.likeness import cosines, list_rivals
from storage.documents import Article


@dataclass(frozen=True, slots=True)
class Verified:
    """The findings as they may be told; `conflicts` are pairs of claims of different articles."""

    findings: Findings
    claims: Sequence[Claim]
    rejected: Sequence[Rejected]
    conflicts: Sequence[tuple[Claim, Claim]]


async def support(findings: Findings, language: str, tools: Tools) -> Verified:
    """Keep what stands; where a model's sentence does not, say what it cites, word for word.

    Where less than half of what a model wrote stands, what is left may mislead, and the rule's quotes are
    said instead (our choice).
    """
    supported = await _verify(findings.claims, findings.evidence, language, tools)
    rejected = [*findings.rejected, *supported.rejected]
    if findings.by == "model" and 2 * len(supported.claims) >= len(findings.claims):
        quotable = resolve_all(findings.claims, findings.evidence).claims
        supported = replace(supported, claims=quote_instead(findings.claims, supported.claims, quotable))
    elif findings.by == "model":
        detail = f"{len(rejected)} sentences did not stand"
        findings = replace(findings.lacking("model_unsupported", detail), by="rule")
        supported = await _verify(findings.quotes, findings.evidence, language, tools)
        rejected += supported.rejected
    disputed = find_contradictions(supported.claims, findings.evidence)
    known = {item.eid: item.source.article for item in findings.evidence}
    pairs = [_newest_review_first(pair.first, pair.second, known) for pair in disputed]
    return Verified(findings, supported.claims, rejected, pairs)


def _newest_review_first(first: Claim, second: Claim, articles: Mapping[str, Article]) -> tuple[Claim, Claim]:
    """Of two claims that disagree, the one of a review first, else the one of the newer article
    (methods.md 6 row 2)."""

    def weight(claim: Claim) -> tuple[bool, int]:
        article = articles[claim.support[0][0]]
        return is_review(article.publication_types), article.year or 0

    return (second, first) if weight(second) > weight(first) else (first, second)


async def _verify(
    claims: Sequence[Claim], evidence: Sequence[Evidence], language: str, tools: Tools
) -> Supported:
    with tools.trace.span("verify", claims=len(claims)) as span:
        own, foreign = _part_links(claims, {item.source.article.url or "" for item in evidence})
        texts, sources = list_rivals(own, evidence)
        vectors = None
        if any(claim.text != quote for claim in own for _, quote in claim.support):  # else nothing to compare
            vectors = await tools.retrieval.encode([*texts, *sources])
        likeness = None if vectors is None else cosines(texts, sources, vectors)
        supported = await verify(
            own, evidence, tools.llm, tools.budget, tools.trace, language=language, likeness=likeness
        )
        supported = replace(supported, rejected=[*supported.rejected, *foreign])
        span.note(kept=len(supported.claims), rejected=[one.reason for one in supported.rejected])
    return supported


def _part_links(claims: Sequence[Claim], urls: Collection[str]) -> tuple[list[Claim], list[Rejected]]:
    """Claims that lead nowhere else, and those that do: their address is not repeated anywhere."""
    own: list[Claim] = []
    foreign: list[Rejected] = []
    for claim in claims:
        if is_foreign_link(claim.text, urls):
            shown = without_foreign_links(claim.text, urls)
            foreign.append(Rejected(claim=shown, reason="it leads to what was not retrieved"))
        else:
            own.append(claim)
    return own, foreign
