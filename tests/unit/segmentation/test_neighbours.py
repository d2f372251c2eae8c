"""Which passages need their neighbours (methods.md 1.6)."""

from __future__ import annotations

import pytest

from reasoning.retrieval.segmentation.neighbours import needs_next, needs_previous
from storage.documents import Passage


def _passage(text: str, section: str | None = None) -> Passage:
    return Passage(
        doc_id="1", idx=1, text=text, start=9, own_start=9, end=9 + len(text), n_tokens=1, section=section
    )


@pytest.mark.parametrize(
    "text",
    [
        "However, three died.",
        "These drugs are old.",
        "但疗效有限。",
        "- your letter\n- a list",
        "2. Cool it.",
        "c) Wait.",
        "(iii) to act.",
        "三、多喝水",
        "120 mg | 50 | 11\n180 mg | 50 | 20",
        "* p < 0.05 against placebo.",
        "Abbreviations: CI, confidence interval.",
        "注：与对照组比较。",
    ],
)
def test_leans_on_the_passage_before(text: str) -> None:
    assert needs_previous(_passage(text))


@pytest.mark.parametrize(
    "text", ["Aspirin helps.", "1. Rest the ankle.\n2. Cool it.", "Note that it helps.", "其他患者好转。"]
)
def test_opens_by_itself(text: str) -> None:
    assert not needs_previous(_passage(text))


def test_a_label_line_opens_a_unit() -> None:
    assert not needs_previous(_passage("Table 1 | Doses\n60 mg | 4", "Table 1"))
    assert needs_previous(_passage("60 mg | 4", "Table 1"))


@pytest.mark.parametrize(
    "text",
    [
        "Bring with you:",
        "停药指征：",
        "Aims were to ask;",
        "Do this.\n1. Rest the ankle.",
        "- your tablets",
        "Dose | Upset\n60 mg | 4*",
    ],
)
def test_leans_on_the_passage_after(text: str) -> None:
    assert needs_next(_passage(text))


@pytest.mark.parametrize(
    "text", ["Aspirin helps.", "Dose | Upset\n60 mg | 4", "Dose | Upset\n60 mg | 4*\n* Day 2.", "饭后服用。"]
)
def test_ends_by_itself(text: str) -> None:
    assert not needs_next(_passage(text))
