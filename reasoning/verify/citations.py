"""Every sentence against the evidence it cites (architecture 2.6; case F27)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reasoning.evidence import Claim, Evidence
from reasoning.types import Rejected

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Supported:
    """Claims that stand, and those that do not, with reasons a reviewer can read."""

    claims: Sequence[Claim]
    rejected: Sequence[Rejected]


def verify_claims(claims: Sequence[Claim], evidence: Sequence[Evidence]) -> Supported:
    """Keep the claims whose every quote is a verbatim span of citable evidence of this very answer."""
    known = {item.eid: item for item in evidence}
    kept: list[Claim] = []
    rejected: list[Rejected] = []
    for claim in claims:
        reason = objection(claim, known)
        if reason is None:
            kept.append(claim)
        else:
            rejected.append(Rejected(claim=claim.text, reason=reason))
    return Supported(kept, rejected)


def objection(claim: Claim, evidence: Mapping[str, Evidence]) -> str | None:
    """Why a claim may not be said, or None."""
    if not claim.support:
        return "cites nothing"
    for eid, quote in claim.support:
        if eid not in evidence:
            return "cites a source that was not retrieved"
        source = evidence[eid]
        if not source.source.article.standing.citable:
            return "rests on a retracted record"
        if not quote.strip() or quote not in source.text:
            return "the quote is not in the source"
    numbers = set(_NUMBER.findall(claim.text))
    if not numbers <= set(_NUMBER.findall(" ".join(quote for _, quote in claim.support))):
        return "a number is not in the source"
    return None
