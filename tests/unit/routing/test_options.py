"""Options in their many shapes, and what only looks like them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

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


@pytest.mark.parametrize(
    ("text", "stem", "options", "further"),
    [
        (
            "1. Which drug lowers uric acid?\nA. allopurinol\nB. insulin\n\n"
            "2. Which thins blood?\nA. zinc\nB. warfarin",
            "Which drug lowers uric acid?",
            ["allopurinol", "insulin"],
            1,
        ),
        (
            "Which lowers uric acid? A) allopurinol B) insulin Which thins blood? A) zinc B) warfarin",
            "Which lowers uric acid?",
            ["allopurinol", "insulin"],
            1,
        ),
        (
            "1．痛风首选的药物是 A．别嘌醇 B．胰岛素 2．抗凝药是 A．华法林 B．锌 3．退热药是 A．锌 B．布洛芬",
            "痛风首选的药物是",
            ["别嘌醇", "胰岛素"],
            2,
        ),
        ("Which? (1) one (2) two What then? (1) three (2) four", "Which?", ["one", "two"], 1),
        ("Which drug? A) one B) two", "Which drug?", ["one", "two"], 0),
        ("Hepatitis A. Hepatitis B. Which is it? A. one B. two C. three", None, ["one", "two", "three"], 0),
    ],
)
def test_of_several_questions_the_first_is_read(
    text: str, stem: str | None, options: list[str], further: int
) -> None:
    parted = part_options(text)
    assert [option.text for option in parted.options] == options
    assert parted.further == further
    if stem is not None:
        assert parted.stem == stem


LABELS = {
    "{}. ": "ABCDEFGH",
    "{}) ": "ABCDEFGH",
    "({}) ": "ABCDEFGH",
    "{}: ": "ABCDEFGH",
    "{}、": "ABCDEFGH",
    "{}．": "ABCDEFGH",
    "{})": "12345678",
    "{}.  ": "12345678",
    "{}": "①②③④⑤⑥⑦⑧",
}
_TEXT = st.lists(
    st.sampled_from(
        [
            "aspirin",
            "rest",
            "heat",
            "奥希替尼",
            "eGFR",
            "500",
            "mg",
            "daily",
            "of-the",
            "lower",
            "肺炎",
            "IL-6",
        ]
    ),
    min_size=1,
    max_size=4,
).map(" ".join)
_STEMS = ("Which of the following helps in gout?", "下列哪项是痛风的首选药物？")


@given(
    texts=st.lists(_TEXT, min_size=2, max_size=8),
    style=st.sampled_from(sorted(LABELS)),
    apart=st.sampled_from(["\n", " ", "\n\n"]),
    stem=st.sampled_from(_STEMS),
)
@example(texts=["none of the above", "all of the above"], style="{}. ", apart=" ", stem=_STEMS[0])
@example(texts=["以上都是", "以上都不是"], style="{}、", apart=" ", stem=_STEMS[1])
def test_a_well_formed_list_never_loses_an_option(
    texts: list[str], style: str, apart: str, stem: str
) -> None:
    listed = apart.join(style.format(label) + text for label, text in zip(LABELS[style], texts, strict=False))
    parted = part_options(f"{stem}{apart}{listed}")
    assert [option.text for option in parted.options] == texts
    assert parted.stem == stem
    assert parted.further == 0
