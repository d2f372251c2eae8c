"""Documents that break off, blow up or lie, and a home that cannot be written."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from bot.library import LIBRARY
from tests.program import Call, Program

RECORDS = (Path(__file__).parents[1] / "acceptance" / "documents" / "records.xml").read_text("utf-8")


@pytest.fixture(scope="module")
def own(carecite: Program) -> dict[str, str]:
    return {"CARECITE_CORPUS_URL": carecite.copy_database("corpus", "test_documents")}


def test_what_stands_before_a_break_is_kept(call: Call, own: dict[str, str], tmp_path: Path) -> None:
    """One good record, then half of one; the library that was there before is untouched."""
    broken = tmp_path / "broken.xml"
    broken.write_text(RECORDS[: RECORDS.index("nine of twelve")])
    outcome = call("ingest", "--json", str(broken), **own)
    assert outcome.code == 0, outcome.err
    report = outcome.json()
    assert report["stored"] == 1
    (rejected,) = report["rejected"]
    assert "broken.xml" in rejected["where"]
    assert "after 1 complete records" in rejected["reason"]
    status = call("db", "status", **own)
    assert f"{len(list(LIBRARY.glob('*.md')))} articles from library" in status.out
    assert call("search", "warm gloves for cold fingers", **own).out.startswith(" 1. Warm gloves")
    broken.write_text(RECORDS)
    assert call("ingest", "--json", str(broken), **own).json() | {"passages": 0} == {
        "files": 1, "stored": 1, "unchanged": 1, "passages": 0, "without_text": 0, "rejected": []
    }  # fmt: skip


def test_a_damaged_archive_and_a_bomb_are_refused_and_the_rest_is_read(
    call: Call, own: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "a-cut.xml.gz").write_bytes(gzip.compress(RECORDS.encode())[:-400])
    with gzip.open(tmp_path / "b-bomb.xml.gz", "wb") as bomb:
        bomb.write(b"<PubmedArticleSet>")
        for _ in range(64):
            bomb.write(b" " * (1 << 20))
    (tmp_path / "c-good.md").write_text(
        "# Rusty spoons\n\nA rusty spoon is washed before it is used again.\n"
    )
    outcome = call("ingest", "--json", str(tmp_path), **own)
    assert outcome.code == 0, outcome.err
    report = outcome.json()
    reasons = {Path(row["where"]).name.split(",")[0]: row["reason"] for row in report["rejected"]}
    assert "breaks off" in reasons["a-cut.xml.gz"]
    assert "beyond all measure" in reasons["b-bomb.xml.gz"]
    assert "c-good.md" not in reasons
    assert report["stored"] >= 1


def test_names_that_are_no_text_are_reported(call: Call, own: dict[str, str], tmp_path: Path) -> None:
    odd = os.fsencode(tmp_path) + b"/pict\xffure\x1b[31m.bin"
    Path(os.fsdecode(odd)).write_bytes(b"\0")
    outcome = call("ingest", str(tmp_path), **own)
    assert outcome.code == 2
    assert "pict\ufffdure [31m.bin" in outcome.out
    assert "pict\\udcffure" in call("ingest", "--json", str(tmp_path), **own).out


def test_a_file_that_may_not_be_read(carecite: Program, own: dict[str, str], tmp_path: Path) -> None:
    missing = tmp_path / "gone.md"
    missing.symlink_to(tmp_path / "nowhere.md")
    outcome = carecite.run("ingest", str(missing), **own)
    assert outcome.code == 2
    assert "no file or folder" in outcome.err
    assert "Traceback" not in outcome.err


def test_markup_in_documents_and_questions_is_printed_as_it_stands(
    call: Call, own: dict[str, str], tmp_path: Path
) -> None:
    """Rich's markup and its pictures, Markdown and HTML are text in titles, passages and questions."""
    title = "[red]Zilch fever[/red] [link=x]y[/link] :warning: **bold** \\ [/]"
    path = tmp_path / "markup.jsonl"
    text = (
        "Zilch fever [bold]ends[/bold] within **two** days of rest. :pill: Zilch fever never comes back [/]."
    )
    record = {"doc_id": "markup-1", "title": title, "abstract": text, "url": "http://x.org/a]b"}
    path.write_text(json.dumps(record))
    assert call("ingest", str(path), **own).code == 0
    question = "Does [blink]Zilch fever[/] end :pill: <script>?"
    found = call("search", question, "--limit", "1", **own)
    flat = " ".join(found.out.split())
    assert "[red]Zilch fever[/red] [link=x]y[/link] :warning: **bold** \\ [/]" in flat
    assert "Zilch fever [bold]ends[/bold] within **two** days" in flat
    assert "http://x.org/a]b\n" in found.out
    answer = call("ask", "--trace", "Does Zilch fever come back?", **own)
    assert answer.code == 0, answer.err
    assert "never comes back [/]." in answer.out
    assert f"[1] {title}" in " ".join(answer.out.split())
    assert call("ask", "--json", question, **own).json()["question"] == question
