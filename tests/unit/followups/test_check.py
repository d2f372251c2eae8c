"""What a model may not write as the completed question: the rule's stands then."""

from __future__ import annotations

import pytest

from reasoning.followups import STANDALONE, Draft, Talk
from tests.unit.followups.talk import talk

ASKED = talk("A: Is paracetamol 500 mg safe in pregnancy?", "A: what about ibuprofen 400 mg, not with food?")
GOOD = "Is ibuprofen 400 mg safe in pregnancy, not with food?"
OTHERS = talk("A: I am 34 and have lupus. Is ibuprofen safe?", "B: is it cheap?")
CHINESE = talk("A: 孕妇可以吃对乙酰氨基酚吗？", "A: 那布洛芬400毫克呢？")


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        (ASKED, GOOD),
        (ASKED, ASKED.message),
        (OTHERS, "Is ibuprofen cheap?"),
        (CHINESE, "孕妇可以吃布洛芬400毫克吗？"),
        (
            talk("A: My daughter is 12. Can she take loratadine?", "A: no, 15"),
            "Can a 15 year old take loratadine?",
        ),
    ],
)
def test_a_right_reply_passes(said: Talk, reply: str) -> None:
    assert STANDALONE.check(said, Draft(question=reply)) is None


@pytest.mark.parametrize(
    ("said", "reply", "why"),
    [
        (ASKED, "Is ibuprofen safe in pregnancy, not with food?", "number"),
        (ASKED, "Is ibuprofen 400 g safe in pregnancy, not with food?", "unit"),
        (ASKED, "Is ibuprofen 400 mg safe in pregnancy with food?", "negation"),
        (ASKED, "Is 400 mg safe in pregnancy, not with food?", "ibuprofen"),
        (ASKED, "Is ibuprofen 400 mg with warfarin safe in pregnancy, not with food?", "warfarin"),
        (ASKED, "Is ibuprofen 400 mg with zorblaxine safe in pregnancy, not with food?", "zorblaxine"),
        (ASKED, f"{GOOD} Take 3 a day.", "number"),
        (ASKED, "孕妇可以吃布洛芬400 mg吗？不和食物一起", "language"),
        (ASKED, GOOD + " please" * 200, "longer"),
        (OTHERS, "Is ibuprofen cheap with lupus?", "lupus"),
        (OTHERS, "Is ibuprofen cheap at 34?", "number"),
        (OTHERS, "Is ibuprofen not cheap?", "denie"),
        (CHINESE, "孕妇可以吃布洛芬吗？", "number"),
        (CHINESE, "孕妇可以吃布洛芬400毫克和华法林吗？", "华法林"),
    ],
)
def test_what_is_lost_or_invented_is_refused(said: Talk, reply: str, why: str) -> None:
    reason = STANDALONE.check(said, Draft(question=reply))
    assert reason is not None
    assert why.casefold().rstrip("s") in reason.casefold()


def test_the_rule_passes_its_own_check() -> None:
    for said in (ASKED, OTHERS, CHINESE):
        assert STANDALONE.check(said, STANDALONE.rule(said)) is None


def test_the_oldest_turn_goes_first_where_a_prompt_does_not_fit() -> None:
    long = talk("A: What is gout?", "A: What is lupus?", "A: is it rare?")
    fewer = STANDALONE.fewer(long)
    assert fewer is not None
    assert [turn.text for turn in fewer.earlier] == ["What is lupus?"]
    assert STANDALONE.fewer(fewer) is None
