"""Options in their many shapes, and what only looks like them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reasoning.routing import find_options, part_options


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Which? A. one B. two C. three D. four", "ABCD"),
        ("Which?\nA) one\nB) two", "AB"),
        ("Which? (A) one (B) two (C) three", "ABC"),
        ("Which? [A] one [B] two", "AB"),
        ("Which? A: one B: two", "AB"),
        ("Which? A、one B、two", "AB"),
        ("Which? Ａ．one Ｂ．two", "AB"),
        ("正确的是（ ）A．与吸烟无关B．对化疗敏感C．多见", "ABC"),
        ("Which?\nA one\nB two\nC three", "ABC"),
        ("Which?\nA - one\nB - two", "AB"),
        ("Which? a) one b) two", "AB"),
        ("Which?\na. one\nb. two", "AB"),
        ("Which?\n**A.** one\n**B.** two", "AB"),
        ("Is it A) aspirin or B) ibuprofen?", "AB"),
        ("Which is the most common type A. one B. two C. three", "ABC"),
        ("Which vitamin? A. Vitamin A B. Vitamin B C. Vitamin C", "ABC"),
        ("Organism?\nA. H. influenza\nB. M. catarrhalis\nC. Legionella", "ABC"),
        ("Which of these?\n1. one\n2. two\n3. three", "123"),
        ("The cause is (1) one (2) two", "12"),
        ("Which is right? ① one ② two ③ three", "123"),
        ("Which one?\n- one\n- two\n- three\nThank you", "123"),
        ("最可能的诊断是：甲、肺炎 乙、肺结核", "甲乙"),
    ],
)
def test_labels_are_found(text: str, labels: str) -> None:
    assert "".join(option.label for option in find_options(text)) == labels


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Does it help? yes/no/maybe", ["yes", "no", "maybe"]),
        ("Does it help? Answer yes, no or maybe.", ["yes", "no", "maybe"]),
        ("Does it help?\nyes\nno\nmaybe", ["yes", "no", "maybe"]),
        ("有效吗？是/否/不确定", ["是", "否", "不确定"]),
        ("Which helps? Options: rest; ice; heat", ["1", "2", "3"]),
    ],
)
def test_unlabelled_lists_are_found(text: str, labels: list[str]) -> None:
    assert [option.label for option in find_options(text)] == labels


def test_texts_of_options() -> None:
    options = find_options("Best drug?\nA. vitamin C, 500 mg\nB. none of these\n\nThank you.")
    assert [option.text for option in options] == ["vitamin C, 500 mg", "none of these"]


@pytest.mark.parametrize(
    "text",
    [
        "Is vitamin A, B or C best?",
        "hepatitis A. or B? I do not know",
        "blood type A. Blood type B. Which is rarer?",
        "It was grade A. Is that good?",
        "I have two questions: 1) does it hurt? 2) how long does it last?",
        "I have 1. dizziness 2. my ankles swell. What is it?",
        "My results: (1) sodium 140 (2) potassium 4",
        "Is it safe, yes or no?",
        "B. burgdorferi and A. phagocytophilum",
        "A. fumigatus causes what?",
        "C. difficile or D. folliculorum?",
        "I take\n- aspirin\n- metformin\nand feel fine",
        "",
        "A.",
        "A.B.C.D.",
    ],
)
def test_look_alikes_are_no_options(text: str) -> None:
    assert not find_options(text)


@pytest.mark.parametrize(
    ("question", "stem"),
    [
        ("Which drug is used? A) osimertinib B) aspirin", "Which drug is used?"),
        ("Which drug is used?\nOptions:\nA. osimertinib\nB. aspirin", "Which drug is used?"),
        ("Does aspirin help? Answer yes, no or maybe.", "Does aspirin help?"),
        ("Answer yes, no or maybe: does aspirin help?", "does aspirin help?"),
        ("奥希替尼适用于哪种突变？ A、EGFR B、ALK C、KRAS", "奥希替尼适用于哪种突变？"),
        ("Which is best (A) one (B) two", "Which is best"),
        ("What is gout?", "What is gout?"),
        ("A) gout B) lupus", "A) gout B) lupus"),  # a list alone is all there is to search with
    ],
)
def test_the_stem_has_no_option_in_it(question: str, stem: str) -> None:
    parted = part_options(question)
    assert parted.stem == stem
    assert parted.options == find_options(question)


@pytest.mark.shared_data
def test_every_exam_question_is_parted_where_it_was_joined(shared: Path) -> None:
    rows = [
        json.loads(line)
        for name in ("medqa_us", "medmcqa", "mmlu_med", "pubmedqa_star", "bioasq_yn")
        for line in (shared / "data" / "qa" / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    for row in rows:
        listed = "\n".join(f"{label}) {text}" for label, text in row["options"].items())
        parted = part_options(f"{row['question']}\n{listed}")
        assert parted.stem.strip() == row["question"].strip()
        assert [option.label for option in parted.options] == list(row["options"])
