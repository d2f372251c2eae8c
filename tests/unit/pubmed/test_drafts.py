"""Drafts by a model become queries, or nothing (case F05)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.retrieval.pubmed import lint, print_query, repair
from storage.query import words_of
from tests.queries import examples

DRAFTS = [
    ("(‘dry eye’[tiab] AND “tear film”[tiab])", "\"'dry eye'\"[tiab] AND \"tear film\"[tiab]"),
    ("((asthma[MeSH Terms] OR wheez*[tiab]) AND (child*[tiab]",
     "(asthma[mh] OR wheez*[tiab]) AND child*[tiab]"),
    ("asthma[tiab]) AND steroids[tiab]", "asthma[tiab] AND steroids[tiab]"),
    ('asthma"[tiab] AND cough[tiab]', "asthma[tiab] AND cough[tiab]"),
    ("```sql\nasthma[tiab] AND cough\n```\nHope this helps (a lot)!", "asthma[tiab] AND cough"),
    ("Sure! Here is the query:\n\n`asthma[ti] AND cough`\n", "asthma[ti] AND cough"),
    ("PubMed query: asthma[tiab] OR cough[tiab]. This finds both.", "asthma[tiab] OR cough[tiab]"),
    ("(asthma[tiab]\n  AND\n  (cough OR wheeze))\n\nExplanation: asthma (the disease).",
     "asthma[tiab] AND (cough OR wheeze)"),
    ("1. asthma[tiab] AND cough", "asthma[tiab] AND cough"),
    ("asthma[tiab] and (cough or wheeze) not adults", "(asthma[tiab] AND (cough OR wheeze)) NOT adults"),
    ("asthma[tiab] && cough || wheeze", "(asthma[tiab] AND cough) OR wheeze"),
    ("asthma AND AND NOT cough", "asthma NOT cough"),
    ("OR asthma AND", "asthma"),
    ("asthma[Disease] AND [tiab] AND free full text[sb]", "asthma"),
    ("asthma AND as*[tiab]", "asthma AND as[tiab]"),
    ("asthma AND 哮喘[tiab]", "asthma"),
    ("（asthma OR cough）", "asthma OR cough"),
    ("asthma AND (2020:2024[dp]) AND ([dp])", "asthma AND 2020:2024[dp]"),
    ("asthma AND last 5 years[dp]", "asthma"),
    ("inhaler: spacer[tiab]", "inhaler AND spacer[tiab]"),
    ("(" * 3000 + "asthma" + ")" * 10, "asthma"),
    ("asthma OR cough AND asthma", "(asthma OR cough) AND asthma"),
]  # fmt: skip
NOTHING = [
    "",
    "[pdat]",
    "AND OR ( )",
    "()",
    '""',
    "哮喘",
    "2020:2024[dp]",
    "of the",
    "***",
    "review[pt]",
    "NOT asthma",
]


@pytest.mark.parametrize(("draft", "printed"), DRAFTS)
def test_repaired(draft: str, printed: str) -> None:
    query = repair(draft)
    assert query is not None
    assert print_query(query) == printed
    assert lint(printed) == []


@pytest.mark.parametrize("draft", NOTHING)
def test_without_a_search_word_nothing_is_sent(draft: str) -> None:
    assert repair(draft) is None


@pytest.mark.shared_data
def test_field_case(shared: Path) -> None:
    rows = json.loads((shared / "cases/inputs/F05_questions.json").read_text("utf-8"))["rows"]
    drafted = [row for row in rows if "drafted" in row]
    assert len(drafted) == 7
    for row in drafted:
        query = repair(row["drafted"])
        if row.get("send") is False:
            assert query is None, row["id"]
            continue
        assert query is not None, row["id"]
        printed = print_query(query)
        assert lint(printed) == [], row["id"]
        assert all(any(form in printed for form in word.split("|")) for word in row["keep"]), row["id"]
        assert not any(word in printed for word in row.get("drop", ())), row["id"]


PIECES = """
( ) [ ] " “ ” ' * : ~ ` ``` AND OR NOT and [tiab] [mh] [x] [tiab:~2] [dp] 2020 lung cancer of a β 肺 #1 && .
"""
SOUP = st.lists(st.sampled_from([*PIECES.split(), "\n", " "]), max_size=25).map(" ".join)


@examples(300)
@given(SOUP | st.text(max_size=60) | SOUP.map(lambda text: text.replace(" ", "")))
def test_rubbish_never_raises_nor_comes_out_unbalanced(draft: str) -> None:
    if (query := repair(draft)) is not None:
        printed = print_query(query)
        assert lint(printed) == []
        assert words_of(query)
    lint(draft)


@pytest.mark.parametrize("part", ["lung[tiab] OR ", "(lung OR (", "lung AND\n", "a: ", '"x" ', "`lung` "])
def test_long_drafts_end(part: str) -> None:
    """No shape of a long text makes the work explode."""
    repair(part * 4000)
