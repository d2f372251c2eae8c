"""Whether what was retrieved may answer at all (case F28); decided before any sentence is chosen."""

from __future__ import annotations

from reasoning.evidence import Gate, Retrieved

# Chosen on the house's own questions (`tests/acceptance/gate_questions.toml`), not on any benchmark.
LEAST_SIMILARITY = 0.40  # cosine of question and nearest passage, where it is comparable (not for MedCPT)
LEAST_COVERAGE = 0.60  # of the question's subject that the best passages name


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
