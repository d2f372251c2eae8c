"""Ends without an arbiter: one call on the packed evidence, or the question alone (methods.md 3.7)."""

from __future__ import annotations

from dataclasses import replace

from reasoning.evidence import Findings, Retrieved
from reasoning.exams.choosing import CHOOSE, read_choice
from reasoning.exams.examining import choose_option
from reasoning.grounding.answering import write_answer
from reasoning.methods.sema_rag.course import Course
from reasoning.methods.sema_rag.reporting import report_course


async def answer_at_once(course: Course, found: Retrieved, findings: Findings) -> Findings:
    """Without the arbiter: one call answers from the evidence, and there is no report R."""
    findings = replace(findings, report=report_course(course))
    asked = replace(course.question, text=course.interpreted.question_en)
    if course.question.options:
        return await choose_option(asked, found, findings, course.tools)
    if findings.gate != "found":
        return findings
    return await write_answer(course.question, asked.text, found, (), findings, course.tools)


async def choose_unread(course: Course, findings: Findings | None = None) -> Findings:
    """No evidence: nothing is said. Of options one is proposed all the same, from the question alone, so
    that measuring can compare (retrieve or not, methods.md 6 row 13)."""
    findings = findings or Findings("nothing_found")
    shown = report_course(course) | {"stop": course.stop or "no_retrieval"}
    if not course.question.options:
        return replace(findings, report=shown)
    inputs = await course.weigh(())
    if inputs is None:
        return replace(findings.lacking("compare_failed", "The encoder failed."), report=shown)
    with course.tools.trace.span("choose_unread") as span:
        result = await course.tools.llm.run(CHOOSE, inputs, course.tools.budget, course.tools.trace)
        span.note(by=result.by, reason=result.reason, choice=result.value.answer_choice)
    option = read_choice(result.value.answer_choice, course.question.options)
    proposed = {
        "label": option.label if option else None,
        "by": result.by,
        "insufficient": True,
        "said": False,
    }
    return replace(findings, report=shown | {"choice": proposed})
