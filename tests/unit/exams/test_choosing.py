"""The choice step: what the rule makes of passages, what a reply may be, and what of it is told."""

from __future__ import annotations

import pytest

from reasoning.exams.choosing import (
    CHOOSE,
    ChoiceInputs,
    ChoiceReply,
    choose_by_support,
    claims_of_choice,
    find_nonsense,
    probe_texts,
    read_choice,
)
from reasoning.exams.stems import asked_sentence, is_negated, read_exam
from reasoning.grounding.passages import number_passages
from reasoning.llm.prompts import load_prompt, render_prompt
from reasoning.routing import Option
from storage.corpus.terms import terms_of
from tests.evidence import evidence

DRUGS = ("allopurinol", "warfarin", "omeprazole", "salbutamol")
GOUT = evidence(
    "90050001:0",
    "Allopurinol lowers uric acid and prevents attacks of gout. People with gout drink much water.",
    title="Preventing gout",
)
OTHERS = evidence(
    "90050002:0", "Warfarin keeps blood from clotting. Omeprazole lowers stomach acid.", title="Common drugs"
)


def options(*texts: str) -> tuple[Option, ...]:
    return tuple(Option("ABCDEFGH"[at], text) for at, text in enumerate(texts))


def alike(one: str, other: str) -> float:
    """Stands for the encoder: the share of terms in common."""
    mine, theirs = set(terms_of(one)), set(terms_of(other))
    return len(mine & theirs) / max(1, min(len(mine), len(theirs)))


def inputs(stem: str, *texts: str, passages: tuple[object, ...] = (GOUT, OTHERS)) -> ChoiceInputs:
    given, offered = number_passages(passages), options(*texts)  # type: ignore[arg-type]
    said = [s.text for one in given for s in one.sentences] + list(texts)
    likeness = {(probe, text): alike(probe, text) for probe in probe_texts(stem, offered) for text in said}
    return ChoiceInputs(stem, "en", offered, given, likeness)


def reply(choice: str, *cites: str, insufficient: bool = False) -> ChoiceReply:
    return ChoiceReply(reasoning="", answer_choice=choice, cites=list(cites), insufficient=insufficient)


ASKED = "Which drug prevents attacks of gout?"


@pytest.mark.parametrize("place", range(4))
def test_the_option_that_passages_bear_out_is_chosen_wherever_it_stands(place: int) -> None:
    drugs = [*DRUGS[1:]]
    drugs.insert(place, DRUGS[0])
    chosen = choose_by_support(inputs(ASKED, *drugs))
    assert chosen.answer_choice == "ABCD"[place]
    assert not chosen.insufficient
    assert chosen.cites[0] == "1.1"


def test_what_is_told_are_the_sentences_that_name_it_word_for_word() -> None:
    given = inputs(ASKED, *DRUGS)
    claims = claims_of_choice(given, choose_by_support(given), by_model=False)
    assert claims[0].text == "Allopurinol lowers uric acid and prevents attacks of gout."
    assert all(claim.support == (("90050001:0", claim.text),) for claim in claims)


def test_an_exception_is_what_is_not_borne_out() -> None:
    given = inputs(
        "All of the following lower acid of the body EXCEPT:", "Allopurinol", "Omeprazole", "Salbutamol"
    )
    assert choose_by_support(given).answer_choice == "C"


def test_what_a_sentence_denies_is_not_borne_out() -> None:
    denied = evidence(
        "90050003:0", "Warfarin does not prevent attacks of gout, unlike allopurinol.", title="Gout"
    )
    given = inputs(ASKED, "warfarin", "allopurinol", passages=(denied, GOUT))
    assert choose_by_support(given).answer_choice == "B"
    assert not claims_of_choice(given, reply("A", "1.1"), by_model=True)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("Which drug prevents attacks of gout in children?", "Allopurinol prevents attacks of gout."),
        (ASKED, "Allopurinol and merivast prevent attacks of gout and of asthma, respectively."),
        ("Which drug best prevents attacks of gout?", "Allopurinol prevents attacks of gout."),
    ],
)
def test_a_sentence_on_others_on_several_things_or_on_too_little_settles_nothing(
    asked: str, sentence: str
) -> None:
    only = evidence("90050005:0", sentence, title="Preventing gout")
    chosen = choose_by_support(inputs(asked, *DRUGS, passages=(only,)))
    assert (chosen.answer_choice, chosen.insufficient) == ("A", True)
    enough = "In children, too, allopurinol best prevents attacks of gout."
    given = inputs(asked, *DRUGS, passages=(evidence("90050006:0", enough, title="Gout"),))
    assert not choose_by_support(given).insufficient


def test_where_sentences_disagree_an_option_is_neither_borne_out_nor_denied() -> None:
    """People who take no such drug are not people whom it does not harm."""
    for_it = evidence("90050007:0", "Captopril causes chronic cough in some people.", title="Cough")
    beside = evidence("90050008:0", "Chronic cough in people not taking captopril.", title="Chronic cough")
    asked = "Which of these is not a cause of chronic cough?"
    offered = ("captopril", "valproate")
    assert choose_by_support(inputs(asked, *offered, passages=(for_it, beside))).insufficient
    alone = evidence("90050009:0", "Valproate does not cause chronic cough.", title="Chronic cough")
    chosen = choose_by_support(inputs(asked, *offered, passages=(for_it, alone)))
    assert (chosen.answer_choice, chosen.insufficient) == ("B", False)


def test_all_of_the_above_needs_them_all() -> None:
    both = evidence(
        "90050004:0", "Allopurinol and febuxostat prevent attacks of gout.", title="Preventing gout"
    )
    offered = ("allopurinol", "febuxostat", "all of the above")
    assert choose_by_support(inputs(ASKED, *offered, passages=(both,))).answer_choice == "C"
    assert choose_by_support(inputs(ASKED, *offered, passages=(GOUT,))).answer_choice == "A"


def test_two_letters_may_be_one_option() -> None:
    exam = read_exam(
        "Which are true?", options("one", "two", "three", "A and C", "both a & b", "vitamin A and D")
    )
    assert exam.joined == {"D": ("A", "C"), "E": ("A", "B")}


def test_all_and_none_of_the_above_in_chinese() -> None:
    exam = read_exam("哪项正确？", options("甲", "乙", "以上都是", "A和B"))
    assert exam.joined == {"C": ("A", "B", "D"), "D": ("A", "B")}
    assert read_exam("哪项正确？", options("甲", "以上均不正确")).none == "B"
    assert read_exam("哪项正确？", options("甲", "都不能使用青霉素")).none is None


def test_the_stem_as_written_tells_what_its_translation_lost() -> None:
    offered = options("allopurinol", "insulin")
    assert read_exam("gout drugs", offered, "关于痛风的药物，错误的是").negated
    assert not read_exam("gout drugs", offered).negated


def test_none_of_the_above_where_nothing_is_named() -> None:
    assert choose_by_support(inputs(ASKED, "aspirin", "insulin", "none of the above")).answer_choice == "C"
    assert (
        choose_by_support(inputs(ASKED, "allopurinol", "insulin", "none of the above")).answer_choice == "A"
    )


def test_ties_go_to_the_first_and_without_passages_nothing_is_settled() -> None:
    given = inputs(ASKED, "insulin", "digoxin", passages=())
    assert choose_by_support(given) == choose_by_support(given)
    assert choose_by_support(given).answer_choice == "A"
    assert choose_by_support(given).insufficient
    assert not claims_of_choice(given, reply("B"), by_model=True)


YES_NO = ("yes", "no", "maybe")
DOES_IT = "Does metformin reduce the risk of colorectal cancer?"


@pytest.mark.parametrize(
    ("sentences", "verdict"),
    [
        (
            "Metformin reduced the risk of colorectal cancer. It reduces colorectal cancer risk by a third.",
            "A",
        ),
        (
            "Metformin did not reduce the risk of colorectal cancer. No reduction of risk was seen.",
            "B",
        ),
        (
            "Metformin increased the risk of colorectal cancer. Colorectal cancer risk rose under metformin.",
            "B",
        ),
        ("There was no significant difference in the risk of colorectal cancer under metformin.", "B"),
        (
            "It remains unclear what metformin does to the risk of colorectal cancer. Evidence on it and"
            " the risk of colorectal cancer is conflicting.",
            "C",
        ),
    ],
)
def test_yes_no_and_maybe_by_direction_and_negation(sentences: str, verdict: str) -> None:
    source = evidence("90050005:0", sentences, title="Metformin and colorectal cancer")
    assert choose_by_support(inputs(DOES_IT, *YES_NO, passages=(source,))).answer_choice == verdict


def test_what_a_study_set_out_to_find_is_no_finding() -> None:
    aim = "To determine whether metformin reduces the risk of colorectal cancer. "
    found = "Metformin did not reduce the risk of colorectal cancer."
    source = evidence("90050006:0", aim + found, title="Metformin and colorectal cancer")
    given = inputs(DOES_IT, "yes", "no", passages=(source,))
    assert choose_by_support(given).answer_choice == "B"
    assert [claim.text for claim in claims_of_choice(given, reply("B", "1.1"), by_model=True)] == [found]


@pytest.mark.parametrize(
    ("asked", "negated"),
    [
        ("Which of the following is NOT a cause of gout?", True),
        ("All of the following cause gout except:", True),
        ("Which of these is least likely to cause gout?", True),
        ("Which statement on gout is false?", True),
        ("All of the statements on gout are false, except:", False),
        ("Which drug causes gout?", False),
        ("Why should the patient not be given aspirin?", False),
        ("What is the rate of false-positive tests?", False),
        ("At least how many attacks are needed?", False),
        ("关于痛风，下列说法不正确的是", True),
        ("关于哮喘的叙述，错误的是（ ）", True),
        ("以下哪种药物不属于利尿剂？", True),
        ("下列除哪项外均为痛风的病因", True),
        ("以下均为痛风的病因，除外：", True),
        ("该患者不宜使用的药物是", True),
        ("最可能的诊断是", False),
        ("除外结核后，最可能的诊断是", False),
        ("不明原因发热最常见的病因是哪项", False),
        ("非甾体抗炎药最常见的不良反应是", False),
    ],
)
def test_negated_stems(asked: str, negated: bool) -> None:
    assert is_negated(asked) is negated


def test_of_a_story_the_sentence_that_asks() -> None:
    story = (
        "A man of 50 has a swollen toe. He drinks beer. Which drug prevents it? His blood test was normal."
    )
    assert asked_sentence(story) == "Which drug prevents it?"


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("B", "B"),
        ("b)", "B"),
        ("(B)", "B"),
        ("Option B", "B"),
        ("B. warfarin", "B"),
        ("B) allopurinol", None),  # label and words disagree
        ("Warfarin.", "B"),
        ("E", None),
        ("", None),
        ("none", None),
        ("A cure", "A"),
    ],
)
def test_a_choice_is_closed_over_the_options(written: str, label: str | None) -> None:
    found = read_choice(written, options(*DRUGS))
    assert (found.label if found else None) == label


def test_the_check_names_what_is_wrong() -> None:
    given = inputs(ASKED, *DRUGS)
    assert "none of A, B, C, D" in (find_nonsense(given, reply("E", "1.1")) or "")
    assert "cites" in (find_nonsense(given, reply("A", "9.9")) or "")
    assert find_nonsense(given, reply("A", insufficient=True)) is None
    assert find_nonsense(given, reply("A", "1.1")) is None


def test_a_model_is_told_only_with_evidence_for_its_choice() -> None:
    given = inputs(ASKED, *DRUGS)
    assert claims_of_choice(given, reply("A", "1.1"), by_model=True)
    assert not claims_of_choice(given, reply("D", "1.1"), by_model=True), "nothing names it"
    assert not claims_of_choice(given, reply("A", "1.1", insufficient=True), by_model=True)


def test_the_prompt_has_stem_options_and_numbered_sentences() -> None:
    shown = render_prompt(load_prompt(CHOOSE.prompt), inputs(ASKED, *DRUGS)).user
    assert "B) warfarin" in shown
    assert "[1.1] Allopurinol lowers uric acid" in shown
