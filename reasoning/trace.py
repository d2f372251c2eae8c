"""One question's steps as a tree of spans (methods.md 0.1); it knows nothing about what it records."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

_parent: ContextVar[tuple[Trace, int] | None] = ContextVar("trace_parent", default=None)


@dataclass(slots=True)
class Span:
    """One step. `params` is what went in, `output` what came out, both small and JSON-ready."""

    span_id: int
    parent_id: int | None
    stage: str
    params: dict[str, Any]
    started_ms: float
    latency_ms: float = 0.0
    output: dict[str, Any] = field(default_factory=dict)
    error: str | None = None

    def note(self, **output: Any) -> None:
        self.output.update(output)

    def as_json(self) -> dict[str, Any]:
        event: dict[str, Any] = {
            "span_id": self.span_id,
            "parent_id": self.parent_id,
            "stage": self.stage,
            "params": self.params,
            "output": self.output,
            "started_ms": round(self.started_ms, 2),
            "latency_ms": round(self.latency_ms, 2),
        }
        return event | ({"error": self.error} if self.error else {})


class Trace:
    """Spans in the order in which they were opened; children know their parent, across tasks too. `told` gets
    each one as it opens."""

    def __init__(self, told: Callable[[Span], None] | None = None) -> None:
        self.spans: list[Span] = []
        self._told = told
        self._began = time.perf_counter()

    def _now_ms(self) -> float:
        return (time.perf_counter() - self._began) * 1000

    @contextmanager
    def span(self, stage: str, **params: Any) -> Iterator[Span]:
        span = Span(len(self.spans), self._open_span(), stage, params, self._now_ms())
        self.spans.append(span)
        if self._told:
            self._told(span)
        token = _parent.set((self, span.span_id))
        try:
            yield span
        except BaseException as error:
            span.error = type(error).__name__
            raise
        finally:
            _parent.reset(token)
            span.latency_ms = self._now_ms() - span.started_ms

    def _open_span(self) -> int | None:
        owner, span_id = _parent.get() or (None, None)
        return span_id if owner is self else None

    def branch(self) -> Trace:
        """A trace on the same clock for one of several tasks side by side, to be joined in a fixed order."""
        branch = Trace(self._told)
        branch._began = self._began
        return branch

    def join(self, branch: Trace) -> None:
        """Take the spans of a finished branch, as children of the span that is open now."""
        shift, parent = len(self.spans), self._open_span()
        for span in branch.spans:
            span.parent_id = parent if span.parent_id is None else span.parent_id + shift
            span.span_id += shift
            self.spans.append(span)

    def as_json(self) -> list[dict[str, Any]]:
        return [span.as_json() for span in self.spans]
