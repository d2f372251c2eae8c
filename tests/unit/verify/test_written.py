"""Citations as models write them (case F27)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.verify import clean_citations


@pytest.mark.shared_data
def test_the_field_case(shared: Path) -> None:
    case = json.loads((shared / "cases" / "inputs" / "F27_answers.json").read_text("utf-8"))
    evidence = case["evidence"]
    pmids = {pmid: int(n) for n, pmid in reversed(list(evidence.items()))}
    for row in case["rows"]:
        written = clean_citations(row["wrote"], len(evidence), pmids)
        shown = [list(dict.fromkeys(evidence[str(n)] for n in one.cited)) for one in written]
        text = " ".join(one.text for one in written)
        if None not in row["shown"]:
            assert shown == row["shown"], row["id"]
            assert "[" not in text, row["id"]
        assert "[1.2, 3.4]" in text or "[1.2" not in row["wrote"], row["id"]
        assert row.get("drop", "\0") not in text, row["id"]


@pytest.mark.parametrize(
    ("wrote", "text", "cited"),
    [
        ("Rest helps. [2]", "Rest helps.", (2,)),
        ("Rest helps【1†source】.", "Rest helps.", (1,)),
        ("Rest helps [^2].", "Rest helps.", (2,)),
        ("Rest helps [1; 3].", "Rest helps.", (1, 3)),
        ("Rest helps [2, 1, 2].", "Rest helps.", (2, 1)),
        ("Rest [helps](https://example.org/x) [1].", "Rest helps.", (1,)),
        ("Rest helps, see https://example.org/x [1].", "Rest helps, see.", (1,)),
        ("Rest helps (Doe and Roe, 2020) [1].", "Rest helps.", (1,)),
        ("Rest helps (doi: 10.1000/xyz1).", "Rest helps.", ()),
        ("According to Doe et al. (2019), rest helps [3].", "rest helps.", (3,)),
        ("The risk was 2.0 (95% CI [1, 3]) [2].", "The risk was 2.0 (95% CI [1, 3]).", (2,)),
        ("Take [3] mg [1].", "Take [3] mg.", (1,)),
        ("休息有帮助【2】。", "休息有帮助。", (2,)),
    ],
)
def test_forms(wrote: str, text: str, cited: tuple[int, ...]) -> None:
    (found,) = clean_citations(wrote, 3)
    assert (found.text, found.cited) == (text, cited)


@given(st.text(max_size=300), st.integers(0, 5))
def test_numbers_are_closed_over_the_sources(text: str, sources: int) -> None:
    for one in clean_citations(text, sources):
        assert all(1 <= n <= sources for n in one.cited)
        assert len(set(one.cited)) == len(one.cited)
        assert one.text
