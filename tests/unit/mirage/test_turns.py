"""One turn of a chain: queries, made-up results, and how a prompt is kept short (methods.md 2.3)."""

from __future__ import annotations

import pytest

from reasoning.llm.prompts import load_prompt, render_prompt
from reasoning.llm.schemas import reduced_schema
from reasoning.llm.tokens import rough_tokens
from reasoning.methods.mirage.looking import Block, Query
from reasoning.methods.mirage.results import strip_results
from reasoning.methods.mirage.tokens import read_turn
from reasoning.methods.mirage.turns import (
    TURN,
    Finish,
    PastTurn,
    Search,
    Turn,
    TurnInputs,
    find_nonsense,
    fit_turn,
    take_turn,
)
from tests.unit.mirage.graphs import fact

FACTS = (fact("gout|has_symptom|fever"), fact("gout|need_medication|colchicine"))


def inputs(*past: PastTurn, left: int = 5, facts: int = 2) -> TurnInputs:
    return TurnInputs("?", "?", "en", ("gout", "fever"), past, FACTS[:facts], left)


def past(*names: str, reasoning: str = "", numbers: tuple[int, ...] = ()) -> PastTurn:
    return PastTurn(reasoning, Block(Query(names), "anchor" if numbers else "none"), numbers)


def turn(**fields: object) -> Turn:
    empty = {"reasoning": "", "do": "search", "entity1": "", "entity2": "", "answer": "", "facts": []}
    return Turn.model_validate(empty | fields)


def test_the_rule_anchors_then_bridges_then_finishes():
    said: list[object] = []
    done: tuple[PastTurn, ...] = ()
    for _ in range(4):
        action = take_turn(inputs(*done)).action
        said.append(action.query.names if isinstance(action, Search) else action.facts)
        if isinstance(action, Search):
            done = (*done, past(*action.query.names))
    assert said == [("gout",), ("fever",), ("gout", "fever"), (1, 2)]


def test_the_rule_finishes_when_no_search_is_left():
    assert take_turn(inputs(left=0)).action == Finish("", (1, 2))


@pytest.mark.parametrize("written", ["gout||fever", "gout|fever", "gout | fever", "gout || fever"])
def test_both_names_may_come_in_one_field(written: str):
    assert turn(entity1=written).action == Search(Query(("gout", "fever")))


@pytest.mark.parametrize(
    "made_up",
    [
        "<|begin_kg_result|>gout cures all<|end_kg_result|>",
        "<search_results>gout cures all</search_results>",
        "<|begin_search_result|>gout cures all",
    ],
)
def test_results_that_a_model_wrote_itself_are_stripped(made_up: str):
    assert strip_results(f"I think. {made_up}") == "I think."
    assert turn(do="finish", answer=f"Gout can do it. {made_up}", facts=[1]).action == Finish(
        "Gout can do it.", (1,)
    )


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (turn(), "name a concept"),
        (turn(do="finish", answer="Gout can bring fever.", facts=[3]), "there is no fact 3"),
        (turn(do="finish", answer="Yes.", facts=[1]), "one paragraph"),
        (turn(do="finish", answer="<search_results>Gout cures all.", facts=[1]), "one paragraph"),
        (turn(do="finish", answer="Gout can bring fever."), "give in facts"),
        (turn(do="finish", answer="Gout can bring fever.", facts=[1]), None),
    ],
)
def test_nonsense_is_named(reply: Turn, reason: str | None):
    found = find_nonsense(inputs(), reply)
    assert found == reason or (reason and found and reason in found)


def test_nothing_found_may_be_finished_in_few_words():
    assert find_nonsense(inputs(facts=0), turn(do="finish", answer="No.")) is None


def test_a_long_chain_loses_its_oldest_reasoning_first_and_never_a_fact():
    long = [past("gout", reasoning="old " * 400, numbers=(1,)), past("zorp", reasoning="new " * 400)]
    fitted = fit_turn(inputs(*long, past("fever", numbers=(2,))), 1000)
    assert [bool(one.reasoning) for one in fitted.past] == [False, True, False]
    least = fit_turn(fitted, 100)
    assert [one.numbers for one in least.past] == [(1,), (2,)], "the refused query is gone, the facts are not"
    rendered = render_prompt(load_prompt(TURN.prompt), least)
    assert "gout can present with fever" in rendered.user
    assert "gout may be treated with colchicine" in rendered.user
    assert rough_tokens(rendered.user) < rough_tokens("old " * 400)


def test_the_plainest_grammar_can_still_finish():
    assert reduced_schema(Turn)["properties"]["do"]["enum"] == ["search", "finish"]


@pytest.mark.parametrize(
    ("written", "action"),
    [
        ("I need more. <|begin_kg_query|>gout<|end_kg_query|>", Search(Query(("gout",)))),
        ("<|begin_kg_query|>gout||fever", Search(Query(("gout", "fever")))),  # the stop string is cut off
        (
            "<|begin_kg_query|>gout<|end_kg_query|> and <|begin_kg_query|>fever<|end_kg_query|>",
            Search(Query(("fever",))),
        ),
        (
            "<think>hm</think> Gout can bring fever [1][2].",
            Finish("Gout can bring fever.", (1, 2)),
        ),
        (
            "<|begin_kg_query|>gout<|end_kg_query|> <|begin_kg_result|>[1] it cures all<|end_kg_result|>",
            Search(Query(("gout",))),
        ),
    ],
)
def test_a_turn_is_read_from_control_tokens(written: str, action: Search | Finish):
    assert Turn.model_validate(read_turn(written)).action == action
