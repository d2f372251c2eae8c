"""The report R of the arbiter, checked: what is concluded from, and what people are shown (methods.md 3.4).

R = summary, findings [claim, eids, stance for each option, strength, year], conflicts, dropped, missing, hint
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from reasoning.evidence import Evidence

Stance = Literal["supports", "refutes", "neutral"]
Strength = Literal["strong", "moderate", "weak"]
Reason = Literal["duplicate", "off_topic", "superseded", "retracted"]
Span = tuple[str, str]  # eid, verbatim quote


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim with the spans it rests on; `n` counts from 1."""

    n: int
    claim: str
    spans: tuple[Span, ...]
    stances: Mapping[str, Stance]
    strength: Strength
    year: int | None

    @property
    def eids(self) -> list[str]:
        return list(dict.fromkeys(eid for eid, _ in self.spans))

    def stands(self, label: str) -> Stance:
        return self.stances.get(label, "neutral")

    def as_json(self) -> dict[str, Any]:
        return {
            "claim": self.claim,
            "eids": self.eids,
            "quote": self.spans[0][1],
            "stance": dict(self.stances),
            "strength": self.strength,
            "year": self.year,
        }


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two findings that cannot both hold, by number; `resolution` names the one that counts, or "open"."""

    first: int
    second: int
    resolution: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Report:
    """`refused` are findings that did not pass the validator, with the reason."""

    summary: str = ""
    findings: tuple[Finding, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    dropped: tuple[tuple[str, Reason], ...] = ()
    missing: tuple[str, ...] = ()
    hint: str | None = None
    refused: tuple[tuple[str, str], ...] = field(default=())

    def of(self, label: str, stance: Stance) -> list[Finding]:
        """The findings with this stance to an option."""
        return [finding for finding in self.findings if finding.stands(label) == stance]

    def as_json(self) -> dict[str, Any]:
        claims = {finding.n: finding for finding in self.findings}
        return {
            "summary": self.summary,
            "findings": [finding.as_json() for finding in self.findings],
            "conflicts": [
                {
                    "claim_a": claims[one.first].claim,
                    "claim_b": claims[one.second].claim,
                    "eids": list(dict.fromkeys([*claims[one.first].eids, *claims[one.second].eids])),
                    "resolution": claims[one.resolution].claim if one.resolution else "open",
                    "why": one.why,
                }
                for one in self.conflicts
            ],
            "dropped": [{"eid": eid, "reason": reason} for eid, reason in self.dropped],
            "missing": list(self.missing),
            "verdict_hint": self.hint,
            "refused": [{"claim": claim, "reason": reason} for claim, reason in self.refused],
        }


def validate(report: Report, evidence: Sequence[Evidence], labels: Sequence[str]) -> Report:
    """The report as far as it holds: ids of the closed evidence set, quotes word for word in it, stances to
    options that there are, conflicts between findings that are left."""
    known = {item.eid: item for item in evidence}
    kept: list[Finding] = []
    refused = list(report.refused)
    for finding in report.findings:
        fault = _fault(finding, known)
        if fault:
            refused.append((finding.claim, fault))
            continue
        stances = {label: stance for label, stance in finding.stances.items() if label in labels}
        kept.append(Finding(finding.n, finding.claim, finding.spans, stances, finding.strength, finding.year))
    numbers = {finding.n for finding in kept}
    cited = {eid for finding in kept for eid in finding.eids}
    return Report(
        report.summary,
        tuple(kept),
        tuple(
            one
            for one in report.conflicts
            if {one.first, one.second} <= numbers
            and one.first != one.second
            and one.resolution in (None, one.first, one.second)
        ),
        tuple(pair for pair in dict.fromkeys(report.dropped) if pair[0] not in cited),
        report.missing,
        report.hint if report.hint in labels else None,
        tuple(refused),
    )


def _fault(finding: Finding, known: Mapping[str, Evidence]) -> str | None:
    if not finding.claim.strip():
        return "it says nothing"
    if not finding.spans:
        return "it rests on no evidence"
    for eid, quote in finding.spans:
        if eid not in known:
            return f"there is no evidence {eid}"
        if not quote.strip() or quote not in known[eid].text:
            return f"its quote is not in {eid}"
    return None
