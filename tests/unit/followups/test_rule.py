"""How a message goes on with a talk, form by form; none of these lines is among the sixty dialogues."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoning.followups import Carried, Earlier
from reasoning.followups.rule import complete_by_rule
from reasoning.verify.statement import negations_in
from tests.unit.followups.talk import completed

MIGRAINE = "A: How is migraine treated?"


@pytest.mark.parametrize(
    ("lines", "question", "form"),
    [
        ((MIGRAINE, "A: and in pregnancy?"), "How is migraine treated in pregnancy?", "ellipsis"),
        ((MIGRAINE, "A: And does ibuprofen help?"), "migraine: And does ibuprofen help?", "led"),
        ((MIGRAINE, "A: I am pregnant."), "I am pregnant. How is migraine treated?", "told"),
        (("A: I'm pregnant.", "A: Can I take ibuprofen?"), "I'm pregnant. Can I take ibuprofen?", "told"),
        (("A: Is naproxen safe at night?", "A: why not?"), "Is naproxen safe at night? why not?", "bare"),
        (
            ("A: Is ibuprofen safe in pregnancy?", "A: what about zorblaxine?"),
            "Is zorblaxine safe in pregnancy?",
            "ellipsis",
        ),
        (
            ("A: Is ibuprofen not safe in pregnancy?", "A: naproxen?"),
            "Is naproxen not safe in pregnancy?",
            "ellipsis",
        ),
        (
            ("A: Is ibuprofen safe in pregnancy?", "A: what about naproxen 250 mg?"),
            "Is naproxen 250 mg safe in pregnancy?",
            "ellipsis",
        ),
        (
            ("A: Is 20 mg of omeprazole enough?", "A: no, 40 mg"),
            "Is 40 mg of omeprazole enough?",
            "correction",
        ),
        (("A: Is 1.5 mg of colchicine safe?", "A: 0.5 mg"), "Is 0.5 mg of colchicine safe?", "correction"),
        (("A: 奥美拉唑20毫克够吗？", "A: 不对，40毫克"), "奥美拉唑40毫克够吗？", "correction"),
        (("A: 布洛芬一次吃多少？", "A: and in children?"), "ibuprofen: and in children?", "led"),
        (("A: What dose of ibuprofen do adults need?", "A: 那孩子呢？"), "ibuprofen：那孩子呢？", "led"),
    ],
)
def test_forms(lines: tuple[str, ...], question: str, form: str) -> None:
    found = completed(*lines)
    assert (found.question, found.form) == (question, form)


@pytest.mark.parametrize(
    ("first", "message", "question"),
    [
        ("What is gout?", "How is it treated?", "How is gout treated?"),
        ("What is gout?", "thanks! and what causes it?", "thanks! and what causes gout?"),
        ("What is gout?", "Is ibuprofen good for it?", "Is ibuprofen good for gout?"),
        ("What is gout?", "Can this disease be cured?", "Can gout be cured?"),
        ("What is gout?", "What are its symptoms?", "What are the symptoms of gout?"),
        ("What is metformin?", "What are its side effects?", "What are the side effects of metformin?"),
        ("What is metformin?", "Is the drug safe?", "Is metformin safe?"),
        ("What is metformin?", "Can I take it with food?", "Can I take metformin with food?"),
        ("What is metformin?", "Is it safe in pregnancy?", "Is metformin safe in pregnancy?"),
        (
            "What is metformin?",
            "Is it safe to drink alcohol with it?",
            "Is it safe to drink alcohol with metformin?",
        ),
        ("What does a colonoscopy show?", "how is it done?", "how is a colonoscopy done?"),
        ("What is the flu?", "Can it be prevented?", "Can the flu be prevented?"),
        ("痛风是什么？", "它怎么治疗？", "痛风怎么治疗？"),
        ("痛风是什么？", "这个病会复发吗？", "痛风会复发吗？"),
        ("二甲双胍有什么用？", "它的副作用有哪些？", "二甲双胍的副作用有哪些？"),
        ("痛风是什么？", "How is it treated?", "How is gout treated?"),
    ],
)
def test_the_subject_in_the_place_of_its_pronoun(first: str, message: str, question: str) -> None:
    found = completed(f"A: {first}", f"A: {message}")
    assert (found.question, found.form) == (question, "led")
    assert [one.turn for one in found.carried] == [0]
    assert completed(f"A: {first}", f"B: {message}").question == question


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ("What is gout?", "Is it safe to exercise?"),
        ("What is gout?", "How long does it take?"),
        ("What is gout?", "Is it better if I rest?"),
        ("What is gout?", "Would it help to drink more?"),
        ("What is gout?", "Is it cancer?"),
        ("What is gout?", "Can I take it with food?"),
        ("What is gout?", "Does it hurt and is it dangerous?"),
        ("What is gout?", "Can its symptoms get worse?"),
        ("What is gout?", "Who gets them?"),
        ("What is gout?", "Is it painful? They say so."),
        ("What is gout?", "What does IT mean?"),
        ("What is gout?", "My dog is called Rex. How is it treated?"),
        ("What is metformin?", "Are they safe?"),
        ("What is the treatment of gout?", "How long does it last?"),
        ("痛风是什么？", "能吃它吗？"),
        ("痛风是什么？", "它们严重吗？"),
        ("痛风是什么？", "它和它的并发症怎么治？"),
    ],
)
def test_led_where_the_pronoun_may_mean_something_else(first: str, message: str) -> None:
    """Pleonastic, of several, of people, of the asker's own, or of another thing in the question before."""
    name, _, rest = completed(f"A: {first}", f"A: {message}").question.partition(message)
    assert name.strip(" :：") in first
    assert (bool(name), rest) == (True, "")


@pytest.mark.parametrize(
    "message",
    [
        "and what causes gout?",
        "Who won the football match yesterday?",
        "Is it safe to take naproxen with lisinopril?",
        "My son has eczema and it itches. What helps?",
        "thanks a lot, doctor!",
        "👍",
        "ok",
        "New question: what is lupus?",
    ],
)
def test_nothing_is_carried(message: str) -> None:
    found = completed(MIGRAINE, f"A: {message}")
    assert (found.question, found.carried) == (message, ())


def test_several_numbers_of_which_one_is_corrected_stay_as_they_were_said() -> None:
    """Which of the two is meant, nobody can tell; nothing is put in place of anything."""
    asked = "Can a child take 400 mg ibuprofen and 500 mg paracetamol?"
    assert completed(f"A: {asked}", "A: no, 200 mg").question == f"{asked} no, 200 mg"


def test_a_no_that_asks_corrects_nothing() -> None:
    assert completed("A: Is ibuprofen strong?", "A: no side effects?").form == "led"


def test_a_negation_is_not_taken_over_into_a_question_that_has_none() -> None:
    found = completed("A: Is ibuprofen not safe in pregnancy?", "A: and is paracetamol safe in pregnancy?")
    assert " not " not in found.question


def test_courtesies_and_other_turns_between_are_passed_over() -> None:
    found = completed("A: Hello", "A: What is gout?", "A: and psoriasis?", "A: thanks", "A: is it genetic?")
    assert found.question == "is psoriasis genetic?"
    assert found.carried == (Carried("psoriasis", 2),)


def test_what_is_carried_is_told_with_its_turn() -> None:
    found = completed("A: What is gout?", "A: I am 40. Is colchicine safe?", "A: and with food?")
    assert Carried("I am 40.", 1) in found.carried
    assert all(each.turn == 1 for each in found.carried)


def test_an_answer_names_what_the_question_did_not() -> None:
    earlier = (Earlier("What are those silver patches on elbows?", "en", "A", answered=("psoriasis",)),)
    assert complete_by_rule(earlier, "Is it contagious?", "en", "A").question == "Is psoriasis contagious?"


def test_a_question_completed_elsewhere_is_taken_as_it_was() -> None:
    earlier = (Earlier("Is it dangerous?", "en", "A", standalone="Is a sprained ankle with gout dangerous?"),)
    assert complete_by_rule(earlier, "How long?", "en", "A").question.startswith("Is a sprained")


def test_a_language_without_cues_stands_alone() -> None:
    earlier = (Earlier("¿Qué es la gota?", "es", "A"),)
    assert complete_by_rule(earlier, "¿y en niños?", "es", "A").question == "¿y en niños?"


MESSAGES = st.lists(
    st.sampled_from(
        "and what about ibuprofen naproxen no not without 12 400 mg 7.5 mmol/L 3 times a day it "  # noqa: SIM905
        "? , children pregnant I am my why how much gout never don't 那 布洛芬 不 没有 15岁 呢 ？ 它".split()
    ),
    min_size=1,
    max_size=9,
).map(" ".join)


@given(st.lists(MESSAGES, min_size=1, max_size=3), MESSAGES, st.booleans())
@settings(max_examples=300, deadline=None)
def test_numbers_units_and_negations_of_a_message_are_never_lost(
    before: list[str], message: str, chinese: bool
) -> None:
    language = "zh" if chinese else "en"
    earlier = tuple(Earlier(text, language, "A") for text in before)
    found = complete_by_rule(earlier, message, language, "A")
    for part in ("12", "400", "mg", "7.5", "mmol/L", "15岁"):
        assert found.question.count(part) >= (part in message)
    if found.form not in ("correction",):
        assert len(negations_in(found.question, language)) >= len(negations_in(message, language))


def test_a_long_message_stands_alone() -> None:
    """It says for itself what it is about, and reading it takes no longer for the talk before it."""
    message = "and " * 4_000 + "is it safe?"
    assert completed(MIGRAINE, f"A: {message}").question == message
