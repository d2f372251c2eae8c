"""A rubbish draft leads to the rule, never to a query (case F05)."""

from __future__ import annotations

import pytest

from reasoning.rewriting import REWRITE, Concept, DateLimit, Draft, RewriteInputs
from reasoning.rewriting.asking import complete, join
from reasoning.rewriting.rule import rewrite_by_rule

ASKED = RewriteInputs("Can I take Advil with warfarin?")


def draft(*names: str, question_en: str = "Is ibuprofen safe with warfarin?") -> Draft:
    return Draft(question_en=question_en, intent="side_effect", P=[], I=list(names), C=[], O=[])


GOOD = ("ibuprofen", "warfarin")


def test_a_sensible_draft_passes() -> None:
    assert REWRITE.check(ASKED, draft(*GOOD)) is None


@pytest.mark.parametrize(
    "reply",
    [
        draft(),
        draft("???"),
        draft(*GOOD, "布洛芬"),
        draft(*GOOD, question_en="可以吗"),
        draft(*GOOD, question_en=" "),
        draft(*GOOD, "can I take it with the other one that I have at home"),
        draft(*GOOD, '"ibuprofen"[tiab]'),
        draft(*GOOD, "ibuprofen AND warfarin"),
        draft(*(f"thing {n}" for n in range(20)), *GOOD),
        draft("ibuprofen", question_en="Is ibuprofen safe?"),
        draft("aspirin", "warfarin", question_en="Is aspirin safe with warfarin?"),
    ],
)
def test_nonsense_is_refused_with_a_reason(reply: Draft) -> None:
    assert REWRITE.check(ASKED, reply)


@pytest.mark.parametrize("question", [ASKED.question, "What is gout?", "EGFR T790M and Tagrisso"])
def test_the_rule_passes_its_own_check(question: str) -> None:
    inputs = RewriteInputs(question)
    assert REWRITE.check(inputs, REWRITE.rule(inputs)) is None


def test_the_tables_add_what_they_know_of_a_concept() -> None:
    ibuprofen, other = complete(draft("Advil", "something else"), ASKED).pico.I
    assert ibuprofen.drug_generic == "ibuprofen"
    assert "Ibuprofen" in ibuprofen.mesh_candidates
    assert other == Concept(name="something else")


def test_an_outcome_is_no_must_and_the_date_comes_by_rule() -> None:
    reply = Draft(question_en="Survival?", intent="prognosis", P=["lung cancer"], I=[], C=[], O=["survival"])
    done = complete(reply, RewriteInputs("studies on lung cancer since 2020"))
    assert [concept.must for concept in done.concepts] == [True, False]
    assert done.date == DateLimit(kind="since", value="2020")


def test_what_a_model_finds_stands_beside_what_the_rule_reads() -> None:
    asked = RewriteInputs("Can I take Advil with warfarin?")
    reply = Draft(
        question_en="Is it safe?", intent="side_effect", P=["atrial fibrillation"], I=["Advil"], C=[], O=[]
    )
    done = join(rewrite_by_rule(asked), complete(reply, asked), "en")
    must = {concept.name: concept.must for concept in done.concepts}
    assert must["warfarin"], "a model may not lose what the tables know"
    assert must["atrial fibrillation"] is False
    assert [concept.drug_generic for concept in done.concepts].count("ibuprofen") == 1
    assert done.question_en == asked.question
    foreign = join(rewrite_by_rule(asked), complete(reply, asked), "zh")
    assert foreign.question_en == "Is it safe?"


def test_where_the_rule_reads_nothing_the_model_decides() -> None:
    asked = RewriteInputs("?")
    reply = Draft(question_en="What of gout?", intent="other", P=["gout"], I=[], C=[], O=[])
    done = join(rewrite_by_rule(asked), complete(reply, asked), "en")
    assert [(concept.name, concept.must) for concept in done.concepts] == [("gout", True)]
