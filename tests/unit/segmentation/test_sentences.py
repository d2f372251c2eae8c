"""Where a sentence ends (case F15)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.retrieval.segmentation.sentences import is_blank, split_sentences

_FRAGMENTS = st.sampled_from(
    [
        *"aZ 7.?!…。！？．；，,;:()（）[]\"'“”\n\t|-*",
        *(
            "e.g.",
            " et al. ",
            "E. coli ",
            "Fig. 2",
            "\n\n",
            " | ",
            "1) ",
            "2. ",
            "harm.12 ",
            "The ",
            "药物",
            "b.i.d. ",
        ),
        *("\u200b", "\u00a0", "\U0001f9ec", "e\u0301", "0.05"),
    ]
)
TEXTS = st.lists(_FRAGMENTS, max_size=60).map("".join) | st.text(max_size=80)


def _sentences(text: str) -> list[str]:
    return [" ".join(text[start:end].split()) for start, end in split_sentences(text)]


def test_own_rows(own_rows: list[dict[str, str]]) -> None:
    assert len(own_rows) >= 30
    wrong = {}
    for row in own_rows:
        # "|" marks a boundary, " | " a border between table cells
        marked = row["marked"].replace(" | ", " \0 ")
        text = marked.replace("|", "").replace("\0", "|")
        wanted = [" ".join(part.replace("\0", "|").split()) for part in marked.split("|") if part.strip()]
        if _sentences(text) != wanted:
            wrong[row["id"]] = _sentences(text)
    assert wrong == {}


@pytest.mark.shared_data
def test_field_case(case_input: Callable[[str], Any]) -> None:
    case = case_input("F15_sentences.json")
    exact = {
        row["id"]
        for row in case["rows"]
        if _sentences(row["text"]) in (row.get("sentences_any_of") or [row["sentences"]])
    }
    assert set(case["required_exact"]) <= exact
    assert exact == {row["id"] for row in case["rows"]}


@given(TEXTS)
def test_spans_tile_the_text(text: str) -> None:
    spans = split_sentences(text)
    if is_blank(text):
        assert spans == []
    else:
        assert "".join(text[start:end] for start, end in spans) == text
        assert spans[0].start == 0
        assert all(not is_blank(text[start:end]) for start, end in spans)


@given(TEXTS)
def test_a_sentence_starts_where_something_is_printed(text: str) -> None:
    assert all(not text[span.start].isspace() for span in split_sentences(text)[1:])


@pytest.mark.parametrize("blank", ["", " \n\t\u00a0\u200b\n ", "\ufeff"])
def test_blank_text_has_no_sentence(blank: str) -> None:
    assert split_sentences(blank) == []


def test_a_qualifier_in_brackets_stays_with_its_claim() -> None:
    text = "It helped (Example Chem. Co., Sampletown; Grade 2. Not blinded) in six of ten. Others had none."
    assert len(split_sentences(text)) == 2


def test_an_open_bracket_that_never_closes_holds_nothing_together() -> None:
    assert len(split_sentences("It helped (in six. Others had none. They left.")) == 3
