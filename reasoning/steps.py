"""What is being done now, in words for who waits: a span of the trace as it opens."""

from __future__ import annotations

from reasoning.notices import notice
from reasoning.trace import Span

_SEARCHING = ("retrieve", "streams", "explore", "round")
_IN_GRAPH = ("link", "chain", "look_up")
_WRITING = ("answer", "synthesis", "conclude", "choose")
_READING = {"rerank": "passages", "adjudicate": "passages"}  # a stage, and the parameter that counts


def say_step(span: Span, language: str) -> str | None:
    """None for a step that says nothing to people."""
    stage, params = span.stage, span.params
    if stage == "pubmed" or (stage == "search" and params.get("door") == "pubmed"):
        return notice("chat_progress_pubmed", language)
    if stage in (*_SEARCHING, "search"):
        return notice("chat_progress_searching", language)
    if stage in _IN_GRAPH:
        return notice("chat_progress_graph", language)
    if stage == "fetch" and params.get("keys", 0) > 1:
        return notice("chat_progress_records", language, n=params["keys"])
    if stage in _READING:
        n = params.get(_READING[stage], 0)
        return notice("chat_progress_passages" if n > 1 else "chat_progress_reading", language, n=n)
    if stage in _WRITING:
        return notice("chat_progress_writing", language)
    if stage == "verify" and params.get("claims", 0):
        return notice("chat_progress_checking", language)
    return None
