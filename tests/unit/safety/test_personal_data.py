"""Personal details go before a third party reads, clinical facts stay."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.safety.personal_data import find_personal, mask_personal
from tests.unit.safety.notes import make_note

NOTES = [make_note(seed) for seed in range(400)]
CLINICAL = """Take 500 mg twice a day; BP 140/90, temperature 39.5, platelets 150,000-400,000.
10^9/L, 1.73 m², HbA1c 7.2 %, stage 3, CD4 350, LDL 100-129 mg/dL, INR 2.0-3.0, FEV1/FVC 0.70.
PMID 12345678, PMID: 31234567, NCT01234567, doi 10.1056/NEJMoa2034577, rs1801133, EC 3.4.21.4, ICD-10 C50.911.
BRCA1 and TP53.
Parkinson, Hodgkin, Crohn and Alzheimer disease; my father has Crohn. SARS-CoV-2, HLA-B27, T2N1M0.
I am 45 years old, born in 1957, treated in 2019-2020, since 12 weeks, age 7.
95% CI 1.23-4.56, p=0.0012345, n = 1234567, 1 234 567 patients, 100000 IU.
Measuring 2 x 3 cm, occurring 3 years ago.
I am African American. Patient Health Questionnaire and Patient Global Assessment.
Increased Patient Risk As Expected.
Call your doctor or call 911. Contact us 2 times. The drug name is Metformin. My mother has Type 2 diabetes.
血压140/90，体温39.5度，每天500毫克。我是糖尿病患者，我是高血压。谢谢医生！
Tomo 500 mg dos veces al día. Soy diabético. Ich bin Diabetiker und nehme 500 mg.
Je suis diabétique.""".splitlines()


@pytest.mark.parametrize("text", CLINICAL)
def test_clinical_text_is_never_masked(text: str) -> None:
    assert mask_personal(text) == text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("I am Dr Alice Thornbury, call 212-555-0143.", "I am Dr [name], call [phone]."),
        ("my name is orrin ostrander and i have gout", "my name is [name] and i have gout"),
        ("我叫王小明，手机13812345678。", "我叫[name]，手机[phone]。"),
        ("１３８１２３４５６７８", "[phone]"),
        ("IBAN GB82 WEST 1234 5698 7654 32, card 4111 1111 1111 1111", "IBAN [iban], card [card]"),
        ("DOB 03/05/1971, MRN 00482913, SSN 987-65-4321", "DOB [date], MRN [record], SSN [id]"),
        ("NDC 0555-0952-02", "NDC 0555-0952-02"),
        ("2001:db8:0:0:0:ff00:42:8329 wrote @orrin_o", "[ip] wrote [handle]"),
        ("https://pubmed.ncbi.nlm.nih.gov/31234567/", "https://pubmed.ncbi.nlm.nih.gov/31234567/"),
    ],
)
def test_a_detail_becomes_its_kind(text: str, masked: str) -> None:
    assert mask_personal(text) == masked


def test_planted_details_are_found_and_clinical_facts_stay() -> None:
    planted, missed = Counter[str](), Counter[str]()
    lost: list[str] = []
    examples: list[tuple[str, str]] = []
    for note in NOTES:
        masked = mask_personal(note.text)
        for kind, detail in note.details:
            planted[kind] += 1
            if detail in masked:
                missed[kind] += 1
                examples.append((kind, detail))
        lost += [fact for fact in note.facts if fact not in masked]
    recall = 1 - missed.total() / planted.total()
    print(f"recall {recall:.4f} of {planted.total()} details in {len(NOTES)} notes; missed {dict(missed)}")  # noqa: T201
    assert not lost
    assert recall >= 0.95, examples
    for kind, count in planted.items():
        assert missed[kind] <= 0.1 * count, kind


def test_most_of_a_detail_is_masked_too() -> None:
    """No half of a name, number or address is left standing."""
    for note in NOTES:
        masked = mask_personal(note.text)
        for kind, detail in note.details:
            if kind in ("name", "email", "card", "phone") and detail not in masked:
                assert not [part for part in detail.split() if len(part) > 4 and part in masked], (
                    note,
                    masked,
                )


CUES = ["my name is ", "Tel: ", "DOB ", "MRN ", "[phone]", " "]
noise = st.text(max_size=12) | st.sampled_from([detail for note in NOTES[:60] for _, detail in note.details])


@given(st.lists(noise | st.sampled_from(CUES), max_size=8).map("".join))
def test_masking_never_raises_and_masks_once(text: str) -> None:
    spans = find_personal(text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))
    masked = mask_personal(text)
    assert mask_personal(masked) == masked


def test_the_starter_library_has_nothing_personal() -> None:
    library = Path(__file__).resolve().parents[3] / "config" / "starter" / "library"
    for page in sorted(library.glob("*.md")):
        text = page.read_text("utf-8").split("---", 2)[2]
        assert mask_personal(text) == text, page.name
