"""What a question is told when a role fails, or the corpus has nothing; and what is searched for."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from reasoning.evidence import Question
from reasoning.methods.sema_rag import FAITHFUL, PRODUCT
from reasoning.methods.sema_rag.linearising import linearise
from tests.emulators.model import Chat, ModelServer, refuse
from tests.integration.sema_rag.conftest import EXAM, Room
from tests.integration.sema_rag.scripts import (
    SCHEMA,
    adjudicate,
    agree,
    conclude,
    explored,
    in_turn,
    say,
    scripted,
)

PROSE = Chat("Dolexan is certainly right.")
OPEN = "Can dolexan prevent attacks of gout?"


async def ask(room: Room, text: str = EXAM, **roles: Any) -> Any:
    with ModelServer(scripted(**roles)) as server:
        return (await room.ask_scripted(text, server)).answer


def label_of(answer: Any) -> str | None:
    return answer.answer.choice.label if answer.answer.choice else None


async def test_without_a_model_the_whole_method_works_by_rules(room: Room):
    answer = (await room.ask(EXAM)).answer
    assert label_of(answer) == "B"
    assert answer.answer.written_by == "rule"
    assert answer.usage.llm_calls == 0
    assert answer.report["choice"] == {"label": "B", "by": "rule", "insufficient": False, "said": True}
    assert answer.report["interpreted_by"] == "rule"
    for sentence in answer.answer.sentences:
        assert all(support.quote == sentence.text for support in sentence.support)


async def test_why_not_the_others_is_said(room: Room):
    answer = await ask(room)
    against = [one.text for one in answer.answer.sentences if one.paragraph == 2]
    assert against == ["Merivast does not prevent attacks of gout."]
    (notice,) = [one.text for one in answer.answer.notices if one.code == "other_options"]
    assert "C) salbutamol" in notice
    assert "merivast" not in notice


async def test_an_answer_in_words_says_only_what_findings_bear_out(room: Room):
    answer = await ask(room, OPEN)
    assert answer.answer.written_by == "model"
    assert [one.text for one in answer.answer.sentences] == ["Dolexan prevents attacks of gout in adults."]
    assert [one.claim for one in answer.rejected] == ["It also cures baldness."]
    assert answer.report["findings"][0]["eids"]
    assert answer.answer.choice is None


@pytest.mark.parametrize("step", ["interpret", "explore", "adjudicate", "conclude"])
async def test_a_role_that_writes_no_json_costs_its_polish(room: Room, step: str):
    answer = await ask(room, **{step: lambda _: PROSE})
    assert label_of(answer) == "B"
    if step != "interpret":
        assert any(one.code == "model_failed" for one in answer.degraded)


async def test_what_cannot_be_read_is_a_gap(room: Room):
    room.preset = replace(FAITHFUL, per_query=1)
    answer = await ask(room, explore=lambda _: PROSE)
    first = answer.report["rounds"][0]
    assert (first["sufficient"], first["gap"], first["forced"]) == (False, "parse", "parse")


async def test_a_model_that_is_down_in_mid_round_leaves_an_answer(room: Room):
    down = refuse(503, "no worker", retry_after="3600")
    answer = await ask(room, explore=lambda _: down, adjudicate=lambda _: down, conclude=lambda _: down)
    assert label_of(answer) == "B"
    assert answer.report["choice"]["by"] == "rule"
    assert any(one.code == "model_failed" for one in answer.degraded)


@pytest.mark.parametrize("sufficient", [True, False])
async def test_a_constant_flag_ends_the_loop(room: Room, sufficient: bool):
    answer = await ask(room, explore=explored(sufficient, "" if sufficient else "more", "gout more"))
    assert label_of(answer) == "B"
    assert answer.report["stop"] in ("sufficient", "stagnation", "budget")


async def test_an_empty_corpus_is_never_sufficient_and_says_nothing(empty_room: Room):
    answer = await ask(empty_room, explore=explored(True))
    assert answer.answer.abstained
    assert answer.answer.choice is None
    assert answer.report["rounds"][0]["forced"] == "empty"
    assert answer.report["choice"]["said"] is False
    assert not answer.citations


@pytest.mark.parametrize("text", ["Which drug prevents attacks of gout? A) salbutamol B) insulin C) zinc"])
async def test_options_that_no_source_names_are_not_chosen(room: Room, text: str):
    assert (await room.ask(text)).answer.answer.abstained
    answer = await ask(room, text, conclude=conclude("A"))
    assert answer.answer.abstained
    assert answer.answer.choice is None
    assert answer.report["choice"]["label"] == "A"


async def test_an_answer_outside_the_options_is_asked_for_once_more_then_not_given(room: Room):
    asked: list[str] = []

    def outside(request: dict[str, Any]) -> Chat:
        asked.append("conclude")
        return conclude("Z")(request)  # type: ignore[return-value]

    answer = await ask(room, conclude=outside)
    assert len(asked) == 2
    assert answer.answer.choice is None
    assert answer.answer.abstained
    again = await ask(room, conclude=in_turn(conclude("Z"), conclude("B")))
    assert label_of(again) == "B"


async def test_a_choice_that_no_finding_speaks_for_is_doubtful(room: Room):
    def unsupported(request: dict[str, Any]) -> Any:
        report = json.loads(adjudicate(request).content)  # type: ignore[union-attr, arg-type]
        for finding in report["findings"]:
            finding["supports"] = []
        return say(**report)

    assert (await ask(room)).answer.confidence != "low"
    answer = await ask(room, adjudicate=unsupported)
    assert label_of(answer) == "B"
    assert answer.answer.confidence == "low"


async def test_a_finding_without_evidence_is_refused_and_shown(room: Room):
    def invents(request: dict[str, Any]) -> Any:
        report = json.loads(adjudicate(request).content)  # type: ignore[union-attr, arg-type]
        report["findings"].append(report["findings"][0] | {"claim": "It is magic.", "cites": ["77.1"]})
        return say(**report)

    answer = await ask(room, adjudicate=invents)
    assert answer.report["refused"] == [{"claim": "It is magic.", "reason": "it rests on no evidence"}]
    assert "It is magic." not in [finding["claim"] for finding in answer.report["findings"]]


async def test_options_never_enter_a_query_though_a_model_writes_them(room: Room):
    schema = SCHEMA | {"entities": ["gout", "dolexan"], "init_query": "merivast or dolexan for gout"}
    room.preset = replace(PRODUCT, per_query=1)
    answer = await ask(
        room,
        interpret=lambda _: say(**schema),
        explore=explored(False, "the dose", "dolexan in gout", "gout and salbutamol", "gout in adults"),
        entailment=agree,
    )
    queries = [query["query"] for one in answer.report["rounds"] for query in one["queries"]]
    assert "gout in adults" in queries
    assert set(queries) <= set(room.encoder.queries)
    for query in (*room.encoder.queries, *queries):
        assert not any(word in query.lower() for word in ("dolexan", "merivast", "salbutamol")), query


async def test_of_several_questions_the_first_is_answered_and_that_is_said(room: Room):
    second = "Which drug lowers cholesterol? A) dolexan B) merivast C) zinc"
    answer = (await room.ask(f"1. {EXAM}\n2. {second}")).answer
    assert label_of(answer) == "B"
    assert [one.code for one in answer.answer.notices].count("more_questions") == 1
    assert not any("cholesterol" in query for query in room.encoder.queries)


async def test_a_long_schema_is_cut_from_its_end_by_word_pieces(room: Room):
    entities = [f"polyneuropathy type {n}" for n in range(200)]
    linear = await linearise("drug for gout", ["kidney disease"], entities, room.retrieval)
    assert linear.text.startswith("drug for gout kidney disease; polyneuropathy type 0")
    assert linear.dropped
    assert linear.dropped[-1] == "polyneuropathy type 199"
    assert not (await room.retrieval.shorten(linear.text)).shortened
    longer = f"{linear.text}; {linear.dropped[0]}"
    assert (await room.retrieval.shorten(longer)).shortened
    assert linear.text.count("polyneuropathy") + len(linear.dropped) == 200
    alone = await linearise("gout " * 400 + "what helps?", ["kidney disease"], [], room.retrieval)
    assert alone.text.endswith("what helps?")
    assert alone.dropped_tokens > 0


async def test_per_article_and_dense_search_are_the_presets(room: Room):
    found = await room.retrieval.retrieve(Question("gout"), 16, _trace(), lexical_weight=0.0)
    scores = [item.similarity for item in found.evidence]
    assert scores == sorted(scores, reverse=True)


def _trace() -> Any:
    from reasoning.trace import Trace

    return Trace()
