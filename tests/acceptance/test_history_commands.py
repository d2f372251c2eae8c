"""`carecite history`: find an answer, open it, take it out, and make it go."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.render.exports import COLUMNS, guard
from tests.program import Call, Program, says_sorry

STROKE = "What are the warning signs of a stroke?"


@pytest.fixture(scope="module")
def asked(carecite: Program) -> str:
    """The id of an answer, asked by somebody who gave a phone number away."""
    return str(carecite.run("ask", "--json", f"{STROKE} Call me at +44 20 7946 0958.").json()["run_id"])


@pytest.fixture(scope="module")
def cited(carecite: Program) -> str:
    """The id of an answer with sources."""
    answer = carecite.run("ask", "--json", STROKE).json()
    assert answer["citations"]
    return str(answer["run_id"])


def lines(out: str) -> list[Any]:
    return [json.loads(line) for line in out.splitlines()]


def test_found_by_words_and_filters(call: Call, asked: str) -> None:
    found = lines(call("history", "list", '"warning signs" stroke', "--json").out)
    case = next(case for case in found if case["run_id"] == asked)
    assert (case["platform"], case["person"], case["language"]) == ("local", "local", "en")
    assert "7946" not in case["excerpt"]
    assert "[phone]" in lines(call("history", "list", "--json").out)[0]["excerpt"]
    assert lines(call("history", "list", "7946", "--json").out) == []
    assert lines(call("history", "list", "-w", "platform=slack", "--json").out) == []
    assert (
        call("history", "list", "-w", "abstained=yes", "-w", "verdict=unsafe").out == "Nothing was found.\n"
    )
    printed = call("history", "list", "stroke").out
    assert asked in printed
    assert "7946" not in printed


def test_pages(call: Call, asked: str) -> None:
    assert call("ask", "I want to kill myself").code == 0
    first = call("history", "list", "--limit", "1", "--json")
    after = first.err.split("--after ")[1].strip()
    second = call("history", "list", "--limit", "1", "--json", "--after", after)
    assert lines(first.out)[0]["triage"] == "self_harm"
    assert lines(second.out)[0]["run_id"] != lines(first.out)[0]["run_id"]
    flagged = call("history", "list", "-w", "flagged=yes", "-w", "waiting=yes", "--json")
    assert lines(flagged.out)[0]["state"] == "open"


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("colour=red", "NAME=VALUE"),
        ("abstained=maybe", "yes or no"),
        ("since=soon", "a day"),
        ("workspace=x", "number"),
    ],
)
def test_filters_that_are_none(call: Call, where: str, words: str) -> None:
    says_sorry(call("history", "list", "-w", where), 2, "--where", words)


def test_shown_with_its_evidence(call: Call, cited: str) -> None:
    shown = call("history", "show", cited)
    assert STROKE in shown.out
    assert "llm calls" in shown.out
    assert "trace" not in shown.out
    dossier = call("history", "show", cited, "--json").json()
    [exchange] = dossier["exchanges"]
    quotes = [source["quote"] for source in exchange["answer"]["citations"]]
    assert [source["quote"] for source in exchange["citations"]] == quotes != []
    assert dossier["trace"] is None
    assert "retrieve" in call("history", "show", cited, "--trace").out
    assert call("history", "show", cited, "--trace", "--json").json()["trace"]
    says_sorry(call("history", "show", "no-such-run"), 2, "nothing by this id")


def test_exported_for_a_purpose(call: Call, asked: str, cited: str, tmp_path: Path) -> None:
    file = tmp_path / "answers.csv"
    says_sorry(call("history", "export", str(file), "--purpose", " "), 2, "needs a reason")
    assert not file.exists()
    says_sorry(
        call("history", "export", str(tmp_path / "answers.txt"), "--purpose", "case round"), 2, "--format"
    )
    assert call("history", "export", str(file), "stroke", "--purpose", "case round").code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    rows = list(csv.DictReader(StringIO(file.read_text("utf-8"))))
    assert tuple(rows[0]) == COLUMNS
    row = next(row for row in rows if row["run_id"] == cited)
    assert row["question"].startswith(STROKE)
    assert row["sources"]
    says_sorry(call("history", "export", str(file), "--purpose", "case round"), 2, "cannot be written")
    out = call("history", "export", "-", "stroke", "--format", "jsonl", "--purpose", "case round")
    assert asked in {row["run_id"] for row in lines(out.out)}
    assert "7946" in out.out


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "－1", '=HYPERLINK("x")']
)
def test_no_cell_is_a_formula(cell: str) -> None:
    assert guard(cell) == f"'{cell}"


def test_other_cells_stay() -> None:
    assert [guard(cell) for cell in ("5 mg", "a=b", "", None, True)] == ["5 mg", "a=b", "", "", "True"]


def test_erased_and_verified(call: Call, carecite: Program, tmp_path: Path) -> None:
    run_id = call("ask", "--json", STROKE).json()["run_id"]
    assert call("history", "export", str(tmp_path / "a.jsonl"), "stroke", "--purpose", "case round").code == 0
    head = call("history", "verify", "--json").json()["head"]
    aborted = call("history", "erase", run_id, stdin=b"n\n")
    assert aborted.code == 1
    assert call("history", "show", run_id).code == 0
    erased = call("history", "erase", run_id, "--yes")
    assert "1 answers" in erased.out
    assert "1 exports" in erased.err
    assert call("history", "show", run_id).code == 2
    verified = call("history", "verify", "--head", head)
    assert "as it was written" in verified.out
    url = carecite.copy_database("history", "test_broken_audit")
    broken = "ALTER TABLE audit DISABLE TRIGGER USER; UPDATE audit SET action = 'nothing' WHERE id = 2"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(broken)
    says_sorry(call("history", "verify", CARECITE_HISTORY_URL=url), 1, "not as it was written", "2")
