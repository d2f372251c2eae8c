"""The decomposer's rule and what parts are refused (methods.md 2.2)."""

from __future__ import annotations

import pytest

from reasoning.methods.mirage.decomposing import (
    DecomposeInputs,
    SubQuestion,
    find_nonsense,
    pair_entities,
    sift_parts,
)
from reasoning.methods.mirage.lexicon import ask_about, asked_types, asks_one, is_generic


def inputs(*names: str, most: int = 4, language: str = "en") -> DecomposeInputs:
    return DecomposeInputs("?", language, tuple((name, "disease") for name in names), most)


def parts_of(*names: str, most: int = 4) -> list[tuple[str, ...]]:
    return [tuple(part.entities) for part in pair_entities(inputs(*names, most=most)).subquestions]


def test_pairs_come_first_and_anchors_fill_what_is_left():
    assert parts_of("a", "b") == [("a", "b"), ("a",), ("b",)]
    assert parts_of("a", "b", "c") == [("a", "b"), ("a", "c"), ("b", "c"), ("a",)]


def test_every_entity_has_a_part_where_there_is_room():
    named = [f"e{n}" for n in range(8)]
    assert {name for part in parts_of(*named) for name in part} == set(named)
    assert parts_of("a", "b", "c", "d", most=1) == [("a", "b")]


def test_the_rule_passes_its_own_check():
    for names in (("a", "b"), tuple("abcdefgh")):
        assert find_nonsense(inputs(*names), pair_entities(inputs(*names))) is None


def test_parts_are_put_in_the_language_of_the_question():
    assert ask_about(("痛风", "发热"), "zh") == "痛风和发热之间有什么关系？"
    assert ask_about(("gout",), "fr") == "What is known about gout?"


NAMES = {"gout": "gout", "fever": "fever"}


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (SubQuestion(text="And?", entities=[]), "it names no entity"),
        (SubQuestion(text="What is zorp?", entities=["zorp"]), "nothing in it links to the graph"),
        (SubQuestion(text="Gout or zorp?", entities=["gout", "zorp"]), "neither in the question"),
        (SubQuestion(text="Is gout a fever?", entities=["gout", "fever"]), "it repeats q1"),
    ],
)
def test_parts_are_refused_with_reasons(part: SubQuestion, reason: str):
    first = SubQuestion(text="How are gout and fever related?", entities=["Gout", "fevers"])
    likeness = {(part.text, first.text): 0.96}
    kept, rejected = sift_parts([first, part], NAMES, likeness, 0.95)
    assert [(one.id, one.entities) for one in kept] == [("q1", ("gout", "fever"))]
    assert reason in rejected[0].reason


def test_without_an_encoder_only_the_same_words_repeat():
    one = SubQuestion(text="Gout?", entities=["gout"])
    kept, rejected = sift_parts([one, one], NAMES, {}, 0.95)
    assert (len(kept), len(rejected)) == (1, 1)


@pytest.mark.parametrize("name", ["symptoms", "Side effects", "the disease".removeprefix("the "), "药物"])
def test_category_words_are_no_concepts(name: str):
    assert is_generic(name)
    assert not is_generic(f"{name} of gout")


def test_what_is_asked_for():
    assert asked_types("How is gout treated?") >= {"treatment"}
    assert "diagnosis" in asked_types("I cough. What could it be?")
    assert asks_one("What is the most likely explanation?")
    assert not asks_one("What could it be?")
