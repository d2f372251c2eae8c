"""Two people in one talk: nothing that one says of themselves is in the other's question."""

from __future__ import annotations

import itertools

import pytest

from tests.unit.followups.talk import completed, talk

# What A wrote, and the words of it that are nobody else's.
ENGLISH = [
    ("I am 34 and pregnant. Can I take ibuprofen?", "34 pregnan"),
    ("Can I take ibuprofen? I am 34 and pregnant.", "34 pregnan"),
    ("I'm a 34-year-old woman with HIV, can I take ibuprofen", "34 hiv woman"),
    ("As someone who is HIV positive and 34, is ibuprofen ok?", "34 hiv"),
    ("Is ibuprofen ok with my HIV?", "hiv"),
    ("Is ibuprofen ok? Diagnosed with HIV in 2019, on 50 mg dolutegravir.", "hiv 2019 50 dolutegravir"),
    ("HIV positive, 34 weeks pregnant - is ibuprofen ok?", "hiv 34 pregnan"),
    ("34F, pregnant, HIV+. Ibuprofen ok?", "34 pregnan hiv"),
    ("My husband was diagnosed with HIV. Is ibuprofen safe for him?", "hiv husband him"),
    ("Is ibuprofen safe for my HIV positive husband?", "hiv husband"),
    ("Is ibuprofen safe if you have HIV like me?", "hiv"),
    ("Would ibuprofen harm me since I take dolutegravir for HIV?", "hiv dolutegravir"),
    ("Should I stop ibuprofen now that I'm pregnant?", "pregnan"),
    ("Can someone 34 weeks pregnant take ibuprofen?", "34 pregnan"),
    ("Is ibuprofen fine while pregnant?", "pregnan"),
    ("I take 600 mg ibuprofen for my endometriosis, is that too much?", "600 endometriosis"),
    ("Is 600 mg of ibuprofen too much for a 34 year old?", "600 34"),
    ("Being pregnant with HIV, can I have ibuprofen?", "hiv pregnan"),
    ("We are trying for a baby and I have HIV, may I use ibuprofen?", "hiv"),
    ("Patient is 34, HIV positive. Can she have ibuprofen?", "34 hiv"),
    ("Ibuprofen ok? (pregnant, thirty-four)", "pregnan thirty"),
]
CHINESE = [
    ("我34岁，怀孕了，能吃布洛芬吗？", "34 怀孕"),
    ("能吃布洛芬吗？我怀孕34周，有艾滋病。", "34 怀孕 艾滋"),
    ("本人女，34岁，艾滋病，可以吃布洛芬吗", "34 艾滋"),
    ("怀孕34周能吃布洛芬吗", "34 怀孕"),
    ("艾滋病患者34岁，布洛芬能吃吗", "34 艾滋"),
    ("我老公有艾滋病，他能吃布洛芬吗？", "艾滋 老公"),
    ("我的艾滋病能吃布洛芬吗", "艾滋"),
    ("最近查出艾滋病，怀孕了，布洛芬能吃吗？", "艾滋 怀孕"),
    ("女，三十四岁，怀孕。布洛芬能吃吗？", "三十四 怀孕"),
    ("我吃600毫克布洛芬治疗子宫内膜异位症可以吗", "600 子宫内膜"),
]
AFTER_ENGLISH = (
    "what about naproxen?", "is it safe?", "why?", "how much?", "and in children?", "no, 15",
    "I meant naproxen", "and with food?",
)  # fmt: skip
AFTER_CHINESE = (
    "那对乙酰氨基酚呢？",
    "它安全吗？",
    "为什么？",
    "多少？",
    "那孩子呢？",
    "不是，15",
    "我是说萘普生",
)
PAIRS = [*itertools.product(ENGLISH, AFTER_ENGLISH), *itertools.product(CHINESE, AFTER_CHINESE)]


@pytest.mark.parametrize(("told", "message"), PAIRS)
def test_no_detail_of_another_person(told: tuple[str, str], message: str) -> None:
    asked, own = told
    found = completed(f"A: {asked}", f"B: {message}")
    seen = " ".join((found.question, *(each.text for each in found.carried))).casefold()
    shown = " ".join(turn.text for turn in talk(f"A: {asked}", f"B: {message}").shown).casefold()
    for word in own.split():
        assert word not in seen
        assert word not in shown  # nor does a model read it


@pytest.mark.parametrize(("told", "message"), [(ENGLISH[0], "is it safe?"), (CHINESE[0], "它安全吗？")])
def test_the_subject_is_for_everybody(told: tuple[str, str], message: str) -> None:
    name = "ibuprofen" if told in ENGLISH else "布洛芬"
    assert name in completed(f"A: {told[0]}", f"B: {message}").question


def test_ones_own_details_come_back_behind_another_persons_turn() -> None:
    lines = ("A: I am 34 and pregnant. Can I take ibuprofen?", "B: I am 71. And naproxen?")
    assert (
        completed(*lines, "A: and paracetamol?").question == "I am 34 and pregnant. Can I take paracetamol?"
    )
    assert completed(*lines, "B: and paracetamol?").question == "I am 71. Can I take paracetamol?"
    assert completed(*lines, "C: and paracetamol?").question == "Can I take paracetamol?"


def test_details_end_with_their_topic() -> None:
    found = completed(
        "A: I am 34 and pregnant. Can I take ibuprofen?", "A: What is gout?", "A: is it painful?"
    )
    assert found.question == "is gout painful?"
