"""CoMeta, top-down like the paper's figure (methods.md 1.1).

rewrite -> Adapt-E (symbolic) || vectors (semantic) -> RRF -> records and standing -> depth
        -> passages (recall 50 -> rerank -> 5) -> gate -> answer

With the preset `literature` the same steps answer any other question about one topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reasoning.evidence import Findings, Gate, Method, Question, Retrieved, Tools
from reasoning.exams.examining import choose_option
from reasoning.grounding.answering import write_answer
from reasoning.grounding.gate import judge
from reasoning.literature import Literature
from reasoning.methods.cometa.depth import deepen
from reasoning.methods.cometa.documents import keep_documents
from reasoning.methods.cometa.fusing import search_both
from reasoning.methods.cometa.presets import Preset
from reasoning.methods.cometa.reporting import Course
from reasoning.methods.cometa.selecting import select_passages
from reasoning.rewriting import rewrite


def answer_with(preset: Preset) -> Method:
    """The method as it goes by a preset."""

    async def answer(question: Question, tools: Tools) -> Findings:
        return await answer_from_literature(question, tools, preset)

    return answer


async def answer_from_literature(question: Question, tools: Tools, preset: Preset) -> Findings:
    """Evidence, the gate's verdict, and the sentences of an answer as claims."""
    rewritten = await rewrite(
        question.text, question.language, tools.retrieval, tools.llm, tools.budget, tools.trace
    )
    if not rewritten.understood:
        return Findings("language")
    asked = replace(question, text=rewritten.question_en)
    course = Course(preset, rewritten, tools.llm.available)
    with tools.trace.span("retrieve", **preset.as_json()) as span:
        found = await _retrieve(asked, course, tools)
        span.note(passages=[item.eid for item in found.evidence], similarity=round(found.similarity, 3))
    with tools.trace.span("gate") as span:
        gate = _judge(found, course)
        span.note(state=gate, coverage=round(found.coverage, 3), missing=list(found.missing_terms[:5]))
    findings = course.findings(gate, found)
    if gate != "found":
        return findings
    if question.options:
        return await choose_option(asked, found, findings, tools)
    return await write_answer(question, asked.text, found, course.streams.symbolic.lost, findings, tools)


async def find_documents(question: Question, course: Course, tools: Tools) -> Sequence[Literature]:
    """Both streams and the articles kept of them, in `course`; the doors that did not fail."""
    preset, records = course.preset, course.records
    course.streams = await search_both(course.rewritten, question, records, tools, preset)
    closed = course.streams.symbolic.closed
    doors = [door for door in tools.literature if door.door not in closed]
    course.documents = await keep_documents(course.streams, records, doors, tools.trace, preset)
    return doors


async def _retrieve(question: Question, course: Course, tools: Tools) -> Retrieved:
    """The articles, their depth, and the passages of all that."""
    preset, records = course.preset, course.records
    doors = await find_documents(question, course, tools)
    articles = [records.articles[key] for key in course.documents.keys if key in records.articles]
    course.depth = await deepen(articles, doors, preset, tools.trace)
    found, course.lost = await select_passages(question, course.documents.keys, tools, preset)
    return found


def _judge(found: Retrieved, course: Course) -> Gate:
    """The gate; where a part of the search failed, nothing fitting is no absence of evidence (case F28)."""
    gate = judge(found)
    if gate == "found" and course.rewritten.unrecognised:
        return "off_topic"  # what is found for the class of a drug is not said of one that nothing knows
    return "search_failed" if gate in ("nothing_found", "off_topic") and course.search_failed else gate
