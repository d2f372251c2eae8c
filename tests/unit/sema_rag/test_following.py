"""What is asked next, what counts as enough, and that no option gets into a query."""

from __future__ import annotations

import pytest

from reasoning.evidence import Question
from reasoning.methods.sema_rag.following import Followups, sift
from reasoning.methods.sema_rag.guarding import names_option
from reasoning.methods.sema_rag.interpreting import Schema
from reasoning.methods.sema_rag.presets import FAITHFUL
from reasoning.methods.sema_rag.sufficiency import NOTHING, Exploration, Judged, settle
from reasoning.routing import Option

SCHEMA = Schema(
    intent="treatment",
    entities=["gout", "uric acid"],
    constraints=["kidney disease"],
    init_query="drug that lowers uric acid in gout",
)
OPTIONS = (Option("A", "allopurinol"), Option("B", "beta blocker"), Option("C", "insulin"))
QUESTION = Question("Which drug lowers uric acid in gout?", options=OPTIONS)


def follow(*texts: str, cosine: float = 0.0) -> Followups:
    judged = Judged(False, "dose in kidney failure", False, texts, "model")
    likeness = {(texts[0], "asked before"): cosine}
    return sift(judged, SCHEMA, ["asked before"], QUESTION, FAITHFUL, likeness)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("gout and kidney disease", None),
        ("failure of the kidney and dose", None),  # what the gap names
        ("weather in spring", "it drifts"),
        ("dose of paint", "it drifts"),  # one word of a gap of three
        ("Asked Before", "it repeats a query"),
        ("allopurinol in gout", "it names an option"),
        ("beta-blockers in gout", "it names an option"),
        ("???", "it asks nothing"),
    ],
)
def test_follow_ups_are_new_on_the_matter_and_without_options(text: str, reason: str | None) -> None:
    found = follow(text)
    assert found.kept == ((text,) if reason is None else ())
    assert [why for _, why in found.rejected] == ([reason] if reason else [])


def test_near_repetitions_are_left_out_from_the_presets_cosine_on() -> None:
    assert follow("gout again", cosine=0.951).rejected[0][1] == "it repeats a query"
    assert follow("gout again", cosine=0.95).kept == ("gout again",)


def test_at_most_m_are_asked() -> None:
    found = follow("gout one", "gout two", "gout three", "gout four")
    assert found.kept == ("gout one", "gout two", "gout three")
    assert found.rejected == (("gout four", "more than 3 were written"),)


@pytest.mark.parametrize(
    ("text", "stem", "options", "named"),
    [
        ("allopurinol in gout", "Which drug?", ("allopurinol",), True),
        ("Allopurinols", "Which drug?", ("allopurinol",), True),
        ("allopurinol in gout", "What does allopurinol do?", ("allopurinol", "rest"), False),
        ("no fever in gout", "Is there fever?", ("yes", "no"), False),
        ("all of the above in gout", "Which?", ("rest", "ice", "all of the above"), False),
        ("别嘌醇治疗痛风", "痛风用什么药？", ("别嘌醇", "胰岛素"), True),
        ("a beta receptor blocker", "Which drug?", ("beta blocker", "rest"), True),
        ("beta receptors", "Which drug?", ("beta blocker", "rest"), False),
    ],
)
def test_what_names_an_option(text: str, stem: str, options: tuple[str, ...], named: bool) -> None:
    listed = tuple(Option("ABCD"[at], text) for at, text in enumerate(options))
    assert names_option(text, stem, listed) is named


def reply(sufficient: bool, gap: str = "", *followups: str) -> Exploration:
    return Exploration(sufficient=sufficient, gap=gap, literature=False, followups=list(followups))


RULE = Exploration(sufficient=False, gap="nothing names gout", literature=True, followups=["gout"])


def test_what_cannot_be_read_is_no_judgement() -> None:
    judged = settle(RULE, RULE, by="rule", reason="no JSON", parsed=False, empty=False)
    assert (judged.sufficient, judged.gap, judged.forced) == (False, "parse", "parse")
    assert judged.followups == ("gout",)


def test_nothing_found_is_never_enough() -> None:
    judged = settle(reply(True), RULE, by="model", reason=None, parsed=True, empty=True)
    assert (judged.sufficient, judged.gap, judged.forced) == (False, NOTHING, "empty")


def test_objections_hold_against_enough_and_a_gap_stays_the_models() -> None:
    judged = settle(
        reply(True), RULE, by="model", reason=None, parsed=True, empty=False, objections=("no margin",)
    )
    assert (judged.sufficient, judged.gap, judged.literature) == (False, "no margin", True)
    judged = settle(
        reply(False, "dose", "gout dose"), RULE, by="model", reason=None, parsed=True, empty=False
    )
    assert (judged.gap, judged.followups, judged.forced) == ("dose", ("gout dose",), None)
