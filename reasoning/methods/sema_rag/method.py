"""SEMA-RAG, top-down like the paper's figure (methods.md 3).

question -> interpreter (Q') -> explorer: retrieve, judge, ask on ... until sufficient (C*)
         -> gate -> arbiter: report R -> choice, or words
"""

from __future__ import annotations

from reasoning.evidence import Findings, Gate, Method, Question, Retrieved, Tools
from reasoning.grounding.gate import judge
from reasoning.methods.sema_rag.arbitrating import choose, word
from reasoning.methods.sema_rag.course import Course
from reasoning.methods.sema_rag.exploring import explore
from reasoning.methods.sema_rag.interpreting import interpret
from reasoning.methods.sema_rag.pool import Pool
from reasoning.methods.sema_rag.presets import Preset
from reasoning.methods.sema_rag.unaided import answer_at_once, choose_unread


def answer_with(preset: Preset) -> Method:
    """The method as it goes by a preset."""

    async def answer(question: Question, tools: Tools) -> Findings:
        return await answer_by_roles(question, tools, preset)

    return answer


async def answer_by_roles(question: Question, tools: Tools, preset: Preset) -> Findings:
    """Evidence, the report on it, and what may be said of the question."""
    interpreted = await interpret(question, preset, tools)
    if not interpreted.understood:
        return Findings("language")
    course = Course(question, preset, tools, interpreted, Pool(preset.per_article))
    if not preset.retrieves:
        return await choose_unread(course)
    await explore(course)
    found = await course.complete(course.pool.packed())
    gate = _judge(found, course)
    findings = course.findings(gate, found)
    if gate in ("nothing_found", "search_failed", "retracted") or course.interpreted.unrecognised:
        return await choose_unread(course, findings)
    if not preset.arbiter:
        return await answer_at_once(course, found, findings)
    if question.options:
        return await choose(course, found, findings)
    if gate != "found":
        return await choose_unread(course, findings)
    return await word(course, found, findings)


def _judge(found: Retrieved, course: Course) -> Gate:
    """The gate on the whole evidence set; where a search failed, nothing fitting is no absence (case F28)."""
    with course.tools.trace.span("gate") as span:
        gate: Gate = judge(found)
        failed = any(remark.code in ("search_failed", "dense_failed") for remark in course.degraded)
        if failed and gate in ("nothing_found", "off_topic"):
            gate = "search_failed"
        span.note(state=gate, coverage=round(found.coverage, 3), missing=list(found.missing_terms[:5]))
    return gate
