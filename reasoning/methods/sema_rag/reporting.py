"""What the method reports beside the answer: schema, rounds, stop reason, preset with every value, and the
options with what speaks for each (methods.md 3.5)."""

from __future__ import annotations

from typing import Any

from reasoning.exams.choosing import ChoiceInputs
from reasoning.methods.sema_rag.course import Course
from reasoning.methods.sema_rag.covering import count_documents, is_separated
from reasoning.methods.sema_rag.report import Report


def report_course(course: Course) -> dict[str, Any]:
    """Everything before the arbiter."""
    interpreted = course.interpreted
    return {
        "preset": course.preset.name,
        "parameters": course.preset.effective(),
        "encoder": course.tools.retrieval.encoder,
        "schema": interpreted.schema.model_dump(),
        "interpreted_by": interpreted.by,
        "query": interpreted.linear.text,
        "query_dropped": list(interpreted.linear.dropped),
        "query_dropped_tokens": interpreted.linear.dropped_tokens,
        "rounds": [one.as_json() for one in course.rounds],
        "stop": course.stop,
        "early_exit": course.stop == "early_exit",
        "snippets": len(course.pool.snippets),
        "refused_snippets": dict(sorted(course.pool.refused.items())),
    }


def report_options(report: Report, weighed: ChoiceInputs) -> dict[str, Any]:
    """The option-support matrix: measure, documents, and findings for and against each (methods.md 3.6)."""
    ranked = weighed.ranked
    documents = count_documents(weighed, ranked)
    return {
        "separated": is_separated(weighed, ranked),
        "matrix": {
            option.label: {
                "support": round(ranked.support[option.label], 3),
                "documents": documents[option.label],
                "borne_out": option.label in ranked.borne_out,
                "supports": [one.n for one in report.of(option.label, "supports")],
                "refutes": [one.n for one in report.of(option.label, "refutes")],
            }
            for option in weighed.options
        },
    }
