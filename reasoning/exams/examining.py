"""A question with options, answered from evidence: the choice and the sentences that bear it out.

A choice that is only likely is a proposal: it is in the report, where measuring finds it, and never said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reasoning.evidence import Evidence, Findings, Question, Retrieved, Tools
from reasoning.exams.choosing import (
    CHOOSE,
    ChoiceInputs,
    ChoiceReply,
    claims_of_choice,
    probe_texts,
    read_choice,
)
from reasoning.grounding.gate import fitting
from reasoning.grounding.passages import number_passages
from reasoning.llm import StepResult
from reasoning.types import Choice
from reasoning.verify.likeness import cosines


async def choose_option(question: Question, found: Retrieved, findings: Findings, tools: Tools) -> Findings:
    """The findings with a choice that evidence bears out, or with the gate closed after all.

    `question.text` is the stem, in English; only what fits it may settle the question.
    """
    inputs = await choice_inputs(question, fitting(found.evidence), tools)
    if inputs is None:
        return replace(findings.lacking("compare_failed", "The encoder failed."), gate="search_failed")
    result = await run_choice(inputs, tools)
    option = read_choice(result.value.answer_choice, question.options)
    claims = claims_of_choice(result.inputs, result.value, by_model=result.by == "model")
    proposed = {
        "label": option.label if option else None,
        "by": result.by,
        "insufficient": result.value.insufficient,
        "said": bool(claims),
    }
    findings = replace(findings, report={**(findings.report or {}), "choice": proposed})
    if result.by == "rule" and tools.llm.available:
        findings = findings.lacking("model_failed", result.reason or "")
    if option is None or not claims:
        return replace(findings, gate="off_topic")
    choice = Choice(label=option.label, text=option.text)
    return replace(findings, evidence=found.evidence, claims=claims, choice=choice)


async def choice_inputs(
    question: Question, evidence: Sequence[Evidence], tools: Tools
) -> ChoiceInputs | None:
    """What the choice step is given; None where the encoder failed."""
    passages = number_passages(evidence)
    texts = probe_texts(question.text, question.options)
    said = [sentence.text for given in passages for sentence in given.sentences]
    sources = list(dict.fromkeys([*said, *(option.text for option in question.options)]))
    vectors = await tools.retrieval.encode([*texts, *sources])
    if vectors is None:
        return None
    likeness = cosines(texts, sources, vectors)
    return ChoiceInputs(question.text, question.language, question.options, passages, likeness)


async def run_choice(inputs: ChoiceInputs, tools: Tools) -> StepResult[ChoiceInputs, ChoiceReply]:
    """The choice step, seen in the trace."""
    with tools.trace.span("choose", options=[option.label for option in inputs.options]) as span:
        result = await tools.llm.run(CHOOSE, inputs, tools.budget, tools.trace)
        value = result.value
        span.note(by=result.by, reason=result.reason, choice=value.answer_choice, cites=value.cites)
        span.note(insufficient=value.insufficient)
    return result
