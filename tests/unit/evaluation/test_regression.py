"""Whether an answer says a sentence, and what a corrected answer has become."""

from __future__ import annotations

import pytest

from reasoning.evaluation.regression import Regression, compare, find_said, summarise
from tests.unit.rendering.answers import build

DOSE = "Take 500 mg of paracetamol up to four times a day."


@pytest.mark.parametrize(
    ("sentence", "among", "said"),
    [
        (DOSE, DOSE, True),
        (DOSE, "Take 5000 mg of paracetamol up to four times a day.", False),
        ("Socks cure gout.", "Socks do not cure gout.", False),
        ("Socks cure gout.", "Colchicine treats gout.", False),
        (
            "Gout is treated with colchicine or NSAIDs.",
            "Doctors treat gout attacks with NSAIDs, colchicine or corticosteroids.",
            True,
        ),
    ],
)
def test_said_in_these_words_or_others(sentence: str, among: str, said: bool):
    assert find_said([sentence], ["Wool is warm.", among], "en") == ([sentence] if said else [])


def test_outcomes():
    before = build([["Socks keep feet warm.", "Socks cure gout."]])
    right = "Socks keep feet warm. Colchicine treats gout."

    def now(*sentences: str, verdict: str = "unsupported") -> Regression:
        return compare("r1", verdict, before, right, build([list(sentences)]))

    assert now("Socks cure gout.", "Colchicine treats gout.") == Regression(
        "r1", "unsupported", "as_then", 1, 1, 2
    )
    assert now("Socks keep feet warm.", "Colchicine treats gout.").outcome == "corrected"
    assert now("Socks keep feet warm.") == Regression("r1", "unsupported", "otherwise", 0, 1, 2)
    assert now("Socks cure gout.", verdict="incomplete").outcome == "otherwise", "nothing was wrong then"
    silent = build([["x"]])
    silent = silent.model_copy(update={"answer": silent.answer.model_copy(update={"abstained": True})})
    assert compare("r1", "unsafe", before, right, silent).outcome == "abstained"


def test_a_row_a_verdict_and_one_of_all():
    assert summarise([]) == []
    rows = summarise([Regression("a", "unsafe", "as_then"), Regression("b", "incomplete", "failed")])
    assert [(row["style"], row["n"], row["metrics"]["as_then"]) for row in rows] == [
        ("unsafe", 1, 1.0), ("incomplete", 1, 0.0), ("all", 2, 0.5),
    ]  # fmt: skip
