"""Own documents go in by `ingest` and are found by `search` and `ask`."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.program import Call, Outcome, Program, says_sorry

DOCUMENTS = Path(__file__).with_name("documents")


@pytest.fixture(scope="module")
def own(carecite: Program) -> dict[str, str]:
    """Settings for a corpus of this module's own."""
    return {"CARECITE_CORPUS_URL": carecite.copy_database("corpus", "test_ingest")}


@pytest.fixture(scope="module")
def loaded(carecite: Program, own: dict[str, str]) -> Outcome:
    """What the real program says when it loads the folder of documents."""
    return carecite.run("ingest", str(DOCUMENTS), **own)


def search(call: Call, own: dict[str, str], *words: str) -> list[dict[str, object]]:
    outcome = call("search", "--json", *words, **own)
    assert outcome.code == 0, outcome.err
    passages: list[dict[str, object]] = outcome.json()["passages"]
    return passages


def test_a_folder_of_all_formats_is_loaded_and_what_is_refused_is_named(loaded: Outcome) -> None:
    assert loaded.code == 0, loaded.err
    assert loaded.out.startswith("5 files: 7 articles stored (")
    assert "1 refused." in loaded.out
    assert "notes.jsonl, line 2: " in loaded.out


@pytest.mark.usefixtures("loaded")
def test_loading_again_changes_nothing_and_a_change_replaces(
    call: Call, own: dict[str, str], tmp_path: Path
) -> None:
    again = call("ingest", "--json", str(DOCUMENTS), **own).json()
    assert (again["stored"], again["unchanged"], len(again["rejected"])) == (0, 7, 1)
    folder = tmp_path / "documents"
    shutil.copytree(DOCUMENTS, folder)
    path = folder / "records.xml"
    path.write_text(path.read_text().replace("nine of twelve", "eleven of twelve"))
    changed = call("ingest", "--json", str(path), **own).json()
    assert (changed["stored"], changed["unchanged"]) == (1, 1)
    found = search(call, own, "peppermint oil hiccups", "--limit", "2")
    assert "eleven of twelve" in str(found[0]["text"])
    assert "nine of twelve" not in json.dumps(found)
    assert call("ingest", "--json", "--refresh", str(path), **own).json()["stored"] == 2


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What helps a grumbling knee after running?", "Care of a grumbling knee after running"),
        ("Do compression socks help on long flights?", "compression-socks"),
        ("Does humming open a blocked nose?", "Humming for a blocked nose"),
        ("Do warm gloves help cold fingers?", "Warm gloves"),
        ("Is an oat bath good for itching skin?", "Oat baths"),
    ],
)
def test_each_format_is_found(call: Call, own: dict[str, str], question: str, title: str) -> None:
    best = search(call, own, question, "--limit", "1")[0]
    assert str(best["title"]).startswith(title)
    assert set(best) == {
        *("id", "score", "streams", "title", "section", "pmid", "year", "publication_types"),
        *("standing", "url", "text", "before", "after"),
    }


@pytest.mark.usefixtures("loaded")
def test_filters_limit_what_is_found(call: Call, own: dict[str, str]) -> None:
    new = search(call, own, "hiccups and cold fingers", "--since", "2015", "--until", "2021")
    assert {row["pmid"] for row in new} >= {"90000002"}
    assert all(2015 <= int(str(row["year"])) <= 2021 for row in new)
    reviews = search(call, own, "cold fingers", "--type", "Review", "--limit", "100")
    assert [row["pmid"] for row in reviews] == ["90000002"]
    assert search(call, own, "cold fingers", "--language", "FR") == []
    assert len(search(call, own, "cold fingers", "--language", "EN", "--limit", "3")) == 3


@pytest.mark.usefixtures("loaded")
def test_search_for_people(call: Call, own: dict[str, str]) -> None:
    outcome = call("search", "Humming for a blocked nose", "--limit", "2", **own)
    assert outcome.code == 0
    assert " 1. Humming for a blocked nose: a randomized trial of quiet evenings, 2021\n" in outcome.out
    assert "dense no. 1" in outcome.out
    assert "https://pubmed.ncbi.nlm.nih.gov/90000001/\n" in outcome.out
    nothing = call("search", "cold fingers", "--since", "2020", "--type", "Review", **own)
    assert nothing.code == 0
    assert "No passage was found" in nothing.out


@pytest.mark.usefixtures("loaded")
def test_an_own_document_is_cited(call: Call, own: dict[str, str]) -> None:
    answer = call("ask", "--json", "Does humming open a blocked nose?", **own).json()
    assert "90000001" in [citation["pmid"] for citation in answer["citations"]]


def test_what_cannot_be_searched_is_refused(call: Call) -> None:
    says_sorry(call("search", "x-rays", "--since", "2020", "--until", "2010"), 2, "later than")
    says_sorry(call("search", "x-rays", "--since", "20200101000000"), 2, "--since")
    says_sorry(call("search", "x-rays", "--limit", "0"), 2, "--limit")
    says_sorry(call("search", ""), 2, "no question")


def test_what_is_no_document_is_refused(call: Call, own: dict[str, str], tmp_path: Path) -> None:
    says_sorry(call("ingest", str(tmp_path / "missing.md"), **own), 2, "no file or folder")
    os.mkfifo(tmp_path / "pipe")
    says_sorry(call("ingest", str(tmp_path / "pipe"), **own), 2, "no file or folder")
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    outcome = call("ingest", str(picture), **own)
    assert outcome.code == 2
    assert "picture.png" in outcome.out
    assert "no format that carecite reads" in outcome.out


def test_hidden_folders_are_left_alone(tmp_path: Path) -> None:
    from bot.ingest import find_files

    for name in (".git/description.txt", "a/.b/c.md", ".d.md", "a/e.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert find_files([tmp_path, tmp_path / "a"]) == [tmp_path / "a" / "e.md"]
    assert find_files([tmp_path / ".d.md"]) == [tmp_path / ".d.md"], "what is named is read"
