"""A rubbish draft leads to the rule, never to a query (case F05)."""

from __future__ import annotations

import pytest

from reasoning.methods.cometa.rewriting import REWRITE, Concept, Pico, RewriteInputs, Rewriting
from reasoning.methods.cometa.rewriting.asking import complete

ASKED = RewriteInputs("Can I take Advil with warfarin?")


def draft(*concepts: Concept, question_en: str = "Is ibuprofen safe with warfarin?") -> Rewriting:
    return Rewriting(corrected=ASKED.question, question_en=question_en, pico=Pico(I=list(concepts)))


GOOD = (Concept(name="ibuprofen"), Concept(name="warfarin"))


def test_a_sensible_draft_passes() -> None:
    assert REWRITE.check(ASKED, draft(*GOOD)) is None


@pytest.mark.parametrize(
    "reply",
    [
        draft(),
        draft(Concept(name="???")),
        draft(*GOOD, Concept(name="布洛芬")),
        draft(Concept(name="warfarin", synonyms=["华法林"]), GOOD[0]),
        draft(*GOOD, question_en="可以吗"),
        draft(*GOOD, question_en=" "),
        draft(*GOOD, Concept(name="can I take it with the other one that I have at home")),
        draft(*GOOD, Concept(name='"ibuprofen"[tiab]')),
        draft(*GOOD, Concept(name="ibuprofen AND warfarin")),
        draft(*(Concept(name=f"thing {n}") for n in range(20)), *GOOD),
        draft(Concept(name="ibuprofen"), question_en="Is ibuprofen safe?"),
        draft(
            Concept(name="aspirin"), Concept(name="warfarin"), question_en="Is aspirin safe with warfarin?"
        ),
    ],
)
def test_nonsense_is_refused_with_a_reason(reply: Rewriting) -> None:
    assert REWRITE.check(ASKED, reply)


def test_the_rule_passes_its_own_check() -> None:
    assert REWRITE.check(ASKED, REWRITE.rule(ASKED)) is None


def test_the_tables_add_what_they_know_of_a_concept() -> None:
    done = complete(draft(Concept(name="Advil"), Concept(name="something else"))).pico.I
    assert done[0].drug_generic == "ibuprofen"
    assert "Ibuprofen" in done[0].mesh_candidates
    assert done[1] == Concept(name="something else")
