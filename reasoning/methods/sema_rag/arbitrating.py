"""The arbiter: the evidence set adjudicated into a report, and the answer from it (methods.md 3.4).

C -> packed -> R (adjudicate) -> validator -> choice or words (conclude) -> what may be told of it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reasoning.evidence import Findings, Retrieved
from reasoning.exams.choosing import OUTSIDE, ChoiceInputs, read_choice
from reasoning.grounding.gate import fitting
from reasoning.grounding.passages import GivenPassage, number_passages
from reasoning.llm import StepResult
from reasoning.methods.sema_rag.adjudicating import ADJUDICATE, AdjudicateInputs, Adjudication, read_report
from reasoning.methods.sema_rag.concluding import (
    CONCLUDE,
    CONCLUDE_IN_WORDS,
    ConcludeInputs,
    Conclusion,
    WordInputs,
    claims_of,
    word_by_rule,
)
from reasoning.methods.sema_rag.course import Course
from reasoning.methods.sema_rag.covering import find_uncovered
from reasoning.methods.sema_rag.report import Reason, Report, validate
from reasoning.methods.sema_rag.reporting import report_course, report_options
from reasoning.methods.sema_rag.ruling import rule_in_words, rule_on_options
from reasoning.methods.sema_rag.snippets import show_passages
from reasoning.methods.sema_rag.telling import tell_choice, unnamed_options
from reasoning.types import Choice


async def choose(course: Course, found: Retrieved, findings: Findings) -> Findings:
    """The findings with the option that the report and its evidence bear out, or with the gate closed."""
    passages = number_passages(found.evidence)
    weighed = await course.weigh(passages[: course.preset.weighed])
    if weighed is None:
        return _encoder_failed(findings)
    ranked = weighed.ranked
    missing = [unmet.what for unmet in find_uncovered(course.interpreted, passages)]
    ruled = rule_on_options(weighed, ranked, found.evidence, missing)
    report, by = await _adjudicate(course, found, passages, ruled)
    weighed = await _weigh_cited(course, report, passages) or weighed
    inputs = ConcludeInputs(
        course.interpreted.question_en,
        course.question.language,
        course.question.options,
        report.findings,
        report.missing,
        weighed,
    )
    with course.tools.trace.span("conclude") as span:
        result = await course.tools.llm.run(CONCLUDE, inputs, course.tools.budget, course.tools.trace)
        span.note(by=result.by, reason=result.reason, choice=result.value.answer_choice)
        span.note(findings=result.value.findings, insufficient=result.value.insufficient)
    findings = _note_failures(findings, course, by, result.by, result.reason)
    return _tell(course, found, findings, report, weighed, result)


def _tell(
    course: Course,
    found: Retrieved,
    findings: Findings,
    report: Report,
    weighed: ChoiceInputs,
    result: StepResult[ConcludeInputs, Conclusion],
) -> Findings:
    """What is said of the conclusion: only what sentences of articles on the subject bear out."""
    options, value = course.question.options, result.value
    option = read_choice(value.answer_choice, options)
    near = {item.eid for item in fitting(found.evidence)}
    told = replace(weighed, passages=tuple(given for given in weighed.passages if given.evidence.eid in near))
    outside = result.unreadable and OUTSIDE in (result.reason or "")
    silent = outside or findings.gate != "found"
    claims = [] if silent else tell_choice(value, report, told, by_model=result.by == "model")
    proposed = {
        "label": option.label if option else None,
        "by": result.by,
        "insufficient": value.insufficient,
        "said": bool(claims),
    }
    shown = report_course(course) | report.as_json()
    shown |= {"choice": proposed, "options": report_options(report, weighed)}
    findings = replace(findings, report=shown)
    if option is None or not claims:
        return replace(findings, gate="off_topic" if findings.gate == "found" else findings.gate)
    supported = bool(report.of(option.label, "supports"))
    return replace(
        findings,
        claims=claims,
        choice=Choice(label=option.label, text=option.text),
        doubtful=not supported or any(one.resolution is None for one in report.conflicts),
        unnamed=unnamed_options(option, report, told),
    )


async def word(course: Course, found: Retrieved, findings: Findings) -> Findings:
    """The findings with an answer in words, or with the gate closed after all."""
    passages = number_passages(fitting(found.evidence))
    texts = list(dict.fromkeys(text for given in passages for text in given.texts))
    question = course.interpreted.question_en
    compared = await course.compare([question], texts)
    if compared is None:
        return _encoder_failed(findings)
    likeness = {text: compared[question, text] for text in texts}
    missing = [unmet.what for unmet in find_uncovered(course.interpreted, passages)]
    ruled = rule_in_words(question, passages, likeness, found.evidence, missing)
    report, by = await _adjudicate(course, found, passages, ruled)
    inputs = WordInputs(course.question.text, course.question.language, report.findings, report.missing)
    with course.tools.trace.span("conclude") as span:
        result = await course.tools.llm.run(
            CONCLUDE_IN_WORDS, inputs, course.tools.budget, course.tools.trace
        )
        claims = claims_of(report.findings, result.value)
        span.note(by=result.by, reason=result.reason, sufficient=result.value.sufficient)
    findings = _note_failures(findings, course, by, result.by, result.reason)
    findings = replace(findings, report=report_course(course) | report.as_json())
    if not result.value.sufficient or not claims:
        return replace(findings, gate="off_topic")
    quotes = claims_of(ruled.findings, word_by_rule(replace(inputs, findings=ruled.findings)))
    return replace(
        findings,
        claims=claims,
        by=result.by,
        quotes=quotes if result.by == "model" else (),
        doubtful=any(one.resolution is None for one in report.conflicts),
    )


async def _adjudicate(
    course: Course, found: Retrieved, passages: tuple[GivenPassage, ...], ruled: Report
) -> tuple[Report, str]:
    """R, checked; of no evidence there is no report to make, and nobody is asked for one."""
    left_out: list[tuple[str, Reason]] = [(key, "retracted") for key in sorted(course.retracted)]
    left_out += [(eid, "off_topic") for eid, why in course.pool.refused.items() if "floor" in why]
    labels = [option.label for option in course.question.options]
    if not passages:
        return Report(summary=ruled.summary, dropped=tuple(left_out), missing=ruled.missing), "rule"
    interpreted = course.interpreted
    shown = show_passages(passages, interpreted.linear.text, course.preset.sentences)
    inputs = AdjudicateInputs(interpreted.question_en, course.question.options, shown, ruled)
    with course.tools.trace.span("adjudicate", passages=len(passages)) as span:
        result: StepResult[AdjudicateInputs, Adjudication] = await course.tools.llm.run(
            ADJUDICATE, inputs, course.tools.budget, course.tools.trace
        )
        written = ruled if result.by == "rule" else read_report(result.inputs, result.value)
        report = validate(written, found.evidence, labels)
        report = replace(report, dropped=tuple(dict.fromkeys([*report.dropped, *left_out])))
        span.note(by=result.by, reason=result.reason, read=len(result.inputs.passages))
        span.note(report=report.as_json())
    return report, result.by


async def _weigh_cited(
    course: Course, report: Report, passages: tuple[GivenPassage, ...]
) -> ChoiceInputs | None:
    """What the conclusion is measured by: passages that findings rest on, then the others as packed."""
    cited = {eid for finding in report.findings for eid in finding.eids}
    ordered = sorted(passages, key=lambda given: given.evidence.eid not in cited)
    most = max(course.preset.weighed, sum(given.evidence.eid in cited for given in passages))
    return await course.weigh(tuple(ordered[:most]))


def _note_failures(
    findings: Findings, course: Course, first: str, second: str, reason: str | None
) -> Findings:
    """What a configured model could not do is said."""
    failed = "rule" in (first, second) or any(
        one.judged is not None and one.judged.by == "rule" for one in course.rounds
    )
    if not course.tools.llm.available or not failed:
        return findings
    judged: Sequence[str | None] = [one.judged.reason for one in course.rounds if one.judged]
    told = next((text for text in (reason, *judged, course.interpreted.reason) if text), "")
    return findings.lacking("model_failed", told)


def _encoder_failed(findings: Findings) -> Findings:
    return replace(findings.lacking("compare_failed", "The encoder failed."), gate="search_failed")
