"""Steps in words: what a trace tells while it is made."""

from __future__ import annotations

import pytest

from reasoning.notices import LANGUAGES
from reasoning.steps import say_step
from reasoning.trace import Span, Trace


def test_spans_are_told_as_they_open_in_branches_too() -> None:
    told: list[str] = []
    trace = Trace(lambda span: told.append(f"{span.stage} {span.latency_ms}"))
    with trace.span("retrieve"):
        branch = trace.branch()
        with branch.span("search", door="pubmed"):
            pass
        trace.join(branch)
    assert told == ["retrieve 0.0", "search 0.0"]


@pytest.mark.parametrize(
    ("stage", "params", "said"),
    [
        ("search", {"door": "pubmed"}, "I am searching PubMed …"),
        ("search", {"door": "library"}, "I am searching the literature …"),
        ("fetch", {"keys": 12}, "I am fetching 12 publications …"),
        ("fetch", {"keys": 1}, None),
        ("rerank", {"passages": 50}, "I am reading 50 passages and choosing what answers your question …"),
        ("verify", {"claims": 3}, "I am checking every sentence against its source …"),
        ("verify", {"claims": 0}, None),
        ("triage", {}, None),
    ],
)
def test_a_step_in_words(stage: str, params: dict[str, object], said: str | None) -> None:
    span = Span(0, None, stage, params, 0.0)
    assert say_step(span, "en") == said
    assert len({say_step(span, language) for language in LANGUAGES}) == (len(LANGUAGES) if said else 1)
