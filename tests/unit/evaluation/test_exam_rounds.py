"""The arms of SEMA-RAG as presets, and what fixed rounds ask by the rule."""

from __future__ import annotations

import pytest

from reasoning.evaluation.exam_arms import list_arms
from reasoning.evaluation.exam_rounds import AskInputs, Pair, ask_by_rule
from reasoning.evaluation.exam_variants import PRESETS, reduce, vary
from reasoning.methods import METHODS
from reasoning.methods.sema_rag import FAITHFUL, PRODUCT, Preset


@pytest.mark.parametrize("base", [PRODUCT, FAITHFUL])
def test_each_arm_differs_from_the_whole_in_one_value(base: Preset) -> None:
    presets = vary(PRESETS[base.name])
    whole = presets["sema_rag"].effective()
    differing = {
        arm: {name: value for name, value in preset.effective().items() if value != whole[name]}
        for arm, preset in presets.items()
    }
    assert differing == {
        "sema_rag": {},
        "sema_rag-I": {"interpreter": False},
        "sema_rag-E": {"explorer": False},
        "sema_rag-A": {"arbiter": False},
        "sema_rag unread": {"retrieves": False},
        "sema_rag m1": {"width": 1},
        "sema_rag m2": {"width": 2},
        "sema_rag m3": {},
        "sema_rag T1": {"rounds": 1},
        "sema_rag T2": {},
        "sema_rag T3": {"rounds": 3},
        "sema_rag T4": {"rounds": 4},
    }


def test_what_was_changed_of_a_preset_is_in_its_name() -> None:
    assert reduce(FAITHFUL, None, None) == (FAITHFUL, "faithful")
    preset, name = reduce(PRODUCT, 4, 2)
    assert (preset.per_query, preset.sentences, preset.name) == (4, 2, "product")
    assert name == "product, k 4, 2 sentences"


def test_every_arm_has_one_name() -> None:
    arms = list_arms(METHODS)
    assert len(arms) == len(set(arms))
    assert {"question_only", "cot", "single_rag", "fixed3", "sema_rag", "cometa", "mirage"} < set(arms)


def test_the_rule_asks_on_and_nothing_twice() -> None:
    candidates = ("a b", "b", "c", "d")
    first = ask_by_rule(AskInputs("?", 3, (), candidates)).queries
    assert first == ["a b", "b", "c"]
    pairs = tuple(Pair(query, "Yes.") for query in first)
    assert ask_by_rule(AskInputs("?", 3, pairs, candidates)).queries == ["d"]
    assert not ask_by_rule(AskInputs("?", 3, (*pairs, Pair("d", "No.")), candidates)).queries
