"""Whatever a model replies, or fails to: the bounds of methods.md 3.2, the choice and the report hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from reasoning.evidence import Question
from reasoning.methods.sema_rag import FAITHFUL, PRODUCT, Preset
from reasoning.trace import Trace
from tests.emulators.model import Chat, ModelServer, Reply, Wire
from tests.integration.sema_rag.conftest import EXAM, LIBRARY, Room
from tests.integration.sema_rag.scripts import (
    SCHEMA,
    Role,
    adjudicate,
    agree,
    conclude,
    explored,
    number_of,
    say,
    scripted,
)

ROLES = ("interpret", "explore", "adjudicate", "conclude")
PROSE = Chat("It is certainly right.")
LABELS = ("A", "B", "C")
_FAILURES: tuple[Role, ...] = (
    lambda _: PROSE,
    lambda _: Chat('{"sufficient": tr', finish="length"),
    lambda _: Wire((b"{}",), status=500),
    lambda _: Wire((b"{}",), status=429, headers={"Retry-After": "0"}),
)
_words = st.sampled_from(
    ["gout", "sleep", "uric acid", "dolexan", "attacks", "merivast at night", "Zn", "痛风"]
)
_queries = st.lists(_words, max_size=4).map(" ".join)
_numbers = st.sampled_from(["1.1", "1.2", "2.1", "3.1", "9.9", "0", "x"])


@st.composite
def _findings(draw: st.DrawFn) -> list[dict[str, Any]]:
    return draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "claim": st.sampled_from(["Dolexan prevents gout.", "It is magic.", ""]),
                    "cites": st.lists(_numbers, max_size=3),
                    "supports": st.lists(st.sampled_from([*LABELS, "Z"]), max_size=2),
                    "refutes": st.lists(st.sampled_from([*LABELS, "Z"]), max_size=2),
                    "strength": st.sampled_from(["strong", "moderate", "weak"]),
                }
            ),
            max_size=4,
        )
    )


def _report(findings: list[dict[str, Any]], hint: str) -> Role:
    """One finding has a number that is really shown, where the model may read any."""

    def role(request: dict[str, Any]) -> Reply:
        real = [one | {"cites": [*one["cites"], number_of(request, "gout")]} for one in findings[:1]]
        named = {"summary": "", "conflicts": [], "dropped": [], "missing": [], "verdict_hint": hint}
        return say(findings=[*real, *findings[1:]], **named)

    return role


def _interpreted(query: str, entities: list[str]) -> Role:
    return lambda _: say(**SCHEMA | {"init_query": query, "entities": entities})


_ROLES: dict[str, st.SearchStrategy[Role]] = {
    "interpret": st.builds(_interpreted, _queries, st.lists(_words, max_size=3)),
    "explore": st.builds(
        lambda enough, gap, more: explored(enough, gap, *more),
        st.booleans(),
        _queries,
        st.lists(_queries, max_size=5),
    ),
    "adjudicate": st.builds(_report, _findings(), st.sampled_from([*LABELS, "Z", ""])) | st.just(adjudicate),
    "conclude": st.builds(
        lambda label, numbers, doubtful: conclude(label, *numbers, insufficient=doubtful),
        st.sampled_from([*LABELS, "Z", "", "dolexan"]),
        st.lists(st.integers(0, 9), max_size=3),
        st.booleans(),
    ),
    "entailment": st.just(agree),
}
_PRESETS = st.builds(
    lambda base, width, rounds, passages, repeats: replace(
        base, width=width, rounds=rounds, per_query=passages, repeats=repeats
    ),
    st.sampled_from([FAITHFUL, PRODUCT]),
    st.integers(1, 3),
    st.integers(1, 4),
    st.sampled_from([1, 2, 16]),
    st.sampled_from([0.95, 1.1]),
)


@st.composite
def _models(draw: st.DrawFn) -> Callable[[dict[str, Any], int], Reply]:
    """Each role with three manners in turn; each of them may be a failure."""
    manners = {
        name: [draw(st.one_of(role, role, st.sampled_from(_FAILURES))) for _ in range(3)]
        for name, role in _ROLES.items()
    }

    def turning(left: list[Role]) -> Role:
        return lambda request: (left.pop(0) if len(left) > 1 else left[0])(request)

    model = scripted(**{name: turning(list(three)) for name, three in manners.items()})
    # A request without a schema, after a refusal, does not say which role it is.
    return lambda asked, n: model(asked, n) if "json_schema" in asked.get("response_format", {}) else PROSE


@given(preset=_PRESETS, model=_models())
@settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],  # each example asks a server: shrinking takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_bounds_choice_and_report(
    room: Room, preset: Preset, model: Callable[[dict[str, Any], int], Reply]
) -> None:
    room.preset = preset
    with ModelServer(model) as server:
        answered = await room.ask_scripted(EXAM, server)
    answer, report, spans = answered.answer, answered.answer.report, answered.trace.spans
    assert report is not None
    steps = [span for span in spans if span.stage == "step" and span.params["name"] in ROLES]
    assert len(steps) <= 3 + preset.rounds
    assert answer.usage.llm_calls == len(server.asked)  # repairs and retries among them
    assert answer.usage.retrievals <= 1 + preset.width * (preset.rounds - 1)
    assert report["snippets"] <= preset.per_query * answer.usage.retrievals
    assert len(report["rounds"]) <= preset.rounds

    choice = answer.answer.choice
    assert answer.answer.abstained if choice is None else choice.label in LABELS
    assert report["choice"]["label"] in (*LABELS, None)
    everything = await room.retrieval.retrieve(Question("gout"), 16, Trace())
    texts = {item.eid: item.text for item in everything.evidence}
    assert len(texts) == len(LIBRARY)
    for finding in report["findings"]:
        assert finding["eids"]
        assert set(finding["eids"]) <= set(texts)
        assert finding["quote"] in texts[finding["eids"][0]]
        assert set(finding["stance"]) <= set(LABELS)
