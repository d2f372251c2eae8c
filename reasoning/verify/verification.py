"""Every sentence against the evidence it cites (architecture 2.6; case F27): supported, or not said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reasoning.evidence import Claim, Evidence
from reasoning.types import Rejected
from reasoning.verify.checks import first_objection
from reasoning.verify.ground import Cited, Likeness, cite, ground


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
    known = {item.eid: item for item in evidence}
    kept: list[Claim] = []
    rejected: list[Rejected] = []
    for claim in claims:
        cited = resolve(claim, known)
        if isinstance(cited, str):
            rejected.append(Rejected(claim=claim.text, reason=cited))
            continue
        reason = first_objection(ground(claim, cited, evidence, language, likeness or {}))
        if reason:
            rejected.append(Rejected(claim=claim.text, reason=reason))
        else:
            kept.append(replace(claim, support=tuple((one.item.eid, one.span) for one in cited)))
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
