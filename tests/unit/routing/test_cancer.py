"""Cancer terms, look-alikes, denials, and mentions beside the matter."""

from __future__ import annotations

import pytest

from reasoning.routing.cancer import find_cancer_signs


@pytest.mark.parametrize(
    "text",
    [
        "rhabdomyosarcoma",
        "LEUKAEMIAS in children",
        "is it malignant",
        "lung metastases",
        "dasatinib resistance",
        "carboplatin and paclitaxel",
        "mammograms at 40",
        "Pap smear",
        "what does a PSA of 5 mean",
        "BRCA1",
        "Lynch syndrome",
        "family history of colon cancer",
        "non-small-cell lung disease with EGFR",
        "adult ALL after relapse",
        "a benign or malignant tumor?",
        "make sure it is not cancer",
        "I am worried that it is not benign but cancer",
        "precancerous cells",
        "chemoradiation",
        "leukimia",
        "乳腺癌",
        "化疗",
        "会不会变成癌",
        "cáncer de mama",
        "Brustkrebs",
        "tumeur au cerveau",
        "a lump and swollen lymph nodes",
    ],
)
def test_questions_on_cancer(text: str) -> None:
    assert find_cancer_signs(text).is_cancer


@pytest.mark.parametrize(
    "text",
    [
        *("glaucoma", "hematoma", "granuloma", "trachoma", "xanthoma", "lipomas", "fibroma", "hemangioma"),
        *("canker sore", "Crohn's disease", "coma", "stomata", "atheroma"),
        "tumor necrosis factor inhibitors",
        "pseudotumor cerebri",
        "malignant hyperthermia",
        "benign tumors of the skin",
        "a noncancerous growth",
        "the doctor said it is not cancer",
        "Cancer and Gemini horoscope",
        "my eGFR is 55",
        "ALL the time",
        "tofacitinib for arthritis",
        "血管瘤",
        "动脉瘤",
        "子宫肌瘤",
        "恶性循环",
        "肿瘤坏死因子",
        "人乳头瘤病毒",
        "良性肿瘤",
        "tumor benigno",
        "gutartiger Tumor",
    ],
)
def test_look_alikes_and_denials(text: str) -> None:
    assert not find_cancer_signs(text).strong
    assert not find_cancer_signs(text).is_cancer


LONG = "I have had a red itchy rash on both arms for two weeks now and the cream does not help at all. "


def test_a_relatives_past_is_beside_the_matter() -> None:
    signs = find_cancer_signs(LONG + "My father died of lung cancer years ago. Which cream should I use?")
    assert signs.strong
    assert signs.incidental
    assert signs.is_tie
    assert not signs.is_cancer


@pytest.mark.parametrize(
    "end",
    [
        "My father died of lung cancer years ago. Is my risk higher?",
        "My father died of lung cancer years ago. Could it be cancer?",
        "My father died of lung cancer years ago. Should I have screening?",
        "I had chemotherapy last month.",
    ],
)
def test_risk_and_own_treatment_are_the_matter(end: str) -> None:
    assert find_cancer_signs(LONG + end).is_cancer


def test_one_weak_term_is_a_tie() -> None:
    signs = find_cancer_signs("I take methotrexate")
    assert signs.weak == ("methotrexate",)
    assert signs.is_tie
