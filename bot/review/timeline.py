"""How an answer came about, from its trace and its method's report: steps on a clock, the levels of a search
for literature, chains drawn as a graph, rounds with their gaps, models with prompts, tokens and cost.

What an older carecite kept may lack any of it; what is not there is not shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from bot.review.evidence import Evidence
from reasoning.types import Answer

MOST_STEPS = 150
MOST_ROWS = 40  # levels, searches, rounds
_WIDTH = 300  # of the clock, in its own units
_TOKENS = ("prompt_tokens", "completion_tokens")
_LONGEST = 160  # characters of a value


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the trace; `left` and `width` are its place on the clock, of 300."""

    depth: int
    stage: str
    ms: float
    left: float
    width: float
    values: str = field(repr=False)
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ModelCall:
    """Calls of one model with one prompt."""

    step: str
    prompt: str
    model: str
    calls: int
    cached: int
    tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Timeline:
    """`stages` sums the outermost steps by name; `levels`, `chains` and `rounds` are of the three methods."""

    steps: tuple[Step, ...]
    left_out: int
    total_ms: float
    stages: tuple[tuple[str, float], ...]
    models: tuple[ModelCall, ...]
    levels: tuple[Mapping[str, Any], ...] = ()
    chains: tuple[Mapping[str, Any], ...] = ()
    picture: Markup | None = None
    rounds: tuple[Mapping[str, Any], ...] = ()
    stopped: str | None = None


def read_timeline(trace: Sequence[Mapping[str, Any]], evidence: Evidence) -> Timeline:
    spans = [span for span in trace if isinstance(span.get("latency_ms"), int | float)]
    total = max((_end(span) for span in spans), default=0.0)
    report = (evidence.answer.report if evidence.answer else None) or {}
    return Timeline(
        steps=tuple(_steps(spans[:MOST_STEPS], total)),
        left_out=max(0, len(spans) - MOST_STEPS),
        total_ms=total,
        stages=_stages(spans),
        models=tuple(_models(spans)),
        levels=_rows(report, "levels"),
        chains=_rows(report, "chains"),
        picture=_draw(evidence.answer),
        rounds=_rows(report, "rounds"),
        stopped=report.get("stop") if isinstance(report.get("stop"), str) else None,
    )


def _end(span: Mapping[str, Any]) -> float:
    return float(span.get("started_ms", 0.0)) + float(span["latency_ms"])


def _steps(spans: Sequence[Mapping[str, Any]], total: float) -> Iterable[Step]:
    depths: dict[Any, int] = {}
    scale = _WIDTH / total if total else 0.0
    for span in spans:
        depth = depths.get(span.get("parent_id"), -1) + 1
        depths[span.get("span_id")] = depth
        yield Step(
            min(depth, 6),
            str(span.get("stage", "?")),
            float(span["latency_ms"]),
            round(float(span.get("started_ms", 0.0)) * scale, 1),
            round(max(1.0, float(span["latency_ms"]) * scale), 1),
            _values({**(span.get("params") or {}), **(span.get("output") or {})}),
            span.get("error"),
        )


def _values(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_short(value)}" for name, value in values.items())


def _short(value: Any) -> str:
    if isinstance(value, list):
        value = "[" + ", ".join(str(item) for item in value[:8]) + (", …]" if len(value) > 8 else "]")
    shown = str(value)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


def _stages(spans: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, float], ...]:
    """Of the outermost steps, the longest first."""
    sums: dict[str, float] = {}
    for span in spans:
        if span.get("parent_id") is None:
            name = str(span.get("stage", "?"))
            sums[name] = sums.get(name, 0.0) + float(span["latency_ms"])
    return tuple(sorted(sums.items(), key=lambda item: -item[1]))


def _models(spans: Sequence[Mapping[str, Any]]) -> Iterable[ModelCall]:
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for span in spans:
        params = span.get("params") or {}
        if params.get("model"):
            prompt = f"{params.get('prompt', '?')} v{params.get('version', '?')}"
            key = str(params.get("step", "")), prompt, str(params["model"])
            groups.setdefault(key, []).append(dict(span.get("output") or {}))
    for key, outputs in groups.items():
        costs = [float(one["cost"]) for one in outputs if isinstance(one.get("cost"), int | float)]
        tokens = [int(one.get(name) or 0) for one in outputs for name in _TOKENS]
        cached = sum(bool(one.get("cached")) for one in outputs)
        yield ModelCall(*key, len(outputs), cached, sum(tokens), sum(costs) if costs else None)


def _rows(report: Mapping[str, Any], name: str) -> tuple[Mapping[str, Any], ...]:
    found = report.get(name)
    rows = [row for row in found if isinstance(row, Mapping)] if isinstance(found, list) else []
    return tuple(_forgiving(row) for row in rows[:MOST_ROWS])


def _forgiving(value: Any) -> Any:
    """A field that is not there is empty."""
    if isinstance(value, Mapping):
        return defaultdict(str, {name: _forgiving(inner) for name, inner in value.items()})
    return [_forgiving(inner) for inner in value] if isinstance(value, list) else value


def _draw(answer: Answer | None) -> Markup | None:
    """All words in it are escaped by the XML library that writes it."""
    from bot.render.chains import draw, read_picture

    try:
        picture = read_picture(answer) if answer else None
        return Markup(draw(picture)) if picture else None
    except (KeyError, TypeError, ValueError):  # a report of another time
        return None
