"""A question about one topic, answered from the literature at hand; without a model it quotes."""

from __future__ import annotations

from dataclasses import replace

from reasoning.evidence import Findings, Question, Tools
from reasoning.methods.cometa.gate import LEAST_COVERAGE, judge
from reasoning.methods.cometa.quotes import candidate_sentences, choose_quotes
from reasoning.types import Remark

PASSAGES = 8  # our choice; at most two of one article


async def answer_from_literature(question: Question, tools: Tools) -> Findings:
    """Evidence, the gate's verdict, and two to five verbatim sentences as claims."""
    with tools.trace.span("retrieve", limit=PASSAGES) as span:
        found = await tools.retrieval.retrieve(question, PASSAGES, tools.trace)
        span.note(passages=[item.eid for item in found.evidence], similarity=round(found.similarity, 3))
    with tools.trace.span("gate") as span:
        gate = judge(found)
        span.note(state=gate, coverage=round(found.coverage, 3), missing=list(found.missing_terms[:5]))
    report: dict[str, object] = {
        "preset": "literature",
        "similarity": found.similarity,
        "coverage": found.coverage,
    }
    findings = Findings(
        gate, searched=found.searched, report=report, warnings=found.warnings, degraded=found.degraded
    )
    if gate != "found":
        return findings
    with tools.trace.span("quote") as span:
        fitting = [item for item in found.evidence if item.coverage >= LEAST_COVERAGE]
        candidates = candidate_sentences(fitting)
        texts = list(dict.fromkeys(text for item in candidates for text in (item.text, item.heading)))
        likeness = await tools.retrieval.compare(found, texts)
        if likeness is None:
            failed = (*found.degraded, Remark(code="compare_failed", detail="The encoder failed."))
            return replace(findings, gate="search_failed", degraded=failed)
        claims = choose_quotes(question.text, candidates, dict(zip(texts, likeness, strict=True)))
        span.note(candidates=len(candidates), chosen=len(claims))
    return replace(findings, gate="found" if claims else "off_topic", evidence=found.evidence, claims=claims)
