"""A question about one topic, answered from the literature at hand.

retrieve -> gate (is this evidence for the question?) -> answer (a model writes, or the rule quotes)
"""

from __future__ import annotations

from dataclasses import replace

from reasoning.evidence import Evidence, Findings, Question, Retrieved, Tools
from reasoning.methods.cometa.answering import ANSWER, AnswerInputs, claims_of, quote_sentences
from reasoning.methods.cometa.examining import choose_option
from reasoning.methods.cometa.gate import LEAST_COVERAGE, judge
from reasoning.methods.cometa.passages import number_passages
from reasoning.types import Remark

PASSAGES = 8  # our choice; at most two of one article


async def answer_from_literature(question: Question, tools: Tools) -> Findings:
    """Evidence, the gate's verdict, and the sentences of an answer as claims."""
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
        gate,
        evidence=found.evidence,
        searched=found.searched,
        report=report,
        warnings=found.warnings,
        degraded=found.degraded,
    )
    if gate != "found":
        return findings
    if question.options:
        return await choose_option(question, found, findings, tools)
    fitting = [item for item in found.evidence if item.coverage >= LEAST_COVERAGE]
    return await _write_answer(question, found, fitting, findings, tools)


async def _write_answer(
    question: Question, found: Retrieved, fitting: list[Evidence], findings: Findings, tools: Tools
) -> Findings:
    with tools.trace.span("answer") as span:
        passages = number_passages(fitting)
        texts = [text for given in passages for text in given.texts]
        likeness = await tools.retrieval.compare(found, list(dict.fromkeys(texts)))
        if likeness is None:
            failed = (*found.degraded, Remark(code="compare_failed", detail="The encoder failed."))
            return replace(findings, gate="search_failed", degraded=failed)
        known = dict(zip(dict.fromkeys(texts), likeness, strict=True))
        inputs = AnswerInputs(question.text, question.language, passages, known)
        result = await tools.llm.run(ANSWER, inputs, tools.budget, tools.trace)
        claims = claims_of(result.inputs, result.value)
        span.note(by=result.by, reason=result.reason, sufficient=result.value.sufficient, claims=len(claims))
    if result.by == "rule" and tools.llm.available:
        lost = Remark(code="model_failed", detail=result.reason or "")
        findings = replace(findings, degraded=(*findings.degraded, lost))
    if not result.value.sufficient or not claims:
        return replace(findings, gate="off_topic")
    quotes = claims_of(inputs, quote_sentences(inputs)) if result.by == "model" else ()
    return replace(findings, evidence=found.evidence, claims=claims, by=result.by, quotes=quotes)
