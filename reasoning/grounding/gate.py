"""Whether what was retrieved may answer at all (case F28); decided before any sentence is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from reasoning.evidence import Evidence, Gate, Retrieved
from reasoning.retrieval.covering import LEAST_COVERAGE

# Chosen on the house's own questions (`tests/acceptance/gate_questions.toml`), not on any benchmark.
LEAST_SIMILARITY = 0.40  # cosine of question and nearest passage, where it is comparable (not for MedCPT)


def judge(found: Retrieved) -> Gate:
    """Found, or why not. A failed search is never reported as an absence of evidence."""
    if not found.evidence:
        if found.degraded:
            return "search_failed"
        return "retracted" if found.withdrawn else "nothing_found"
    if any(remark.code == "dense_failed" for remark in found.degraded):
        return "search_failed"  # words alone cannot tell what fits
    near = found.similarity >= LEAST_SIMILARITY or not found.comparable
    if not near or found.coverage < LEAST_COVERAGE:
        return "retracted" if found.withdrawn else "off_topic"
    return "found"


def fitting(evidence: Sequence[Evidence]) -> list[Evidence]:
    """What may be read for an answer: of articles that are about the subject."""
    return [item for item in evidence if item.coverage >= LEAST_COVERAGE]
